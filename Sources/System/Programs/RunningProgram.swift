import CLinux
import Glibc

/// A program started by this or an earlier xphase, with its output and its time limit.
///
/// The program is not reaped before its process group has received its last signal: until then, no other group can get
/// the same number.
public final class RunningProgram {
    public enum Stage {
        case running
        /// Its process group has received TERM and gets KILL next, even if the program itself has ended by then.
        case terminated
        case killed
    }

    /// How the program ended.
    public enum Ending: Equatable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        case timedOut
        /// It was ended because it was no longer needed.
        case stopped
    }

    /// The time between TERM and KILL.
    private static let grace = Duration.seconds(2)

    /// Readable once the process has ended; after TERM, once the awaited process of its group has ended.
    public private(set) var exit: Descriptor
    /// Whether the process itself has ended; others of its group may still live.
    public private(set) var hasEnded = false
    /// The pipe of its stdout and stderr; nil if an earlier xphase started it.
    public let output: Descriptor?
    public let started: Duration
    private let pid: pid_t
    /// The process if an earlier xphase started it; nil for a child of this process.
    private let followed: ProcessIdentity?
    public private(set) var stage = Stage.running
    /// Whether it was ended because of its time limit.
    private var hasTimedOut = false
    /// When its process group gets the next signal; nil after the last one.
    public private(set) var deadline: Duration?

    /// - Parameter input: The contents of its stdin.
    public init(
        _ arguments: [SystemString], environment: [SystemString], input: [UInt8], directory: SystemString,
        timeout: Duration?, at now: Duration
    ) throws(SystemError) {
        do throws(SystemError) {
            (pid, output) = try Self.spawn(arguments, environment, input: input, directory: directory)
            // Two descriptors were just closed, so this fails only if the whole system has too many.
            do throws(SystemError) {
                exit = try Descriptor("pidfd_open", pidfd_open(pid, 0))
            } catch {
                // A process that cannot be watched.
                kill(-pid, SIGKILL)
                while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
                throw error
            }
        } catch {
            throw .start(arguments.first ?? "", error)
        }
        followed = nil
        started = now
        deadline = timeout.map { now + $0 }
    }

    /// Follows a program that an earlier xphase started; nil if it has ended. Its time limit counts from its start.
    public init?(following process: ProcessIdentity, timeout: Duration, at now: Duration) {
        // Opens the descriptor first: it refers to one process, even if the pid is reused.
        guard process.pid > 1, let exit = try? Descriptor("pidfd_open", pidfd_open(process.pid, 0)),
            process.isAlive
        else { return nil }
        let age = max(.zero, Clock.sinceBoot() - process.started)
        (self.exit, pid, output, followed) = (exit, process.pid, nil, process)
        started = now - age
        deadline = now + max(.zero, timeout - age)
    }

    /// The identity by which the next xphase finds the process.
    public var identity: ProcessIdentity? { followed ?? ProcessIdentity(pid: pid) }

    private static func spawn(
        _ arguments: [SystemString], _ environment: [SystemString], input: [UInt8], directory: SystemString
    ) throws(SystemError) -> (pid_t, output: Descriptor) {
        let input = try Descriptor.memory(input)
        let (output, writing) = try Descriptor.pipe()
        // A parent may have left SIGCHLD ignored. The kernel would then reap the child before it can be waited for.
        Glibc.signal(SIGCHLD, SIG_DFL)
        let pid = try Spawn.start(
            arguments, environment: environment, descriptors: [input, writing, writing],
            inheriting: .none(directory: directory))
        return (pid, output)
    }

    /// Sends the next signal to its process group: TERM, and then KILL. Unless its time limit has passed, it is no longer
    /// needed.
    public func signal(at now: Duration, isTimeout: Bool) {
        switch stage {
        case .running:
            stage = .terminated
            hasTimedOut = isTimeout
            deadline = now + Self.grace
            passOn(SIGTERM)
            // A stopped process would not handle it.
            passOn(SIGCONT)
        case .terminated, .killed:
            stage = .killed
            deadline = nil
            passOn(SIGKILL)
        }
    }

    /// Returns whether the program is over, each time that `exit` is readable; if not, the caller must wait for the new one.
    public func isOver(at now: Duration) -> Bool {
        hasEnded = true
        guard stage == .terminated else { return true }
        if let other = Descriptor.otherMember(ofGroup: pid) {
            exit = other
            return false
        }
        // Kills a process that was started during the search.
        signal(at: now, isTimeout: hasTimedOut)
        return true
    }

    /// Sends a signal to its process group. It does not count as the end of the program.
    public func passOn(_ signal: Int32) {
        // Once the group of a followed process is empty, its number may belong to another group.
        if let followed, !followed.isAlive, Descriptor.otherMember(ofGroup: pid) == nil { return }
        kill(-pid, signal)
        // The program itself may have left its group; otherwise, it has already received the signal.
        if getpgid(pid) != pid { kill(pid, signal) }
    }

    /// Returns how the program ended. Must be called once, after its end.
    public func reap() -> Ending {
        var status: Int32 = 0
        // The status of a process that is not a child cannot be read.
        while followed == nil, waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        if stage != .running { return hasTimedOut ? .timedOut : .stopped }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }
}
