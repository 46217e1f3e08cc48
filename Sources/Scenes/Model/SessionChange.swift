/// The start or end of a limit on the phases of all scenes.
public struct SessionChange: Hashable, Sendable {
    /// The reason why a display shows nothing.
    package enum DisplayOff: String, Hashable, Sendable, Codable {
        /// MIT-SCREEN-SAVER is on and blanks the screen.
        case blanked
        /// MIT-SCREEN-SAVER leaves the screen to a client, and DPMS has switched the monitor off.
        case poweredDown
        /// RandR lists no monitor.
        case noMonitor

        package var text: String {
            switch self {
            case .blanked: "the screen saver blanked it"
            case .poweredDown: "it was powered down"
            case .noMonitor: "no monitor is on"
            }
        }
    }

    /// The cause of the phase changes that follow; nil for a state that is no longer followed.
    public let cause: Cause?
    /// nil for idleness.
    private let state: SessionState?
    /// A sentence for people.
    public let text: String

    private init(_ cause: Cause?, _ state: SessionState?, _ text: String) {
        (self.cause, self.state, self.text) = (cause, state, text)
    }

    package static let away = Self(.away, .away, "away: another virtual terminal is shown")
    package static let back = Self(.back, .away, "back: this display is shown again")
    /// A screen locker covers the visible scenes: its name, if known, and their number, which may be 0.
    package static func locked(by holder: String?, scenes count: Int) -> Self {
        let scenes = count == 1 ? "the visible scene" : "all \(count) visible scenes"
        let covered = count == 0 ? "the screen" : scenes
        return Self(.lock, .lock, "locked: a window\(holder.map { " of \($0)" } ?? "") covers \(covered)")
    }
    /// A screen saver reports on the session bus that it is active.
    package static func locked(bySaver name: String) -> Self {
        Self(.lock, .lock, "locked: \(name) reports it on the session bus")
    }
    package static let unlocked = Self(.unlock, .lock, "unlocked")
    package static func displayOff(_ reason: DisplayOff) -> Self {
        Self(.displayOff, .displayOff, "display off: \(reason.text)")
    }
    package static let displayOn = Self(.displayOn, .displayOff, "display on")
    /// The user has been idle for the time in the options.
    package static let idle = Self(.idle, nil, "idle: no user input")
    package static let returned = Self(.return, nil, "return: the user is back")
    /// The options no longer name this state, which may still hold; nil stands for idleness.
    package static func dropped(_ state: SessionState?) -> Self {
        Self(nil, state, "\(state?.rawValue ?? "idle"): no longer followed: the options changed")
    }

    /// The begin and the end of each limit, without a reason.
    package static let plain = [
        away, back, locked(by: nil, scenes: 0), unlocked, displayOff(.blanked), displayOn, idle, returned,
    ]

    /// What depends on the limit ends, although it still holds.
    package static func abandoned(_ limit: SessionLimit) -> Self {
        Self(.resync, SessionState(rawValue: limit.rawValue), "\(limit.rawValue): it still holds")
    }

    package var limit: SessionLimit { state.flatMap { SessionLimit(rawValue: $0.rawValue) } ?? .idle }

    /// Whether the limit counts from now on.
    package var begins: Bool { [.away, .lock, .displayOff, .idle].contains(cause) }

    /// The session state that changed, and whether it counts from now on; nil for changes of idleness.
    package var hiding: (state: SessionState, isOn: Bool)? { state.map { ($0, begins) } }
}
