import CLinux
import Glibc
import Synchronization

/// The start of a program on a thread of its own. The program, its working directory and the directories of PATH may be on
/// a disk that does not answer, and posix_spawn(3) waits for it.
public final class ProgramStart: Sendable {
    private enum State {
        /// The number of the thread.
        case starting(pid_t?)
        case abandoned
        case over(Result<pid_t, SystemError>)
    }

    private let state = Mutex(State.starting(nil))
    /// Those of the program, until the start.
    private let descriptors: Mutex<[Descriptor]>
    /// Readable once the start is over.
    public let end: Descriptor

    /// - Parameters:
    ///   - threads: What runs the thread.
    ///   - environment: Returns entries of the form NAME=VALUE, on the thread. If it throws, the program is not started.
    ///   - descriptors: As for `Spawn.start`.
    /// - Throws: `SystemError` if no thread can be started.
    public init(
        on threads: SeparateThreads, _ arguments: [SystemString],
        environment: @escaping @Sendable () throws(SystemError) -> [SystemString],
        descriptors: [Descriptor], directory: SystemString
    ) throws(SystemError) {
        let (reading, writing) = try Descriptor.pipe()
        end = reading
        self.descriptors = Mutex(descriptors)
        try threads.run { [self] in
            run { () throws(SystemError) in
                let variables = try environment()
                // It may have waited for a disk.
                guard isWanted else { throw .noAnswer }
                return try Spawn.start(
                    arguments, environment: variables, descriptors: takeDescriptors(), directory: directory)
            }
            // The end of the thread closes it.
            withExtendedLifetime(writing) {}
        }
    }

    private var isWanted: Bool { state.withLock { if case .starting = $0 { true } else { false } } }

    private func run(_ start: () throws(SystemError) -> pid_t) {
        let isAbandonedYet = state.withLock { state in
            if case .abandoned = state { return true }
            state = .starting(gettid())
            return false
        }
        if isAbandonedYet { return }
        let result = Result { () throws(SystemError) in try start() }
        let isAbandoned = state.withLock { state in
            if case .abandoned = state { return true }
            state = .over(result)
            return false
        }
        if isAbandoned, case .success(let pid) = result { Self.endChild(pid) }
    }

    private func takeDescriptors() -> [Descriptor] {
        descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
    }

    /// Returns the pid once the start is over; nil before.
    public func pid() throws(SystemError) -> pid_t? {
        let result: Result<pid_t, SystemError>? = state.withLock {
            if case .over(let result) = $0 { result } else { nil }
        }
        return try result?.get()
    }

    /// Gives up a start that is not over: the program does not run, even if the disk answers later.
    ///
    /// - Returns: false if the start is over.
    public func abandon() -> Bool {
        let thread: pid_t?? = state.withLock { state in
            guard case .starting(let thread) = state else { return nil }
            state = .abandoned
            return .some(thread)
        }
        guard let thread else { return false }
        // The child waits for the disk, and the thread for the child.
        let children = thread.flatMap { SystemString("/proc/self/task/\($0)/children").contents() } ?? ""
        for child in children.split(separator: " ") {
            if let pid = pid_t(child), pid > 1 { kill(pid, SIGKILL) }
        }
        return true
    }

    private static func endChild(_ pid: pid_t) {
        kill(-pid, SIGKILL)
        _ = try? SystemError.check("waitpid", waitpid(pid, nil, 0))
    }
}
