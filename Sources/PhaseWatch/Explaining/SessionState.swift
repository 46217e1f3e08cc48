import Glibc
import Scenes
import System

extension DisplayInspector {
    /// Returns the limits in effect, the greatest phase that a scene may have, and every input of the rule.
    func session(
        of desktop: Desktop
    ) throws(MonitorFailure) -> (limits: [Explanation.Limit], cap: ScenePhase, facts: [Fact]) {
        let session = desktop.session
        let limits = desktop.limits(among: SessionLimits(options.hidingStates))
        let lock = limits.contains(.lock) ? try sentence(aboutLock: desktop) : ""
        let ages = observer.ages
        return (
            SessionLimits.named.filter { limits.contains($0.limit) }.map { limit, name in
                let sentence =
                    switch limit {
                    case .away: "away: another virtual terminal is shown"
                    case .lock: lock
                    case .displayOff:
                        "display off\(ages.saver.map { " since \(Self.time($0)) or earlier" } ?? "")"
                            + (session.displayOff.map { ": \($0.text)" } ?? "")
                    default: "idle\(ages.idle.map { " since \(Self.time($0))" } ?? ""): no user input"
                    }
                return Explanation.Limit(name: name, sentence: sentence)
            },
            limits.cap,
            [
                Fact("XFree86_has_VT", session.isAway ? "0" : nil),
                Fact("keyboard grabbed", session.isKeyboardGrabbed.map { $0 ? "yes" : "no" }),
                Fact("_SCREENSAVER_STATUS", session.saver.map { _ in "blank or locked" }),
                Fact("display off", session.displayOff?.text),
                Fact("idle", session.isIdle ? "yes" : nil),
            ]
        )
    }

    /// Only xscreensaver says when it began. Of another locker the time of its start is known.
    private func sentence(aboutLock desktop: Desktop) throws(MonitorFailure) -> String {
        let saver = desktop.session.saver
        var sentence = "locked" + (saver.map { " since \(Self.time(of: Int($0.since)))" } ?? "")
        if let window = desktop.lock?.first {
            let (named, locker) = (desktop.name(of: window), try observer.process(of: window))
            let name = named == window.description ? locker.flatMap(Processes.executable) : named
            let start = saver == nil ? locker.flatMap(Processes.age) : nil
            let facts = [name, start.map { "running since \(Self.time($0))" }].compactMap(\.self)
            sentence += " by \(window)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
        if desktop.session.isKeyboardGrabbed == true { return sentence + ", keyboard grabbed" }
        return sentence
            + (saver != nil ? ", according to _SCREENSAVER_STATUS" : ", the keyboard may be grabbed")
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
