import Glibc

/// A thread that is never joined.
public enum DetachedThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// The signals of the thread's own faults, which must end the process as usual.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]

    /// Starts a thread that handles no signals. SIGPIPE from a write to a dead server does not end the process either.
    public static func start(_ run: sending @escaping () -> Void) throws(SystemError) {
        let body = Unmanaged.passRetained(Body(run))
        var (thread, mask, old) = (pthread_t(), sigset_t(), sigset_t())
        // A thread inherits the signal mask of its creator.
        sigfillset(&mask)
        for signal in faults { sigdelset(&mask, signal) }
        pthread_sigmask(SIG_SETMASK, &mask, &old)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        pthread_sigmask(SIG_SETMASK, &old, nil)
        guard code == 0 else {
            body.release()
            throw SystemError("pthread_create", code)
        }
        pthread_detach(thread)
    }
}
