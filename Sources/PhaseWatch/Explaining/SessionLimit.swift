import Glibc
import Scenes
import System
import X11

extension Explanation {
    /// A state of the session that limits the phase of every scene.
    package struct Limit: Sendable {
        /// `away`, `lock`, `display-off` or `idle`.
        package let name: String
        /// The known details, such as `locked since 12:03:41 by 0x800003 (i3lock), keyboard grabbed`.
        package let sentence: String
    }
}

/// The limits in effect on a desktop, and their start times where these are known.
struct SessionExplanation {
    private let desktop: Desktop
    let limits: SessionLimits
    private let tracker: SceneTracker
    private let ages: SessionAges
    private let locker: Int32?

    /// - Parameters:
    ///   - tracker: The tracker of the desktop, which may have watched it for a while.
    ///   - ages: The times that the X server reports now.
    ///   - locker: The process that locks the screen.
    init(of desktop: Desktop, watchedBy tracker: SceneTracker, ages: SessionAges, locker: Int32?) {
        self.desktop = desktop
        (self.tracker, self.ages, self.locker) = (tracker, ages, locker)
        limits = desktop.limits(among: tracker.session.wanted)
    }

    /// The limits in effect. The first one determines the phase.
    var all: [Explanation.Limit] {
        SessionLimits.named.filter { limits.contains($0.limit) }.map {
            Explanation.Limit(name: $0.name, sentence: sentence(for: $0.limit))
        }
    }

    private func sentence(for limit: SessionLimits) -> String {
        let since = since(limit)
        return switch limit {
        case .away: "away\(since): another virtual terminal is shown"
        case .lock: "locked\(since)\(holder(hasStart: !since.isEmpty)), \(keyboard)"
        case .displayOff: "display off\(since)\(desktop.session.displayOff.map { ": \($0.text)" } ?? "")"
        default: "idle\(since): no user input"
        }
    }

    /// Returns when a limit began, such as ` since 12:03:41`; empty if neither the tracker nor the server knows.
    private func since(_ limit: SessionLimits) -> String {
        if limit == .idle { return ages.idle.map { " since \(Self.time($0))" } ?? "" }
        if limit == .lock, let saver = desktop.session.saver {
            return " since \(Self.time(Timestamp(seconds: Int(saver.since), nanoseconds: 0)))"
        }
        if let start = tracker.session.start(of: limit) {
            return " since \(Self.time((Clock.nanoseconds() - start) / 1_000_000))"
        }
        guard limit == .displayOff, let age = ages.saver else { return "" }
        return " since \(Self.time(age)) or earlier"
    }

    /// - Parameter hasStart: Whether the time of the lock is known. If not, the start time of the locker is added.
    private func holder(hasStart: Bool) -> String {
        guard let window = desktop.lock?.windows.first else { return "" }
        let named = desktop.name(of: window)
        let name = named == window.description ? locker.flatMap(Processes.executable) : named
        let start = hasStart ? nil : locker.flatMap(Processes.age).map { "running since \(Self.time($0))" }
        let facts = [name, start].compactMap(\.self)
        return " by \(window)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    private var keyboard: String {
        if desktop.session.isKeyboardGrabbed == true { return "keyboard grabbed" }
        return desktop.session.saver != nil
            ? "according to _SCREENSAVER_STATUS" : "the keyboard may be grabbed"
    }

    /// Every input of the rule for the session.
    var facts: [Fact] {
        let session = desktop.session
        return [
            Fact("XFree86_has_VT", session.isAway ? "0" : nil),
            Fact("keyboard grabbed", session.isKeyboardGrabbed.map { $0 ? "yes" : "no" }),
            Fact("_SCREENSAVER_STATUS", session.saver.map { _ in "blank or locked" }),
            Fact("display off", session.displayOff?.text),
            Fact("idle", session.isIdle ? "yes" : nil),
        ]
    }

    /// - Parameter age: Milliseconds before now.
    private static func time(_ age: Int64) -> String {
        let now = Timestamp.now()
        let milliseconds = Int64(now.seconds) * 1000 + Int64(now.nanoseconds) / 1_000_000 - age
        return time(Timestamp(seconds: Int(milliseconds / 1000), nanoseconds: 0))
    }

    /// Returns hours, minutes and seconds in the time zone of the process.
    private static func time(_ moment: Timestamp) -> String {
        var (seconds, fields) = (time_t(moment.seconds), tm())
        localtime_r(&seconds, &fields)
        return [fields.tm_hour, fields.tm_min, fields.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
