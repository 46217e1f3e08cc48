import Glibc
import Scenes
import System
import X11

extension DisplayInspector {
    /// Returns the limits in effect, and the greatest phase that a scene may have.
    func limits(of desktop: Desktop) throws(MonitorFailure) -> (limits: [Fact], cap: ScenePhase) {
        let limits = desktop.limits(among: Set(options.hidingStates))
        let (idle, saver) = (observer.session.idleAge, observer.session.saverAge)
        let lock = limits.contains(.lock) ? try sentence(aboutLock: desktop) : ""
        let all = SessionLimit.allCases.filter(limits.contains).map { limit in
            let sentence =
                switch limit {
                case .away: "away: another virtual terminal is shown"
                case .lock: lock
                case .displayOff:
                    "display off\(saver.map { " since \(Self.time($0)) or earlier" } ?? "")"
                        + (desktop.session.displayOff.map { ": \($0.text)" } ?? "")
                case .idle: "idle\(idle.map { " since \(Self.time($0))" } ?? ""): no user input"
                }
            return Fact(limit.rawValue, sentence)
        }
        return (all, limits.cap)
    }

    /// Only xscreensaver says when it began. Of another locker the time of its start is known.
    private func sentence(aboutLock desktop: Desktop) throws(MonitorFailure) -> String {
        let (saver, isGrabbed) = (desktop.session.saverSince, desktop.session.isKeyboardGrabbed == true)
        var sentence = "locked" + (saver.map { " since \(Self.time(of: Int($0)))" } ?? "")
        if let window = desktop.lock?.first {
            let (named, pid) = (desktop.name(of: window), try observer.process(of: window))
            let name = named == window.description ? pid.flatMap(LocalHost.executable) : named
            let locker = saver == nil ? pid.flatMap { ProcessIdentity(pid: $0) } : nil
            let start = locker.map { Self.time((Clock.sinceBoot() - $0.started).milliseconds) }
            let facts = [name, start.map { "running since \($0)" }].compactMap(\.self)
            sentence += " by \(window)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
        return sentence + ", "
            + (isGrabbed
                ? "keyboard grabbed"
                : saver != nil ? "according to _SCREENSAVER_STATUS" : "the keyboard may be grabbed")
    }

    /// - Parameter age: Milliseconds before now.
    private static func time(_ age: Int64) -> String { time(of: (.now() + .milliseconds(-age)).seconds) }

    /// Returns hours, minutes and seconds in the time zone of the process.
    private static func time(of seconds: Int) -> String {
        var (seconds, fields) = (time_t(seconds), tm())
        localtime_r(&seconds, &fields)
        return [fields.tm_hour, fields.tm_min, fields.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
