import CLinux
import Glibc

/// A program that was started, be it by an earlier xphase, its output and its time limit.
///
/// It is not reaped before its process group has got its last signal: until then, no other group can get the number.
public final class RunningProgram {
    public enum Stage {
        case running
        /// Its process group got TERM, and gets KILL next, even if the program itself has ended by then.
        case terminated
        case killed
    }

    /// How it ended.
    public enum Ending: Equatable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        case timedOut
        /// It was ended because it was not wanted any longer.
        case stopped
    }

    /// How long it has between TERM and KILL.
    private static let grace = Duration.seconds(2)

    /// Readable once the process has ended; after TERM, once another process of its group has ended that is waited for.
    public private(set) var exit: Descriptor
    /// The process itself has ended; others of its group may live.
    public private(set) var hasEnded = false
    /// What it prints to stdout and stderr; nil if it was started by an earlier xphase.
    public let output: Descriptor?
    public let started: Duration
    private let pid: pid_t
    /// Not nil if it is no child of this process, but was started by an earlier xphase.
    private let followed: ProcessIdentity?
    public private(set) var stage = Stage.running
    /// It was ended because its time was over.
    private var hasTimedOut = false
    /// When its process group gets the next signal; nil after the last one.
    public private(set) var deadline: Duration?

    /// - Parameters:
    ///   - arguments: The program and its arguments; at least one word.
    ///   - environment: Each NAME=VALUE.
    ///   - input: What it reads from stdin.
    ///   - directory: Where it works.
    ///   - timeout: How long it may take; nil for any time.
    public init(
        _ arguments: [SystemString], environment: [SystemString], input: [UInt8], directory: SystemString,
        timeout: Duration?,
        at now: Duration
    ) throws(SystemError) {
        do throws(SystemError) {
            (pid, output) = try Self.spawn(arguments, environment, input: input, directory: directory)
            // Two descriptors were closed since: it fails only where the whole system has too many.
            exit = try Self.exit(of: pid)
        } catch {
            throw .start(arguments.first ?? "", error)
        }
        followed = nil
        started = now
        deadline = timeout.map { now + $0 }
    }

    /// A program that an earlier xphase has started; nil if it has ended.
    ///
    /// - Parameter timeout: How long it may take in all.
    public init?(following process: ProcessIdentity, timeout: Duration, at now: Duration) {
        // Its descriptor first: it is of one process, whichever gets the number.
        guard process.pid > 1, let exit = try? Descriptor("pidfd_open", linux_pidfd(process.pid)),
            process.isAlive
        else { return nil }
        let age = max(.zero, Clock.sinceBoot() - process.started)
        (self.exit, pid, output, followed) = (exit, process.pid, nil, process)
        started = now - age
        deadline = now + max(.zero, timeout - age)
    }

    /// What the next xphase finds the process by.
    public var identity: ProcessIdentity? { followed ?? ProcessIdentity(pid: pid) }

    /// Ends a process that cannot be watched.
    private static func exit(of pid: pid_t) throws(SystemError) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor("pidfd_open", linux_pidfd(pid))
        } catch {
            kill(-pid, SIGKILL)
            while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
            throw error
        }
    }

    private static func spawn(
        _ arguments: [SystemString], _ environment: [SystemString], input: [UInt8], directory: SystemString
    ) throws(SystemError) -> (pid_t, output: Descriptor) {
        let input = try Descriptor("memfd_create", linux_memory_file(input, input.count))
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { throw SystemError("pipe2", errno) }
        let output = try Descriptor("pipe2", ends[0])
        let writing = try Descriptor("pipe2", ends[1])
        // An ignored SIGCHLD, which a parent may have left, would have the child gone before it can be waited for.
        Glibc.signal(SIGCHLD, SIG_DFL)
        let pid = try Spawn.start(
            arguments, environment: environment, descriptors: [input, writing, writing],
            inheriting: .none(directory: directory))
        return (pid, output)
    }

    /// Sends the next signal to its process group: TERM, and then KILL.
    ///
    /// - Parameter isTimeout: Its time is over; else it is not wanted any longer.
    public func signal(at now: Duration, isTimeout: Bool) {
        switch stage {
        case .running:
            stage = .terminated
            hasTimedOut = isTimeout
            deadline = now + Self.grace
            send(SIGTERM)
            // What is stopped would not take it.
            send(SIGCONT)
        case .terminated, .killed:
            stage = .killed
            deadline = nil
            send(SIGKILL)
        }
    }

    /// To be asked each time `exit` is readable: is it over, or is the end of another `exit` to be waited for?
    public func isOver(at now: Duration) -> Bool {
        hasEnded = true
        guard stage == .terminated else { return true }
        if let other = Descriptor.otherMember(ofGroup: pid) {
            exit = other
            return false
        }
        // One that was started while they were looked at.
        signal(at: now, isTimeout: hasTimedOut)
        return true
    }

    /// Passes a signal on that is no end by itself.
    public func passOn(_ signal: Int32) {
        send(signal)
    }

    private func send(_ signal: Int32) {
        // Once nobody is left of the group of a followed one, its number may be another's.
        if let followed, !followed.isAlive, Descriptor.otherMember(ofGroup: pid) == nil { return }
        kill(-pid, signal)
        // The program itself may have left its group; one that is in it has had the signal.
        if getpgid(pid) != pid { kill(pid, signal) }
    }

    /// Returns how it ended. To be called once, when it has.
    public func reap() -> Ending {
        var status: Int32 = 0
        // The status of a process that is not a child cannot be read.
        while followed == nil, waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        if stage != .running { return hasTimedOut ? .timedOut : .stopped }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }
}
