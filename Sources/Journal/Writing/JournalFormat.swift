import Console
import PhaseWatch
import System

/// Writes the lines of a journal.
struct JournalFormat {
    /// The version that the `start` of a run names. A reader leaves out the lines of runs with a newer one.
    static let version = 1

    let run: Int
    let time: Timestamp
    /// CLOCK_MONOTONIC.
    let clock: Duration

    func start(_ origin: RunOrigin, display: String, isContinued: Bool) -> [UInt8] {
        var line = line("start")
        line.add("v", Self.version)
        line.add("display", display)
        line.add("boot", origin.boot)
        line.add("pid", origin.pid)
        line.add("ticks", origin.ticks)
        line.add("continued", isContinued)
        return line.line()
    }

    func group(_ subject: JournalGroup, to phase: ScenePhase?, _ cause: Cause) -> [UInt8] {
        var line = line("group", subject)
        line.add("to", phase?.rawValue)
        line.add("cause", cause.rawValue)
        return line.line()
    }

    func title(_ subject: JournalGroup, _ title: String?) -> [UInt8] {
        var line = line("title", subject)
        line.add("title", title.map { String($0.prefix(Self.longestTitle)) })
        return line.line()
    }

    func session(_ state: JournalState, isOn: Bool) -> [UInt8] {
        var line = line("session")
        line.add("state", state.word.description)
        line.add("on", isOn)
        return line.line()
    }

    func resumed(after slept: Duration) -> [UInt8] {
        var line = line("resumed")
        line.add("slept", seconds: slept)
        return line.line()
    }

    func alive() -> [UInt8] { line("alive").line() }
    func stop() -> [UInt8] { line("stop").line() }

    private static let longestTitle = 256

    private func line(_ kind: String, _ subject: JournalGroup? = nil) -> JSONWriter {
        var line = JSONWriter()
        line.add("kind", kind)
        line.add("run", run)
        line.add("time", utc: time)
        line.add("clock", seconds: clock)
        if let subject {
            line.add("application", subject.application)
            line.add("group", subject.group)
        }
        return line
    }
}

/// A group as the journal names it.
struct JournalGroup: Hashable {
    var application: String
    var group: String
}

extension JournalState {
    /// What a notice named `session` tells; nil for what hides nothing.
    static func told(by notice: Notice) -> (state: JournalState, isOn: Bool)? {
        guard notice.name == "session" else { return nil }
        let words = notice.text.prefix { $0 != ":" }
        switch words {
        case "locked": return (.lock, true)
        case "unlocked", "lock": return (.lock, false)
        case "display off": return (.displayOff, true)
        case "display on", "display-off": return (.displayOff, false)
        case "back": return (.away, false)
        case "away": return (.away, !notice.text.hasPrefix(Self.droppedAway))
        default: return nil
        }
    }

    /// The beginning of the notice that being away is followed no longer.
    private static let droppedAway = "away: followed no longer"
}

extension Set<JournalState> {
    /// Returns whether that is new.
    mutating func note(_ state: JournalState, _ isOn: Bool) -> Bool {
        isOn ? insert(state).inserted : remove(state) != nil
    }
}

/// What a notice tells of the session: nobody sees anything of the display from now on, or that has an end.
public struct SessionChange {
    /// `away`, `lock` or `display-off`.
    public let state: String
    public let isOn: Bool

    /// nil for any other notice.
    public init?(_ notice: Notice) {
        guard let told = JournalState.told(by: notice) else { return nil }
        (state, isOn) = (told.state.word.description, told.isOn)
    }
}
