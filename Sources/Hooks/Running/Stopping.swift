import Glibc
import Loop
import PhaseWatch

extension HookRunner {
    /// How long everything together may take at the end.
    private static let patience = Duration.seconds(10)
    /// How much of it is kept for what does not end when it is asked to: that takes 2 s until it is killed.
    private static let grace = Duration.milliseconds(2500)
    /// How much of it is kept to see what was killed end.
    private static let last = Duration.milliseconds(500)

    /// Runs what is owed and waits for all that runs, for at most 10 s. What has not begun by then stays on
    /// record for the next start.
    func stop() throws(SystemError) {
        defer { owed.close() }
        loop.forgetDisplayAndOutput()
        giveUpUnrecorded()
        update { $0.stop(time: .now()) }
        if isBusy {
            let awaited = runs.isEmpty ? "hooks that cannot start yet" : names
            surroundings.say("waiting for \(awaited): at most 10 s, or until the next signal")
        }
        var end = Clock.now() + Self.patience
        while isBusy {
            let now = Clock.now()
            if now >= end { return close() }
            if now >= end - Self.grace, !isClosed { close() }
            let moment = isClosed ? end : end - Self.grace
            if try turn(until: moment) {
                end = min(end, now + (isClosed ? Self.last : Self.grace))
                if isClosed { close() }
            }
        }
    }
}
