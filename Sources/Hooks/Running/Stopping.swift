import Glibc
import PhaseWatch

extension HookRunner {
    /// How long everything together may take at the end.
    private static let patience = Duration.seconds(10)
    /// How much of it is kept for what does not end when it is asked to.
    private static let grace = Duration.seconds(2)

    /// Runs what is owed and waits for all that runs, for at most 10 s. What has not begun by then stays on
    /// record for the next start.
    ///
    /// - Parameter say: Logs one line.
    func stop(say: (String) -> Void) throws(SystemError) {
        loop.forgetDisplayAndOutput()
        update { $0.stop(time: .now()) }
        if isBusy { say("waiting for \(names): at most 10 s, or until the next signal") }
        var end = Clock.now() + Self.patience
        while isBusy {
            let now = Clock.now()
            if now >= end { return close() }
            if now >= end - Self.grace, !isClosed { close() }
            let moment = isClosed ? end : end - Self.grace
            loop.setTimer([next, moment].compactMap(\.self).min())
            switch try loop.wait() {
            case .readable(let descriptor): readable(descriptor)
            case .signal(SIGINT), .signal(SIGTERM): end = min(end, now + (isClosed ? .zero : Self.grace))
            default: wake()
            }
        }
    }
}
