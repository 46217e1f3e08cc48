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
        // When they get TERM, when KILL, and when even that has not helped.
        var moments = [Self.patience - Self.grace, Self.patience, Self.patience + Self.grace]
            .map { Clock.now() + $0 }[...]
        while isBusy, let moment = moments.first {
            if moment <= Clock.now() {
                moments.removeFirst()
                close()
                continue
            }
            loop.setTimer([next, moment].compactMap(\.self).min())
            switch try loop.wait() {
            case .readable(let descriptor): readable(descriptor)
            case .signal(SIGINT), .signal(SIGTERM): hurry(&moments)
            default: wake()
            }
        }
    }

    /// Whoever asks again wants the next step now.
    private func hurry(_ moments: inout ArraySlice<Duration>) {
        guard let moment = moments.first else { return }
        let early = moment - Clock.now()
        for index in moments.indices { moments[index] -= early }
    }
}
