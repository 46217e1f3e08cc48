import ArgumentParser
import Console
import Hooks
import Loop
import PhaseWatch

struct HooksWhy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell why a hook ran, or did not.",
        usage: "xphase hooks why <name> [options]",
        discussion: """
            For each application: when a change last matched the hook, when it last ran, and when and why it did not: \
            vetoed by 'unless', excepted, collapsed into something newer, left too early for 'after', failed or timed \
            out. It asks the running 'xphase run', and exits 69 where none serves the display.

            EXAMPLES
              xphase hooks why 'pause the player'
              xphase hooks why 'sleep, unseen chat' --application Slack --json
            """
    )

    @Argument(
        help: ArgumentHelp("The name of the hook.", valueName: "name"), completion: .hook,
        transform: Arguments.text)
    var name: String

    @Option(
        help: ArgumentHelp("Only for the application of this name.", valueName: "name"),
        transform: Arguments.text)
    var application: String?

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var service: ServiceOptions

    func run() throws {
        let answer = try service.ask(.why(name))
        let events = answer.events.filter { application == nil || $0.application == application }
        if json { return try StandardOutput.write(events.flatMap(\.json)) }
        let rows = answer.rows.filter { application == nil || $0.application ?? application == application }
        let nothing = "no change has matched it since 'xphase run' read it"
        try StandardOutput.write(
            Array((rows.inWords + (events.isEmpty ? "  \(nothing)\n" : events.inWords(at: .now()))).utf8))
    }
}

extension HookEvent {
    /// One line of `hooks why --json`.
    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.add("v", 1)
        writer.add("hook", hook)
        writer.add("application", application)
        writer.add("what", kind.rawValue)
        writer.add("time", TimeText.utc(time))
        writer.add("reason", reason)
        return writer.line()
    }

    /// `  12:03:41  matched  active → background, iconify (4m12s ago)`.
    fileprivate func inWords(at now: Timestamp) -> String {
        let age = TimeText.short(.seconds(max(0, now.seconds - time.seconds)))
        let what = kind.rawValue.replacing("-", with: " ").padded(to: HookEvent.Kind.width)
        return "  \(TimeText.local(time).prefix(8))  \(what)\(reason) (\(age) ago)"
    }
}

extension HookEvent.Kind {
    fileprivate static var width: Int { (allCases.map(\.rawValue.count).max() ?? 0) + 2 }
}

extension [HookEvent] {
    /// For people: each application, and indented what became of the hook for it.
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
