import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Recording
import System

struct ReplayCommand: Command {
    static let configuration = CommandConfiguration(
        command: "replay",
        abstract: "Print the changes in a recording.",
        usage: "xphase replay <file> [options]",
        discussion: """
            Needs no X server and runs nothing. The same file and options always print the same output. With \
            --config, also prints what each hook would have done, and why not.

            EXAMPLES
              xphase replay problem.jsonl
              xphase replay problem.jsonl --policy visible --level scene --json
              xphase replay problem.jsonl --config ~/.config/xphase/config.toml
            """
    )

    @Argument(
        help: ArgumentHelp("The recording.", valueName: "file"), completion: .file())
    var file: SystemString

    @Option(
        help: ArgumentHelp("The configuration file with the settings and hooks to use.", valueName: "file"),
        completion: .file())
    var config: SystemString?

    @Option(
        help: ArgumentHelp(
            "Replay at this speed: 1 is real time, 10 is ten times as fast. (default: as fast as possible)",
            valueName: "times"))
    var speed: Int?

    @OptionGroup var lines: LineOptions

    @OptionGroup var rule: RuleOptions

    @OptionGroup var settling: SettlingOptions

    func validate() throws {
        if let speed, !(1...1_000_000).contains(speed) {
            throw ValidationError("--speed must be a whole number, 1 or more")
        }
    }

    func run(_ io: CommandIO) throws {
        var settings = rule.settings
        settings.settle = settling.settle
        var hooks = try config.map(RecordedSession.hooks(of:))
        let sink = lines.sink(io)
        let session = try RecordedSession(
            file, settings, isStepwise: settling.stepwise, hooks: hooks,
            details: sink.details.union(hooks?.details ?? []), io)
        let start = Clock.now()
        try session.visit { step in
            if let speed {
                RecordedSession.sleep(until: start + step.moment / speed)
            }
            let moment = Moment(now: step.moment, time: step.time)
            try write(io, hooks?.advance(to: moment))
            var numbers: [Int?] = []
            try sink.take(step.batch, at: step.time, numbers: &numbers)
            try sink.drain()
            try write(io, hooks?.take(step.batch, numbers: numbers, at: moment))
        }
    }

    private func write(_ io: CommandIO, _ reported: [HookReplay.Line]?) throws {
        guard let reported, !reported.isEmpty else { return }
        try io.write(reported.flatMap { lines.format.json ? $0.json : $0.inWords })
    }
}

extension HookReplay.Line {
    /// Empty if the hook only performs a check.
    fileprivate var json: [UInt8] { event?.json ?? [] }

    /// `12:03:41.207  hook 'pause the player': would run …`.
    fileprivate var inWords: [UInt8] { Array("\(TimeText.local(time))  \(text)\n".utf8) }
}

/// A replayed recording.
struct RecordedSession {
    private static let chunk = 1 << 16

    private let file: SystemString
    private let replay: Replay

    /// Reads the hooks of a configuration file.
    static func hooks(of file: SystemString) throws -> HookReplay {
        HookReplay(
            try LoadedHooks.load(HookLocations(config: file, environment: .own).withoutDirectory))
    }

    /// - Parameters:
    ///   - settings: The settings of the command line, which override the configuration of the hooks.
    ///   - details: The details of scenes to read.
    init(
        _ file: SystemString, _ settings: WatchSettings, isStepwise: Bool = false, hooks: HookReplay?,
        details: PhaseWatcher.Details, _ io: CommandIO
    ) throws {
        self.file = file
        var options = (hooks?.settings ?? WatchSettings()).overridden(by: settings).options
        options.isStepwise = isStepwise
        options.details = details
        let descriptor = open(file.cString, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.unreadable(file, errno) }
        replay = try Self.located(file) { try Replay(options) { try Self.read(descriptor, file) } }
        if let idle = options.idle, idle != replay.idle {
            let recorded =
                replay.idle.map { "--idle \($0.text)" } ?? "no idle times (record --idle \(idle.text))"
            let fault =
                "the recording has \(recorded), so --idle \(idle.text) cannot be computed from it"
            if settings.idle != nil { throw CommandFailure.misuse(fault) }
            io.say(fault)
        }
        hooks?.lacks(hasTitles: replay.hasTitles).forEach(io.say)
    }

    /// Calls `body` for each step. Visits all steps before a fault in the file, then throws.
    func visit(_ body: (Replay.Step) throws -> Void) throws {
        while let step = try Self.located(file, { try replay.next() }) { try body(step) }
    }

    static func sleep(until moment: Duration) {
        while case let left = moment - Clock.now(), left > .zero {
            // usleep sleeps about an hour at most, and a signal interrupts it.
            usleep(UInt32(clamping: left.microseconds))
        }
    }

    private static func read(_ descriptor: Int32, _ file: SystemString) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count >= 0 { return Array(bytes[..<count]) }
            if errno != EINTR { throw unreadable(file, errno) }
        }
    }

    private static func located<Value>(_ file: SystemString, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as RecordingFault {
            throw CommandFailure(Exit.badData, "\(file):\(fault)")
        }
    }

    private static func unreadable(_ file: SystemString, _ code: Int32) -> CommandFailure {
        CommandFailure(Exit.badData, "cannot read '\(file)': \(String(cString: strerror(code)))")
    }
}
