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
        case over(Result<Process, SystemError>)
    }

    /// A process, which its parent must reap after its end.
    public struct Process: Sendable {
        public let pid: pid_t
        /// Readable once it has ended.
        public var exit: Descriptor

        public init(_ pid: pid_t) throws(SystemError) {
            self.pid = pid
            exit = try Descriptor("pidfd_open", pidfd_open(pid, 0))
        }
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
    ///   - watch: Opens the pidfd of the process. If it throws, the process is killed.
    /// - Throws: `SystemError` if no thread can be started.
    public init(
        on threads: SeparateThreads, _ arguments: [SystemString],
        environment: @escaping @Sendable () throws(SystemError) -> [SystemString],
        descriptors: [Descriptor], directory: SystemString,
        watch: @escaping @Sendable (pid_t) throws(SystemError) -> Process = Process.init
    ) throws(SystemError) {
        let (reading, writing) = try Descriptor.pipe()
        end = reading
        self.descriptors = Mutex(descriptors)
        try threads.run { [self] in
            var killed: pid_t?
            func end(_ pid: pid_t) {
                kill(-pid, SIGKILL)
                killed = pid
            }
            guard proceed(to: .starting(gettid())) else { return }
            let result = Result { () throws(SystemError) in
                let variables = try environment()
                // It may have waited for a disk.
                guard proceed(to: .starting(gettid())) else { throw SystemError.noAnswer }
                let pid = try Spawn.start(
                    arguments, environment: variables,
                    descriptors: self.descriptors.withLock { exchange(&$0, with: []) }, directory: directory)
                do throws(SystemError) {
                    return try watch(pid)
                } catch {
                    end(pid)
                    throw error
                }
            }
            if !proceed(to: .over(result)), case .success(let process) = result { end(process.pid) }
            write(writing.number, [0], 1)
            // The thread waits, since a process that waits for a disk does not end.
            if let killed { _ = try? SystemError.check("waitpid", waitpid(killed, nil, 0)) }
        }
    }

    /// - Returns: false if the start is abandoned.
    private func proceed(to next: State) -> Bool {
        state.withLock { state in
            if case .abandoned = state { return false }
            state = next
            return true
        }
    }

    /// The process, or why it does not run; nil until the start is over.
    public var result: Result<Process, SystemError>? {
        state.withLock { if case .over(let result) = $0 { result } else { nil } }
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
}
