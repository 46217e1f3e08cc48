import Glibc

/// Why a program could not be started.
public struct StartFailure: Error, Equatable, CustomStringConvertible {
    public let program: SystemString
    /// The call that failed; `posix_spawn` for the program itself.
    public let error: SystemError

    /// A limit stood in the way: the same program may start later.
    public var isTemporary: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOSPC].contains(error.code) }

    /// It was started, and killed since it could not be watched: it may have done some of its work.
    public var hasRun: Bool { error.call == "pidfd_open" }

    public var description: String {
        "cannot \(hasRun ? "watch" : "start") \(program.quotedForShell): \(reason)"
    }

    private var reason: String {
        switch error.code {
        case EMFILE:
            "xphase has as many files open as it may, \(Self.limit(RLIMIT_NOFILE)) "
                + "(raise 'ulimit -n', or LimitNOFILE= of the service)"
        case ENFILE: "the system has as many files open as it may (raise 'sysctl fs.file-max')"
        case EAGAIN:
            "there are as many processes as there may be, \(Self.limit(__RLIMIT_NPROC)) for the user "
                + "(raise 'ulimit -u', or TasksMax= of the service)"
        case ENOMEM, ENOSPC: "there is no memory for it (\(error.call): \(Self.text(error.code)))"
        case ENOEXEC:
            "neither a program for this machine nor a script, which begins with a line like '#!/bin/sh'"
        default: Self.text(error.code)
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func limit(_ resource: __rlimit_resource) -> String {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max
        else { return "unlimited" }
        return String(limits.rlim_cur)
    }
}
