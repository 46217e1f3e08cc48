import Glibc
import Loop
import Scenes

extension Explanation {
    /// What holds of the session now, and so limits the phase of every scene.
    public struct Limit: Sendable {
        /// `away`, `lock`, `display-off` or `idle`.
        public let name: String
        /// What is known of it: `locked since 12:03:41 by 0x800003 (i3lock), keyboard grabbed`, say.
        public let sentence: String
    }
}

/// The limits that hold on a desktop, and since when, as far as that is known.
struct SessionExplanation {
    private let desktop: Desktop
    private let limits: SessionLimits
    /// When each limit was found to hold, on the clock on the wall.
    private let since: (SessionLimits) -> Timestamp?

    /// - Parameter tracker: What watches the desktop, and may have done so for a while.
    init(of desktop: Desktop, watchedBy tracker: SceneTracker) {
        self.desktop = desktop
        limits = desktop.limits(among: tracker.wantedLimits)
        since = { limit in
            if limit == .lock, let saver = desktop.session.saver {
                return Timestamp(seconds: Int(saver.since), nanoseconds: 0)
            }
            guard let start = tracker.start(of: limit) else { return nil }
            let now = Timestamp.now()
            return Timestamp(
                seconds: now.seconds - Int((Clock.nanoseconds() - start) / 1_000_000_000), nanoseconds: 0)
        }
    }

    /// The greatest phase that a scene may have.
    var cap: ScenePhase { limits.cap }

    /// What holds, first what names the phase.
    var all: [Explanation.Limit] {
        SessionLimits.named.filter { limits.contains($0.limit) }.map {
            Explanation.Limit(name: $0.name, sentence: sentence(for: $0.limit))
        }
    }

    private func sentence(for limit: SessionLimits) -> String {
        let time = since(limit).flatMap(Self.time).map { " since \($0)" } ?? ""
        return switch limit {
        case .away: "away\(time): another virtual terminal is shown"
        case .lock: "locked\(time)\(holder), \(keyboard)"
        case .displayOff: "display off\(time): \(desktop.displayOffText)"
        default: "idle\(time): the user has touched nothing"
        }
    }

    private var holder: String {
        guard let window = desktop.lock?.windows.first else { return "" }
        let name = desktop.name(of: window)
        return " by \(window)" + (name == window.description ? "" : " (\(name))")
    }

    private var keyboard: String {
        if desktop.session.isKeyboardGrabbed == true { return "keyboard grabbed" }
        return desktop.session.saver != nil ? "says _SCREENSAVER_STATUS" : "keyboard not known to be free"
    }

    /// Every input of the rule that belongs to the session.
    var facts: [Fact] {
        let session = desktop.session
        return [
            Fact("XFree86_has_VT", session.isAway ? "0" : nil),
            Fact("keyboard grabbed", session.isKeyboardGrabbed.map { $0 ? "yes" : "no" }),
            Fact("_SCREENSAVER_STATUS", session.saver.map { _ in "blank or locked" }),
            Fact("display off", session.isDisplayOff ? desktop.displayOffText : nil),
            Fact("idle", session.isIdle ? "yes" : nil),
        ]
    }

    /// Hours, minutes and seconds in the time zone of the process.
    private static func time(_ moment: Timestamp) -> String? {
        var (seconds, fields) = (time_t(moment.seconds), tm())
        guard localtime_r(&seconds, &fields) != nil else { return nil }
        return [fields.tm_hour, fields.tm_min, fields.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
