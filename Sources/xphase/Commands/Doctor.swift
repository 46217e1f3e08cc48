import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

struct Doctor: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check whether xphase works here and what is missing.",
        discussion: """
            Reports the service, the configuration and the reactions, then the display. Exits 1 if phases are \
            unreliable on this display, and prints the reason. Include the output of 'xphase doctor --verbose' in a \
            bug report.
            """
    )

    @Flag(name: .shortAndLong, help: "Also print the X extensions and window manager features by name.")
    var verbose = false

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        let text = DiagnosisText(palette: io.palette, isVerbose: verbose)
        let name = try? io.servedDisplay(display)
        let service = name.flatMap { SessionService(environment: io.environment, display: $0) }
        // First, since it does not need the display.
        try io.write(text.text(of: service, io))
        let diagnosis = try OpenDisplay.inspector(PhaseMonitor.Options(display: name), nil).diagnose()
        let advice = text.section("service", [service.flatMap(io.advice)].compactMap(\.self))
        try io.write(advice.map { $0 + "\n" }.joined() + text.text(of: diagnosis))
        if !diagnosis.faults.isEmpty { throw CommandFailure(Exit.notFound) }
    }
}

extension DiagnosisText {
    /// Describes the service, its configuration and its reactions, and what these lack on this system.
    ///
    /// - Parameters:
    ///   - service: nil if no display is given.
    ///   - io: The environment.
    fileprivate func text(of service: SessionService?, _ io: CommandIO) -> String {
        let (environment, locations) = (io.environment, io.locations)
        let client = service.flatMap { try? VarlinkClient(display: $0.display, environment: environment) }
        let held = try? client?.status()
        let (variables, owner) = service?.hookVariables ?? (environment, "this command")
        let system = ReactionLacks(variables)
        var rows = service.map { [("service", $0.state), ("next login", $0.nextLogin)] } ?? []
        var programs: [String] = []
        do {
            let loaded = try LoadedHooks(locations)
            rows.append(("configuration", loaded.file == nil ? locations.absence : loaded.summary))
            programs = loaded.warnings + loaded.missingPrograms(in: variables, of: owner)
        } catch {
            rows.append(
                ("configuration", "\(error.faults.count.of("fault")): see 'xphase hooks check'"))
        }
        if let held {
            let frozen = held.filter { $0.reactions.contains("freeze") }.compactMap(\.application)
            let paused = held.filter { $0.state == .paused }.map { "'\($0.hook)'" }
            rows.append(("frozen", Self.list(frozen)))
            rows.append(("paused", Self.list(paused)))
        } else if let frozen = (try? HeldRecords(environment: environment))?.frozen, !frozen.isEmpty {
            // A killed process may have left applications frozen.
            rows.append(("frozen", "\(Self.list(frozen)): type xphase thaw --all"))
        }
        rows.append(("reactions", Self.list(system.working.map(\.rawValue))))
        if let address = service?.address { rows.append(("Varlink", address)) }
        if let log = service?.log { rows.append(("log", log.escapedForTerminal)) }
        let lines = rows.map(row) + section("missing", programs + system.advice)
        return lines.map { $0 + "\n" }.joined()
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : Set(names).sorted().joined(separator: ", ").escapedForTerminal
    }
}
