import CLinux
import Glibc
import Hooks
import System

/// A program of a hook, or a tool, started by this or an earlier xphase: its time limit, its output and its end.
///
/// The program is not reaped before its process group has received its last signal: until then, no other group can get
/// the same number.
final class RunningProgram {
    typealias Run = (id: RunID, job: Job)
    typealias End = (_ outcome: Outcome, _ time: Duration, _ output: [UInt8]) -> Void

    /// The time between TERM and KILL.
    private static let grace = Duration.seconds(2)
    /// The number of bytes read at a time: the loop has other descriptors to serve.
    private static let chunk = 4 << 10
    /// The capacity of a pipe.
    private static let pipe = 64 << 10
    private static let mostOfTool = 8 << 20

    /// The run of a part of a hook; nil for a tool.
    let run: Run?
    /// Its name or its path; empty if an earlier xphase started it.
    let name: SystemString
    /// Receives the end, with the output of a tool.
    let then: End
    let started: Duration
    /// The start of the process, until it is over.
    private(set) var start: ProgramStart?
    /// To be called once, when the start is over and not abandoned.
    var afterStart: () -> Void = {}
    /// nil until the start is over.
    private var process: ProgramStart.Process?
    /// The process if an earlier xphase started it; nil for a child of this process.
    private let followed: ProcessIdentity?
    /// Whether the process itself has ended; others of its group may still live.
    private(set) var hasEnded = false
    /// Why its process group has received a signal; nil before the first one.
    private(set) var reason: Outcome?
    /// When its process group gets the next signal: TERM, and then KILL, even if the program itself has ended by then; nil
    /// after KILL.
    private(set) var deadline: Duration?
    /// The pipe of its stdout and stderr; nil if an earlier xphase started it, and after the end of the output.
    var output: Descriptor?
    private var lines = OutputLines()
    /// The output of a tool.
    private(set) var answer: [UInt8] = []
    /// Whether the end is reported. The program is kept while a background process has its output open.
    private(set) var isOver = false
    /// The number of bytes read since then.
    private(set) var leftover = 0

    /// Begins to start a program. `finishStart` must be called once the start is over.
    ///
    /// - Parameters:
    ///   - threads: What runs the thread of the start.
    ///   - run: The run of a part of a hook; nil for a tool.
    ///   - arguments: The program and its arguments.
    ///   - environment: Returns entries of the form NAME=VALUE, on another thread.
    ///   - input: The contents of its stdin.
    ///   - directory: Its working directory.
    ///   - timeout: Its time limit.
    ///   - then: Receives the end, with the output of a tool.
    init(
        on threads: SeparateThreads, _ run: Run?, _ arguments: [SystemString],
        environment: @escaping @Sendable () throws(SystemError) -> [SystemString], input: [UInt8] = [],
        directory: SystemString, timeout: Duration, then: @escaping End
    ) throws(SystemError) {
        let (reading, writing) = try Descriptor.pipe()
        let input = try Descriptor.memory(input)
        // A parent may have left SIGCHLD ignored. The kernel would then reap the child before it can be waited for.
        Glibc.signal(SIGCHLD, SIG_DFL)
        start = try ProgramStart(
            on: threads, arguments, environment: environment, descriptors: [input, writing, writing],
            directory: directory)
        output = reading
        name = arguments.first ?? ""
        self.run = run
        self.then = then
        followed = nil
        started = Clock.now()
        deadline = started + timeout
    }

    /// Takes the process, once the start is over.
    func finishStart() throws(SystemError) {
        guard let result = start?.result else { return }
        start = nil
        process = try result.get()
    }

    /// Follows a program that an earlier xphase started; nil if it has ended. Its time limit counts from its start.
    init?(_ run: Run, following process: ProcessIdentity, then: @escaping End) {
        // Opens the descriptor first: it refers to one process, even if the pid is reused.
        guard process.pid > 1, let opened = try? ProgramStart.Process(process.pid), process.isAlive
        else { return nil }
        name = ""
        self.run = run
        self.then = then
        followed = process
        self.process = opened
        let (now, age) = (Clock.now(), max(.zero, Clock.sinceBoot() - process.started))
        started = now - age
        deadline = now + max(.zero, run.job.hook.timeout - age)
    }

    /// The identity by which the next xphase finds the process; nil until the start is over.
    var identity: ProcessIdentity? { followed ?? process.flatMap { ProcessIdentity(pid: $0.pid) } }

    /// Readable once the process has ended; after TERM, once the awaited process of its group has ended. nil until the
    /// start is over.
    var exit: Descriptor? { process?.exit }

    // MARK: Signals

    /// Sends the next signal to its process group.
    ///
    /// - Parameter reason: The outcome, unless an earlier signal had another reason.
    func signal(because reason: Outcome) {
        if self.reason == nil {
            (self.reason, deadline) = (reason, Clock.now() + Self.grace)
            passOn(SIGTERM)
            // A stopped process would not handle it.
            passOn(SIGCONT)
        } else {
            deadline = nil
            passOn(SIGKILL)
        }
    }

    /// Returns whether its group is over, each time that `exit` is readable; if not, the caller must wait for the new one.
    func isGroupOver() -> Bool {
        hasEnded = true
        guard let reason, deadline != nil, let process else { return true }
        if let other = Descriptor.otherMember(ofGroup: process.pid) {
            self.process?.exit = other
            return false
        }
        // Kills a process that was started during the search.
        signal(because: reason)
        return true
    }

    /// Sends a signal to its process group. It does not count as the end of the program.
    func passOn(_ signal: Int32) {
        guard let pid = process?.pid else { return }
        // Once the group of a followed process is empty, its number may belong to another group.
        if let followed, !followed.isAlive, Descriptor.otherMember(ofGroup: pid) == nil { return }
        kill(-pid, signal)
        // The program itself may have left its group; otherwise, it has already received the signal.
        if getpgid(pid) != pid { kill(pid, signal) }
    }

    // MARK: Output and end

    /// Reads a chunk of the output without waiting.
    ///
    /// - Returns: The lines that it completes; nil at the end of the output.
    func read() -> [String]? {
        guard let output else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let count = Glibc.read(output.number, buffer.baseAddress, buffer.count)
            if count == 0 { return nil }
            let bytes = buffer.prefix(max(0, count))
            if isOver {
                leftover += bytes.count
            } else if run != nil {
                return lines.split(bytes)
            } else if answer.count < Self.mostOfTool {
                answer += bytes
            }
            return []
        }
    }

    /// Reaps the program after its end, and reads the output that was pending then. Later output of its children is not
    /// shown.
    ///
    /// - Returns: How it ended, the last lines, and the number of bytes that were not shown.
    func end() -> (outcome: Outcome, lines: [String], dropped: Int) {
        let outcome = reap()
        var last: [String] = []
        // Bounded: children may write faster than this reads.
        for _ in 0...Self.pipe / Self.chunk {
            guard let more = read() else { break }
            last += more
        }
        isOver = true
        return (outcome, last + lines.rest(), lines.dropped)
    }

    /// Gives up the start. There is no output, and `end` must not be called.
    ///
    /// - Returns: false if it is over.
    func abandonStart() -> Bool {
        guard start?.abandon() == true else { return false }
        isOver = true
        output = nil
        return true
    }

    private func reap() -> Outcome {
        var status: Int32 = 0
        // The status of a process that is not a child cannot be read.
        let isKnown = followed != nil || process.map { waitpid($0.pid, &status, WNOHANG) == $0.pid } ?? true
        if let reason { return reason }
        // A debugger has it, and has not let it go yet.
        if !isKnown { return .killed(signal: SIGKILL) }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }
}

/// A splitter of program output into lines, up to a bound.
struct OutputLines {
    /// The limits of one run, in bytes and in lines: a line costs more in a log than its own bytes.
    private static let (bound, mostLines) = (64 << 10, 2048)
    /// With its newline, a line of this length still fits into one atomic write to a pipe.
    private static let longestLine = Int(PIPE_BUF) - 1
    private var taken = 0
    private var lineCount = 0
    private var line: [UInt8] = []
    /// The number of bytes that were dropped.
    private(set) var dropped = 0

    /// Appends bytes, and returns the lines that they complete.
    mutating func split(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        var kept = 0
        for byte in bytes.prefix(Self.bound - taken) where lineCount < Self.mostLines {
            kept += 1
            if byte == UInt8(ascii: "\n") {
                lines.append(cut())
            } else {
                line.append(byte)
                if line.count == Self.longestLine { lines.append(cut()) }
            }
        }
        taken += kept
        dropped += bytes.count - kept
        return lines
    }

    /// Returns the last line, if it is unterminated.
    mutating func rest() -> [String] { line.isEmpty ? [] : [cut()] }

    private mutating func cut() -> String {
        lineCount += 1
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }
}
