/// A limit on the phases of all scenes begins or ends.
public enum SessionChange: Hashable, Sendable {
    /// Why a display shows nothing.
    public enum DisplayOff: String, Hashable, Sendable, Codable {
        /// MIT-SCREEN-SAVER is on, and blanks.
        case blanked
        /// MIT-SCREEN-SAVER leaves it to a client, and DPMS has switched the monitor off.
        case poweredDown
        /// XINERAMA knows no monitor.
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
    /// A screen locker, whose name may be unknown, covers the scenes that were visible; there may be none.
    case locked(by: String?, scenes: Int)
    /// The screen locker is gone.
    case unlocked
    /// The display shows nothing.
    case displayOff(DisplayOff)
    /// The display shows something again.
    case displayOn
    /// The user has touched nothing for as long as the option says.
    case idle
    /// The user has touched something again.
    case returned
    /// The options no longer name this state, which may still hold; nil for being idle.
    case dropped(SessionState?)

    /// The state in which nobody sees anything, and whether it counts from now on; nil for what hides nothing.
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

    /// The cause of the changes that it brings about; nil for what is followed no longer.
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
        case .idle: "idle: the user has touched nothing"
        case .returned: "return: the user is back"
        case .dropped(let state): "\(state?.rawValue ?? "idle"): followed no longer, by other options"
        }
    }
}
