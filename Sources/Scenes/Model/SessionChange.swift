/// The start or end of a limit on the phases of all scenes.
public enum SessionChange: Hashable, Sendable {
    /// The reason why a display shows nothing.
    public enum DisplayOff: String, Hashable, Sendable, Codable {
        /// MIT-SCREEN-SAVER is on and blanks the screen.
        case blanked
        /// MIT-SCREEN-SAVER leaves the screen to a client, and DPMS has switched the monitor off.
        case poweredDown
        /// XINERAMA lists no monitor.
        case noMonitor

        package var text: String {
            switch self {
            case .blanked: "the screen saver blanked it"
            case .poweredDown: "it was powered down"
            case .noMonitor: "no monitor is on"
            }
        }
    }

    /// Another virtual terminal is shown.
    case away
    /// This display is shown again.
    case back
    /// A screen locker covers the visible scenes: its name, if known, and their number, which may be 0.
    case locked(by: String?, scenes: Int)
    /// The screen locker is gone.
    case unlocked
    /// The display shows nothing.
    case displayOff(DisplayOff)
    /// The display shows something again.
    case displayOn
    /// The user has been idle for the time in the options.
    case idle
    /// The user is no longer idle.
    case returned
    /// The options no longer name this state, which may still hold; nil stands for idleness.
    case dropped(SessionState?)

    /// The session state that changed, and whether it counts from now on; nil for changes of idleness.
    public var hiding: (state: SessionState, isOn: Bool)? {
        switch self {
        case .away: (.away, true)
        case .back: (.away, false)
        case .locked: (.lock, true)
        case .unlocked: (.lock, false)
        case .displayOff: (.displayOff, true)
        case .displayOn: (.displayOff, false)
        case .dropped(let state?): (state, false)
        case .idle, .returned, .dropped(nil): nil
        }
    }

    /// The cause of the phase changes that follow; nil for a state that is no longer followed.
    public var cause: Cause? {
        switch self {
        case .away: .away
        case .back: .back
        case .locked: .lock
        case .unlocked: .unlock
        case .displayOff: .displayOff
        case .displayOn: .displayOn
        case .idle: .idle
        case .returned: .return
        case .dropped: nil
        }
    }

    /// A sentence for people.
    public var text: String {
        switch self {
        case .away: "away: another virtual terminal is shown"
        case .back: "back: this display is shown again"
        case .locked(let holder, let count):
            "locked: a window\(holder.map { " of \($0)" } ?? "") covers "
                + (count == 0
                    ? "the screen" : count == 1 ? "the visible scene" : "all \(count) visible scenes")
        case .unlocked: "unlocked"
        case .displayOff(let reason): "display off: \(reason.text)"
        case .displayOn: "display on"
        case .idle: "idle: no user input"
        case .returned: "return: the user is back"
        case .dropped(let state): "\(state?.rawValue ?? "idle"): no longer followed: the options changed"
        }
    }
}
