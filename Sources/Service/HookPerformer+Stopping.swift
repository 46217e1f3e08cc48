import Glibc
import Hooks
import System

extension HookPerformer {
    /// How long the end may take in all.
    private static let patience = Duration.seconds(10)
    /// The last part of that time, in which programs get TERM and, 2 s later, KILL.
    private static let grace = Duration.milliseconds(2500)
    /// The last part of it, in which killed programs end.
    private static let last = Duration.milliseconds(500)

    /// Runs every `leave` that is owed, and waits for all programs, for at most 10 s. A `leave` that has not begun by then
    /// stays in the record for the next start.
    ///
    /// - Parameter isAsked: A signal has ended the watch, so that another one means haste. Where the X server has gone, the
    ///   service manager's signal follows by itself.
    func stop(isAsked: Bool) throws(SystemError) {
        var isAsked = isAsked
        loop.forgetDisplayAndOutput()
        take(.stop)
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
                // On a busy machine it wakes up late: what it kills only now has no time left to end.
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
