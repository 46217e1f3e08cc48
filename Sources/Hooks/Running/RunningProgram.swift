import CLinux
import Glibc
import Loop
import PhaseWatch

/// A program that was started, its output and its time limit.
///
/// It is not reaped before all signals to its process group were sent: until then the group's number belongs to
/// nobody else.
final class RunningProgram {
    enum Stage {
        case running
        /// Its process group got TERM, and gets KILL next, even if the program itself has ended by then.
        case terminated
        case killed
    }

    /// How long it has between TERM and KILL.
    private static let grace = Duration.seconds(2)

    /// Readable once the process has ended, or another one of its group that is waited for.
    private(set) var exit: Descriptor
    /// The process itself has ended; others of its group may live.
    private(set) var hasEnded = false
    /// What it prints to stdout and stderr.
    let output: Descriptor
    let started: Duration
    private let pid: pid_t
    private(set) var stage = Stage.running
    /// When its process group gets the next signal; nil after the last one.
    private(set) var deadline: Duration?

    /// - Parameters:
    ///   - arguments: The program and its arguments; at least one word.
    ///   - environment: Each NAME=VALUE.
    ///   - input: What it reads from stdin.
    ///   - directory: Where it works.
    /// - Throws: `SystemError` that names the call, or the program.
    init(
        _ arguments: [SystemString], environment: [SystemString], input: [UInt8], directory: SystemString,
        timeout: Duration,
        at now: Duration
    ) throws(SystemError) {
        let input = try Descriptor("memfd_create", linux_memory_file(input, input.count))
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { throw SystemError("pipe2", errno) }
        output = try Descriptor("pipe2", ends[0])
        let writing = try Descriptor("pipe2", ends[1])
        var pid = pid_t()
        let error = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                linux_spawn(&pid, arguments, environment, directory.cString, input.number, writing.number)
            }
        }
        guard error == 0 else { throw SystemError(arguments.first?.description ?? "", error) }
        do throws(SystemError) {
            exit = try Descriptor("pidfd_open", linux_pidfd(pid))
        } catch {
            kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw error
        }
        self.pid = pid
        started = now
        deadline = now + timeout
    }

    /// Sends the next signal to its process group: TERM, and then KILL.
    func signal(at now: Duration) {
        switch stage {
        case .running:
            stage = .terminated
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
    func isOver(at now: Duration) -> Bool {
        hasEnded = true
        guard stage == .terminated else { return true }
        if let other = ProcessGroup(leader: pid).otherMember() {
            exit = other
            return false
        }
        // One that was started while they were looked at.
        signal(at: now)
        return true
    }

    /// Passes a signal on that is no end by itself.
    func passOn(_ signal: Int32) {
        send(signal)
    }

    /// The program itself may have left its process group.
    private func send(_ signal: Int32) {
        kill(-pid, signal)
        kill(pid, signal)
    }

    /// Tells how it ended. To be called once, when it has.
    func reap() -> Outcome {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        if stage != .running { return .timedOut }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }
}

/// Hands strings to C as an array of pointers that ends with a NULL.
private func withCStrings<Result>(
    _ strings: [SystemString], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    // In one piece of memory: with each run go all the variables of the session.
    var bytes: [CChar] = []
    var starts: [Int] = []
    for string in strings {
        starts.append(bytes.count)
        bytes.append(contentsOf: string.cString)
    }
    return bytes.withUnsafeMutableBytes { bytes in
        body(starts.map { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) } + [nil])
    }
}
