import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksWhy: Command {
    static let configuration = CommandConfiguration(
        command: "why",
        abstract: "Report why a hook ran or did not run.",
        usage: """
            xphase hooks why <name> [options]
            xphase hooks why <name> --replay <file> --config <file> [options]
            """,
        discussion: """
            Prints for each application when a change last matched the hook, when the hook last ran, and when and \
            why it did not: vetoed by 'unless', excepted, replaced by a newer change, left before 'after' had \
            passed, failed or timed out. Exits 69 if no 'xphase run' serves the display. With --replay, prints what \
            the hook would have done in a recording.

            EXAMPLES
              xphase hooks why pause-the-player
              xphase hooks why sleep-unseen-chat --application Slack --json
              xphase hooks why pause-the-player --replay problem.jsonl --config my.toml
            """
    )

    @Argument(
        help: ArgumentHelp("The name of the hook.", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var name: String

    @Option(
        help: ArgumentHelp(
            "Only applications with this class name: a glob or a /regex/.", valueName: "pattern"),
        completion: .application, transform: Arguments.pattern)
    var application: Pattern?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(
        help: ArgumentHelp("Use a recording instead of the running 'xphase run'.", valueName: "file"),
        completion: .file())
    var replay: SystemString?

    @Option(
        help: ArgumentHelp("The configuration file; required with --replay.", valueName: "file"),
        completion: .file())
    var config: SystemString?

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if replay != nil && config == nil || replay == nil && config != nil {
            throw ValidationError("--replay and --config must be used together")
        }
    }

    func run(_ io: CommandIO) throws {
        if let replay, let config { return try ask(replay, config, io) }
        let events = try service.ask(io) { try $0.why(name, application) }
        if json { return try io.write(events.flatMap(\.json)) }
        let rows = try service.ask(io) { try $0.status() }.filter { row in
            row.hook == name && row.application.flatMap { application?.matches($0) } ?? true
        }
        let nothing = "no change\(ofWhom) has matched this hook since 'xphase run' loaded it"
        try io.write(rows.inWords + (events.isEmpty ? "  \(nothing)\n" : events.inWords(at: .now())))
    }

    private func isAskedFor(_ event: HookEvent) -> Bool { application?.matches(event.application) ?? true }

    /// ` of 'Slack'`.
    private var ofWhom: String { application.map { " of '\($0.text.escapedForTerminal)'" } ?? "" }

    private func ask(_ recording: SystemString, _ config: SystemString, _ io: CommandIO) throws {
        var hooks = try RecordedSession.hooks(of: config)
        guard hooks.events(of: name) != nil else {
            let names = hooks.names.map { "'\($0)'" }.joined(separator: ", ")
            throw CommandFailure.misuse(
                "no hook of '\(config)' is called '\(name)'; there are \(names.isEmpty ? "none" : names)")
        }
        let session = try RecordedSession(
            recording, WatchSettings(), hooks: hooks, details: hooks.details, io)
        var end = Timestamp.now()
        try session.visit { step in
            end = step.time
            let moment = Moment(now: step.moment, time: step.time)
            _ = hooks.advance(to: moment)
            _ = hooks.take(step.batch, numbers: [], at: moment)
        }
        let events = (hooks.events(of: name) ?? []).filter(isAskedFor)
        if json { return try io.write(events.flatMap(\.json)) }
        let nothing = "no change\(ofWhom) has matched it in this recording\n"
        try io.write(events.isEmpty ? nothing : events.inWords(at: end))
    }
}

extension HookEvent {
    /// One line of `hooks why --json`.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.add("v", 1)
        writer.add("hook", hook)
        writer.add("application", application)
        writer.add("what", kind.rawValue)
        writer.add("time", TimeText.utc(time.time))
        writer.add("reason", reason)
        return writer.line()
    }

    /// `  12:03:41  matched  active → background, iconify (4m12s ago)`.
    fileprivate func inWords(at now: Timestamp) -> String {
        let age = TimeText.short(.seconds(max(0, now.seconds - time.time.seconds)))
        let what = kind.rawValue.replacing("-", with: " ").padded(to: HookEvent.Kind.width)
        return "  \(TimeText.local(time.time).prefix(8))  \(what)\(reason) (\(age) ago)"
    }
}

extension HookEvent.Kind {
    fileprivate static var width: Int { (allCases.map(\.rawValue.count).max() ?? 0) + 2 }
}

extension [HookEvent] {
    /// Returns the events for people: each application, followed by its events, indented.
    fileprivate func inWords(at now: Timestamp) -> String {
        var (lines, application) = ([String](), String?.none)
        for event in self {
            if event.application != application { lines.append("\(event.application):") }
            application = event.application
            lines.append(event.inWords(at: now))
        }
        return lines.map { $0.escapedForTerminal + "\n" }.joined()
    }
}
