import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct HooksWhy: Command {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Report why a hook ran or did not run.",
        discussion: """
            Prints for each application when a change last matched the hook, when the hook last ran, and when and \
            why it did not: vetoed by 'unless', excepted, replaced by a newer change, left before 'after' had \
            passed, failed or timed out. Exits 69 if no 'xphase run' serves the display.

            EXAMPLES
              xphase hooks why pause-the-player
              xphase hooks why sleep-unseen-chat Slack --json
            """
    )

    @Argument(help: .hook, completion: .hook)
    var name: String

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [[Pattern]] = []

    @Flag(name: .shortAndLong, help: "Print one JSON object per line.")
    var json = false

    func run(_ io: CommandIO) throws {
        let service = try io.ask { try $0.status() }
        let loaded = try? LoadedHooks(io.locations(of: service))
        if loaded == nil {
            io.say("\(HooksCommand.olderHooks): see 'xphase hooks check'")
        }
        let subjects = try Subjects(apps.flatMap(\.self), on: nil)
        let applications = try subjects.applications()
        func isMeant(_ name: String) -> Bool {
            applications.isEmpty || applications.contains { $0.matches(name) }
        }
        let events = try io.ask { try $0.why(name) }.filter { event in
            event.application.map(isMeant) ?? applications.isEmpty
        }
        if json { return try io.write(events.flatMap(\.json)) }
        let rows = service.rows.filter { row in
            row.hook == name && row.application.map(isMeant) ?? true
        }
        let whose = applications.isEmpty ? "" : " of '\(subjects.text)'"
        let nothing = "no change\(whose) has matched this hook since 'xphase run' loaded it"
        let hook = loaded?.hooks.first { $0.name == name }
        var past = events.inWords(at: .now())
        if let hook, let present = try? present(io) {
            if events.isEmpty { past = ["  \(nothing); \(nearestMiss(hook, subjects, among: present))"] }
            past += hook.obstacles(among: present) { name in
                let last = events.last { $0.application == name }
                return isMeant(name) && (last.map { $0.kind == .leftTooEarly } ?? events.isEmpty)
            }.map { "  \($0)" }
        }
        if past.isEmpty { past = ["  \(nothing)"] }
        try io.write(lines: rows.map { "\($0.hook): \($0.line)" } + past)
        if events.contains(where: { [.failed, .timedOut].contains($0.kind) }),
            let log = try SessionService(environment: io.environment)?.log
        {
            io.say("what its programs printed is in the log: \(log.escapedForTerminal)")
        }
    }

    /// Returns why no application is there that the user or the hook names, or when the hook acts and what is there.
    private func nearestMiss(_ hook: Hook, _ subjects: Subjects, among present: [Change]) -> String {
        let absence = subjects.absence(among: present.map { .change($0) }) ?? hook.absence(among: present)
        if let absence { return absence.description }
        return "it acts \(hook.occasion)" + (hook.matches(among: present).map { ", and \($0)" } ?? "")
    }

    /// Returns everything that the service reports.
    private func present(_ io: CommandIO) throws -> [Change] {
        let phases = try ServedPhases(display: io.servedDisplay(), environment: io.environment)
        return try phases.present().compactMap(\.change)
    }
}
