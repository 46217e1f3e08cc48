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
        let found = Result {
            try name.flatMap { try SessionService(environment: io.environment, display: $0) }
        }
        if case .failure(let error as any ExitCoded) = found { error.messages.forEach(io.say) }
        let service = (try? found.get()) ?? nil
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
        let environment = io.environment
        let answer = Result { try service.flatMap { try io.askIfServed($0.display) { try $0.status() } } }
        if case .failure(let error as any ExitCoded) = answer { error.messages.forEach(io.say) }
        let status = try? answer.get()
        let (held, locations) = (status?.rows, io.locations(of: status))
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
            let frozen = held.filter { $0.freeze != nil }.compactMap(\.application)
            let paused = held.filter { $0.state == .paused }.map { "'\($0.hook)'" }
            rows.append(("frozen", Self.list(frozen)))
            rows.append(("paused", Self.list(paused)))
        } else if let frozen = (try? UndoRecords(environment: environment))?.frozen, !frozen.isEmpty {
            // A killed process may have left applications frozen.
            rows.append(("frozen", "\(Self.list(frozen)): type xphase thaw --all"))
        }
        let left = (try? UndoRecords(environment: environment))?.left ?? []
        rows += left.map { ("left behind", $0) }
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

/// The output of `doctor`.
private struct DiagnosisText {
    private static let nameWidth = 16

    let palette: Palette
    /// Whether X11 names are printed, too.
    let isVerbose: Bool

    func text(of diagnosis: Diagnosis) -> String {
        let server = diagnosis.server
        var lines = ["", palette.strong("display \(diagnosis.display)")]
        lines.append(row("session", Diagnosis.isWaylandSession ? "Wayland, seen through XWayland" : "X11"))
        if isVerbose {
            lines.append(row("server", "\(server.vendor.escapedForTerminal) \(server.release)"))
            lines += rows(of: diagnosis.session)
        } else {
            let (seen, all) = (diagnosis.session.filter { $0.value != nil }, diagnosis.session)
            lines.append(row("follows", names(seen.map(\.name))))
            lines.append(row("cannot follow", names(all.filter { $0.value == nil }.map(\.name))))
        }
        lines += ["", palette.strong("screen"), row("window manager", manager(in: diagnosis))]
        if isVerbose {
            lines += [
                row("supports", names(diagnosis.supported)), row("lacks", names(diagnosis.lacking)),
                row("set on the root", names(diagnosis.rootProperties)),
            ]
            lines += rows(of: diagnosis.signals)
        }
        lines += section("limits", diagnosis.gaps)
        lines += section("wrong", diagnosis.faults)
        let verdict =
            diagnosis.faults.isEmpty ? "Phases can be trusted here." : "Phases cannot be trusted here."
        return (lines + ["", verdict]).map { $0 + "\n" }.joined()
    }

    private func rows(of signals: [Fact]) -> [String] {
        signals.map { row("\($0.name) by", $0.value ?? palette.faint("nothing")) }
    }

    private func manager(in diagnosis: Diagnosis) -> String {
        guard let manager = diagnosis.manager else { return "none: no client holds SubstructureRedirect" }
        let name = manager.name?.escapedForTerminal ?? "one without a name"
        let pid = manager.pid.map { ", pid \($0)" } ?? ""
        return name + pid
    }

    func section(_ title: String, _ sentences: [String]) -> [String] {
        sentences.isEmpty
            ? [] : ["", palette.strong(title)] + sentences.map { "  \($0.escapedForTerminal)" }
    }

    private func names(_ names: [String]) -> String {
        names.isEmpty ? palette.faint("nothing") : names.joined(separator: isVerbose ? " " : ", ")
    }

    func row(_ name: String, _ value: String) -> String {
        "  \(name.padded(to: Self.nameWidth))\(value)"
    }
}
