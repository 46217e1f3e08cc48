import Console
import PhaseWatch

extension LoadedHooks {
    /// Returns warnings about causes of hooks that cannot occur under the options.
    ///
    /// - Parameter overrides: The settings of the command line.
    public func hints(_ overrides: WatchSettings = WatchSettings()) -> [String] {
        let options = configuration.watch.overridden(by: overrides).options
        return configuration.hooks.flatMap { hook in
            let silent = hook.condition.cause.compactMap { cause in
                cause.lack(in: options).map { (cause, $0) }
            }
            return silent.sorted { $0.0.rawValue < $1.0.rawValue }.map { cause, lack in
                "hook \(hook.name.quoted): cause: '\(cause.rawValue)' is never reported, since \(lack)"
            }
        }
    }
}

extension Cause {
    /// Returns why this cause cannot occur under the options, and what to do about it; nil if it can occur.
    fileprivate func lack(in options: PhaseMonitor.Options) -> String? {
        func session(_ state: SessionState) -> String? {
            options.hidingStates.contains(state)
                ? nil : "session has no '\(state.rawValue)': add it there, above the hooks"
        }
        return switch self {
        case .away, .back: session(.away)
        case .lock, .unlock: session(.lock)
        case .displayOff, .displayOn: session(.displayOff)
        case .covered, .uncovered:
            options.occlusion == nil ? "occlusion is off: write occlusion = \"2s\" above the hooks" : nil
        case .idle, .return: options.idle == nil ? "idle is off: write idle = \"5m\" above the hooks" : nil
        default: nil
        }
    }
}
