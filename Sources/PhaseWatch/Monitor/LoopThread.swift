import Glibc
import System

/// A thread of its own for a loop that sleeps in poll(2).
enum LoopThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) {
            self.run = run
        }
    }

    /// Signals of the thread's own faults: they must end the process as usual.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]

    /// Starts a thread that nobody waits for. No signal is handled on it, and none that it causes by writing to
    /// a server that is gone ends the process.
    ///
    /// - Throws: `SystemError`.
    static func start(_ run: sending @escaping () -> Void) throws(SystemError) {
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = withSignalsBlocked {
            pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, body.toOpaque())
        }
        guard code == 0 else {
            body.release()
            throw SystemError("pthread_create", code)
        }
        pthread_detach(thread)
    }

    /// A thread inherits the mask of the one that starts it.
    private static func withSignalsBlocked(_ start: () -> Int32) -> Int32 {
        var mask = sigset_t()
        var old = sigset_t()
        sigfillset(&mask)
        for signal in faults { sigdelset(&mask, signal) }
        pthread_sigmask(SIG_SETMASK, &mask, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        return start()
    }
}

/// A way to end a loop from another thread: a descriptor that hangs up.
struct StopSignal: Sendable {
    private let end: Descriptor
    private let otherEnd: Descriptor

    /// - Throws: `SystemError`.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        _ = socketpair(AF_UNIX, kind, 0, &ends)
        end = try Descriptor("socketpair", ends[0])
        otherEnd = try Descriptor("socketpair", ends[1])
    }

    var descriptor: Int32 { end.number }

    /// Unlike closing a pipe, it works although a child process has the descriptor, too.
    func hangUp() {
        shutdown(end.number, Int32(SHUT_RDWR))
    }
}
