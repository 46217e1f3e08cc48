import Glibc
import TestDesktop

/// Stops a window manager for 45 of every 50 ms.
final class ManagerThrottle {
    private let stopper: Program
    private let pid: pid_t

    init(_ pid: pid_t) throws {
        self.pid = pid
        stopper = try Program(
            "perl",
            [
                "-e",
                "while (kill 'STOP', $ARGV[0]) { select undef, undef, undef, 0.045; "
                    + "kill 'CONT', $ARGV[0]; select undef, undef, undef, 0.005 }",
                String(pid),
            ], package: "perl-base")
    }

    deinit {
        stopper.send(SIGKILL)
        kill(pid, SIGCONT)
    }
}
