import Glibc

/// The reason why the system failed to perform an operation.
public indirect enum SystemError: Error, Equatable, CustomStringConvertible {
    /// A failed call and the value of errno.
    case call(String, Int32)
    /// A program could not be started. The call is `posix_spawn` if the cause is the program itself.
    case start(SystemString, SystemError)
    /// The disk of the program, of its working directory or of a directory in PATH does not answer.
    case noAnswer
    /// A program or the kernel refuses the operation, for this reason.
    case refused(String)
    case failed(path: SystemString, SystemError)
    /// The file belongs to another user.
    case foreign(path: SystemString)
    /// The mode of the file gives others access.
    case exposed(path: SystemString)
    /// The file is a dangling symbolic link.
    case dangling(path: SystemString)
    /// The file is not a regular file.
    case noFile(path: SystemString)
    /// The file would have more bytes than the limit.
    case tooLarge(path: SystemString, limit: Int)
    case noHome
    /// A directory, or any directory if the path is nil, cannot be watched for changes.
    case unwatched(path: SystemString?, SystemError)

    public init(_ call: String, _ code: Int32) { self = .call(call, code) }

    /// Makes a system call, again if a signal interrupts it, and throws if its result is negative.
    ///
    /// errno is read before anything else is evaluated: an allocation or the release of one may change it.
    @discardableResult
    public static func check<Result: SignedInteger>(
        _ call: String, _ result: @autoclosure () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let value = result()
            if value >= 0 { return value }
            let code = errno
            if code != EINTR { throw SystemError(call, code) }
        }
    }

    /// Makes a system call in the same way. The result is also negative if errno has the tolerated value.
    @discardableResult
    public static func check<Result: SignedInteger>(
        _ call: String, _ result: @autoclosure () -> Result, unless tolerated: Int32
    ) throws(SystemError) -> Result {
        do throws(SystemError) { return try check(call, result()) } catch  where error.code == tolerated {
            return -1
        }
    }

    /// Makes a system call about a file in the same way. The result is also negative if errno has the tolerated value.
    @discardableResult
    public static func check<Result: SignedInteger>(
        _ call: String, _ result: @autoclosure () -> Result, path: @autoclosure () -> SystemString,
        unless tolerated: Int32 = 0
    ) throws(SystemError) -> Result {
        do throws(SystemError) {
            return try check(call, result())
        } catch {
            if error.code == tolerated { return -1 }
            throw .failed(path: path(), error)
        }
    }

    /// The failed call and the value of errno; empty and 0 if no call failed.
    public var cause: (call: String, code: Int32) {
        switch self {
        case .call(let call, let code): (call, code)
        case .start(_, let error), .failed(_, let error), .unwatched(_, let error): error.cause
        default: ("", 0)
        }
    }

    /// The value of errno; 0 if no call failed.
    public var code: Int32 { cause.code }

    /// The meaning of the code, such as `No such file or directory`.
    public var reason: String { Self.text(code) }

    /// Whether the path exists, and another user may change it.
    public var isUntrusted: Bool {
        switch self {
        case .foreign, .exposed: true
        default: false
        }
    }

    /// Whether a limit was reached, or a disk does not answer, so the same program may start later.
    public var isTemporary: Bool {
        if case .start(_, .noAnswer) = self { return true }
        return [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOSPC].contains(code)
    }

    /// Whether the program was started, and killed because it could not be watched. It may have done some of its work.
    public var hasRun: Bool { cause.call == "pidfd_open" }

    public var description: String {
        switch self {
        case .call(_, EMFILE), .call(_, ENFILE): reason
        case .call(let call, let code): "\(call): \(Self.text(code))"
        case .start(let program, let error):
            "cannot \(hasRun ? "watch" : "start") \(program.quotedForShell): \(error.reasonOfStart)"
        case .noAnswer: "its disk, that of HOME, or one in PATH does not answer: see which with df"
        case .refused(let reason): reason
        case .failed(let path, let error) where [EMFILE, ENFILE].contains(error.code):
            "cannot use '\(path)': \(error)"
        case .failed(let path, let error):
            "cannot use '\(path)' (\(error)): \(error.remedyForFile)"
        case .foreign(let path): "'\(path)' belongs to another user: remove it or have it removed"
        case .exposed(let path):
            "'\(path)' is open to others: check that it is unchanged, then chmod go= \(path.quotedForShell)"
        case .dangling(let path): "'\(path)' is a dangling symbolic link: create its target or remove it"
        case .noFile(let path): "'\(path)' is not a regular file: move it away"
        case .tooLarge(let path, let limit):
            "'\(path)' would exceed \(limit) bytes: too many pairs hold at once"
        case .noHome: "HOME is not set: set it, or XDG_STATE_HOME"
        case .unwatched(nil, let error) where error.code == EMFILE:
            "cannot watch files: raise fs.inotify.max_user_instances with sysctl, or 'ulimit -n'"
        case .unwatched(nil, let error):
            "cannot watch files (\(error)): raise fs.inotify.max_user_instances with sysctl"
        case .unwatched(let path?, let error):
            "cannot watch '\(path)' (\(error)): raise fs.inotify.max_user_watches with sysctl"
        }
    }

    private var remedyForFile: String {
        switch code {
        case ENOSPC, EDQUOT: "free some space on its disk"
        case EACCES: "check that it belongs to you and that its mode lets you use it"
        default: "check that it exists and belongs to you"
        }
    }

    private var reasonOfStart: String {
        switch code {
        case EAGAIN:
            "the limit of processes is reached, \(Self.limit(__RLIMIT_NPROC)) for the user "
                + "(raise 'ulimit -u', or TasksMax= of the service)"
        case ENOMEM, ENOSPC: "there is not enough memory (\(self))"
        case ENOEXEC:
            "neither a program for this machine nor a script, which begins with a line like '#!/bin/sh'"
        default: code == 0 ? description : Self.text(code)
        }
    }

    private static func text(_ code: Int32) -> String {
        switch code {
        case EMFILE:
            "xphase has reached its limit of open files, \(limit(RLIMIT_NOFILE)) "
                + "(raise 'ulimit -n', or LimitNOFILE= of the service)"
        case ENFILE: "the system has reached its limit of open files (raise 'sysctl fs.file-max')"
        default: String(cString: strerror(code))
        }
    }

    private static func limit(_ resource: __rlimit_resource) -> String {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max
        else { return "unlimited" }
        return String(limits.rlim_cur)
    }
}
