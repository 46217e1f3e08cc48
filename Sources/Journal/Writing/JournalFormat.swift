import Console
import PhaseWatch
import System

/// A writer of the lines of a journal.
struct JournalFormat {
    /// The version in the `start` of a run. Readers skip the lines of runs with a newer version.
    static let version = 1

    let run: Int
    let time: Timestamp
    /// The time of CLOCK_MONOTONIC.
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

    func session(_ state: SessionState, isOn: Bool) -> [UInt8] {
        var line = line("session")
        line.add("state", state.rawValue)
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

extension Set<SessionState> {
    /// Applies a change of the session.
    ///
    /// - Returns: The state that begins or ends; nil if none does.
    mutating func note(_ change: SessionChange) -> (state: SessionState, isOn: Bool)? {
        guard let hiding = change.hiding else { return nil }
        let isNew = hiding.isOn ? insert(hiding.state).inserted : remove(hiding.state) != nil
        return isNew ? hiding : nil
    }
}
