import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct Explain: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain the phase of an application or a window.",
        usage: "xphase explain <app…>|--pick [options]",
        discussion: """
            Prints every fact that was read, the condition that decided, the focus, and the last event of each hook. \
            Include it in a bug report.

            EXAMPLES
              xphase explain firefox
              xphase explain 0x2c00007
              xphase explain --pick
            """
    )

    @Flag(help: .pick)
    var pick = false

    @Flag(name: .shortAndLong, help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var subject: SubjectOptions

    func validate() throws { try Picking.validate(pick, subject) }

    func run(_ io: CommandIO) throws {
        let inspector = try OpenDisplay.inspector(io.options(on: subject.display), io)
        let names = pick ? [Pattern("\(try Picking.window(inspector).id.xid)")] : subject.names
        let explanation = try inspector.explain(
            .any(names.map { name in name.window.map { .scene($0) } ?? .application(name.text) }))
        for name in names where !explanation.windows.contains(where: name.names) {
            let failure = CommandFailure.nothing(named: name, among: try inspector.explain(.all).windows)
            if explanation.windows.isEmpty { throw failure }
            io.say(failure.description)
        }
        try warnOfOtherOptions(explanation, inspector.displayName, io)
        if json { return try io.write(explanation.json) }
        try io.write(ExplanationText(palette: io.palette).text(of: explanation))
        let applications = Set(explanation.windows.filter { $0.scene != nil }.map(\.application)).sorted()
        let hooks = try? lastEvents(of: applications, on: inspector.displayName, io)
        if let hooks, !hooks.isEmpty {
            try io.write(lines: ["", "hooks"] + hooks.map { "  \($0.hook): \($0.line(at: .now()))" })
        }
    }

    /// Reports applications whose phase is another one in the service, which may have options on its command line.
    private func warnOfOtherOptions(_ explanation: Explanation, _ display: String, _ io: CommandIO) throws {
        guard let served = try? ServedPhases(display: display, environment: io.environment).present() else {
            return
        }
        for change in served.compactMap(\.change) where change.level == .application {
            let own = explanation.applications.first { $0.name == change.application }?.phase
            if let own, let phase = change.to, own != phase {
                io.say(
                    "'xphase run' reports \(change.application) as \(phase.rawValue): it has other options"
                        .escapedForTerminal)
            }
        }
    }

    /// Returns the last event of each hook for each of these applications, if a service serves the display.
    private func lastEvents(of names: [String], on display: String, _ io: CommandIO) throws -> [HookEvent] {
        let client = try VarlinkClient(display: display, environment: io.environment)
        let hooks = try Set(client.status().map(\.hook)).sorted()
        return hooks.flatMap { hook in
            // A hook that a reload has removed may still be ending.
            let events = (try? client.why(hook)) ?? []
            return names.compactMap { name in events.last { $0.application == name } }
        }
    }
}
