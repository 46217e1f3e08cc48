import Glibc
import System

/// A supervisor that restarts `xphase run` after each crash, as a service manager would, and keeps its log.
public struct Respawn {
    /// The exit codes after which a restart would not help: success, misuse, no display, a display that is already
    /// served, and an invalid configuration.
    private static let finalCodes: Set<Int32> = [
        EXIT_SUCCESS, EX_USAGE, EX_UNAVAILABLE, EX_TEMPFAIL, EX_CONFIG,
    ]
    private static let delay: useconds_t = 500_000
    /// The number of starts within the interval after which the program is not restarted.
    private static let (mostStarts, interval) = (5, Duration.seconds(10))
    private static let signals = EventLoop.endingSignals + [SIGHUP]

    private let arguments: [SystemString]
    private let environment: Environment
    private let loop: EventLoop
    private var log: SessionLog

    /// - Parameter arguments: `run` and its options.
    public init(_ arguments: [SystemString], environment: Environment) throws(SystemError) {
        self.arguments = ["/proc/self/exe"] + arguments
        self.environment = environment
        loop = try EventLoop(display: -1, output: nil, signals: Self.signals)
        log = try SessionLog(environment: environment)
    }

    /// Runs the program until it is not to be restarted, and returns its exit code.
    public mutating func run() throws(SystemError) -> Int32 {
        var starts: [Duration] = []
        while true {
            starts.append(Clock.now())
            let (ending, isAsked) = try runOnce()
            starts.removeAll { Clock.now() - $0 > Self.interval }
            let (code, text) =
                switch ending {
                case .exited(let code): (code, "ended with \(code)")
                case .killed(let signal): (128 + signal, "was killed by signal \(signal)")
                case .timedOut, .stopped: (EX_SOFTWARE, "was ended")
                }
            let isFinal = isAsked || Self.finalCodes.contains(code) || starts.count >= Self.mostStarts
            log.append(Array("xphase: 'xphase run' \(text)\(isFinal ? "" : "; restarting")\n".utf8))
            if isFinal { return code }
            usleep(Self.delay)
        }
    }

    /// - Returns: How the program ended, and whether a signal to this process asked for that.
    private mutating func runOnce() throws(SystemError) -> (RunningProgram.Ending, isAsked: Bool) {
        let program = try RunningProgram(
            arguments, environment: environment.entries, input: [], directory: environment.workingDirectory,
            timeout: nil, at: Clock.now())
        let output = program.output?.number ?? -1
        for descriptor in [output, program.exit.number] { loop.watch(descriptor) }
        defer { for descriptor in [output, program.exit.number] { loop.forget(descriptor) } }
        var isAsked = false
        while true {
            switch try loop.wait() {
            case .ready(output):
                if !log.append(from: output) { loop.forget(output) }
            case .ready:
                while log.append(from: output) {}
                return (program.reap(), isAsked)
            case .signal(let signal):
                isAsked = isAsked || signal != SIGHUP
                program.passOn(signal)
            default: break
            }
        }
    }
}

/// The log of sessions without a service manager: `$XDG_STATE_HOME/xphase/log`, which is rotated to `log.old`.
private struct SessionLog {
    private static let name: SystemString = "log"
    private static let limit = 1 << 20

    private let directory: OwnDirectory
    private var file: Descriptor

    init(environment: Environment) throws(SystemError) {
        directory = try RecordFile.directory(environment)
        file = try Self.open(directory)
    }

    private static func open(_ directory: OwnDirectory) throws(SystemError) -> Descriptor {
        try directory.create(name, O_WRONLY | O_APPEND, mode: 0o600)
    }

    /// - Returns: Whether there may be more to read.
    mutating func append(from descriptor: Int32) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &chunk, chunk.count)
        if count > 0 { append(Array(chunk[..<count])) }
        return count > 0
    }

    /// Appends to the log. Ignores failures: a full disk must not stop the program.
    mutating func append(_ bytes: [UInt8]) {
        if lseek(file.number, 0, SEEK_END) > Self.limit {
            try? directory.rename(Self.name, to: "log.old")
            if let new = try? Self.open(directory) { file = new }
        }
        try? file.writeAll(Self.name, bytes)
    }
}
