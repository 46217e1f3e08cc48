import Glibc
import Hooks
import System

extension HookPerformer {
    /// The time limit of the stop.
    private static let patience = Duration.seconds(10)
    /// The last part of that time, in which programs receive TERM and, 2 s later, KILL.
    private static let grace = Duration.milliseconds(2500)
    /// The last part of the grace period, in which killed programs end.
    private static let last = Duration.milliseconds(500)

    /// Runs every owed `leave`, and waits for all programs, for at most 10 s. A `leave` that has not begun by then
    /// stays in the record for the next start.
    ///
    /// - Parameter isAsked: Whether a signal has ended the watch. If so, the next signal shortens the stop. Otherwise
    ///   the second signal does: after a loss of the X server, the service manager sends one anyway.
    func stop(isAsked: Bool) throws(SystemError) {
        var isAsked = isAsked
        loop.forgetDisplayAndOutput()
        take(.stop)
        giveUpQuestions()
        takeAnswers()
        if !hasOnlyDisk {
            let awaited = names.isEmpty ? "hooks that cannot start yet" : names
            context.say(
                "waiting for \(awaited): at most 10 s, or until the \(isAsked ? "next" : "second") signal")
        }
        var end = Clock.now() + Self.patience
        var isLast = false
        while isBusy {
            let now = Clock.now()
            if now >= end {
                close()
                if isLast { return }
                // On a busy machine the loop wakes late. Programs that are killed only now need time to end.
                (isLast, end) = (true, now + Self.last)
            }
            if now >= end - Self.grace, !engine.isClosed { close() }
            let moment = engine.isClosed ? end : end - Self.grace
            guard try turn(until: moment) else { continue }
            if isAsked {
                end = min(end, now + (engine.isClosed ? Self.last : Self.grace))
                if engine.isClosed { close() }
            }
            isAsked = true
        }
    }
}
