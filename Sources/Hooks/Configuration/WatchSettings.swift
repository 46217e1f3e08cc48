import PhaseWatch

/// The rules for phases in a configuration or on a command line; nil for omitted ones.
public struct WatchSettings: Hashable, Sendable {
    /// A time limit that can be disabled.
    public enum Limit: Hashable, Sendable {
        case none
        case after(Duration)

        /// Parses `none` or a duration; returns nil for anything else.
        public init?(text: String) {
            if text == "none" {
                self = .none
            } else if let duration = Duration(text: text) {
                self = .after(duration)
            } else {
                return nil
            }
        }

        fileprivate var duration: Duration? { if case .after(let duration) = self { duration } else { nil } }
    }

    public var policy: PhasePolicy?
    public var settle: Duration?
    public var session: Set<SessionState>?
    public var occlusion: Limit?
    public var idle: Limit?

    public init() {}

    /// Returns these settings, overridden by those that `other` has.
    public func overridden(by other: WatchSettings) -> WatchSettings {
        var both = self
        both.policy = other.policy ?? policy
        both.settle = other.settle ?? settle
        both.session = other.session ?? session
        both.occlusion = other.occlusion ?? occlusion
        both.idle = other.idle ?? idle
        return both
    }

    /// The options of a watch, with defaults for omitted settings.
    public var options: PhaseMonitor.Options {
        var options = PhaseMonitor.Options()
        options.policy = policy ?? options.policy
        options.settle = settle ?? options.settle
        options.hidingStates = session ?? options.hidingStates
        if let occlusion { options.occlusion = occlusion.duration }
        if let idle { options.idle = idle.duration }
        return options
    }
}
