import ArgumentParser
import Hooks
import PhaseWatch
import Service
import System

struct Explain: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain the phase of an application or a window.",
        usage: "xphase explain <application|window>|--pick [options]",
        discussion: """
            Prints every fact that was read, the condition that decided, the focus, and the last event of each hook. \
            Include it in a bug report.

            EXAMPLES
              xphase explain firefox
              xphase explain 0x2c00007
              xphase explain --pick
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The class or instance name (a glob or a /regex/), or a window id such as 0x2c00007.",
            valueName: "application|window"), completion: .application, transform: Arguments.pattern)
    var subject: Pattern?

    @Flag(help: .pick)
    var pick = false

    @Flag(name: .shortAndLong, help: "Print one JSON object per line.")
    var json = false

    @Option(help: .display)
    var display: String?

    func validate() throws { try Picking.validate(pick, subject, "<application|window>") }

    func run(_ io: CommandIO) throws {
        let inspector = try OpenDisplay.inspector(io.options(on: display), io)
        let subject = try subject?.text ?? Picking.window(inspector).id.description
        let window = Pattern(subject).window
        let explanation = try inspector.explain(window.map { .scene($0) } ?? .application(subject))
        guard !explanation.windows.isEmpty else {
            if window != nil {
                throw CommandFailure.notFound(
                    "there is no window \(subject) on this display, or it is a window manager's own")
            }
            throw CommandFailure.noApplication(subject, among: try inspector.explain(.all).windows)
        }
        if json { return try io.write(explanation.json) }
        try io.write(ExplanationText(palette: io.palette).text(of: explanation))
        let names = Set(explanation.windows.filter { $0.scene != nil }.map(\.application)).sorted()
        let hooks = try? lastEvents(of: names, on: inspector.displayName, io)
        if let hooks, !hooks.isEmpty {
            try io.write(lines: ["", "hooks"] + hooks.map { "  \($0.hook): \($0.line(at: .now()))" })
        }
    }

    /// Returns the last event of each hook for each of these applications, if a service serves the display.
    private func lastEvents(of names: [String], on display: String, _ io: CommandIO) throws -> [HookEvent] {
        let client = try VarlinkClient(display: display, environment: io.environment)
        let hooks = try Set(client.status().map(\.hook)).sorted()
        return hooks.flatMap { hook in
            // A hook that a reload has removed may still be ending.
            let events = (try? client.why(hook, nil)) ?? []
            return names.compactMap { name in events.last { $0.application == name } }
        }
    }
}
