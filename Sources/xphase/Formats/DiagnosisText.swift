import Console
import PhaseWatch
import Service

/// The output of `doctor`.
struct DiagnosisText {
    private static let nameWidth = 16

    let palette: Palette

    /// - Parameter lacks: What reactions of hooks need and do not find.
    func text(of diagnosis: Diagnosis, service: SessionService?, lacks: [String]) -> String {
        let server = diagnosis.server
        var lines =
            [
                row("display", "\(diagnosis.display), \(server.vendor.escapedForTerminal) \(server.release)"),
                row("session", diagnosis.isWayland ? "Wayland, seen through XWayland" : "X11"),
            ] + rows(of: diagnosis.session)
        if let service { lines += [row("service", service.state), row("next login", service.nextLogin)] }
        if let address = service?.address { lines.append(row("Varlink", address)) }
        for (number, screen) in diagnosis.screens.enumerated() {
            lines += ["", palette.strong("screen \(number)")] + rows(about: screen)
        }
        lines += section("missing", diagnosis.gaps + lacks)
        lines += section("wrong", diagnosis.faults)
        let verdict =
            diagnosis.faults.isEmpty ? "Phases can be trusted here." : "Phases cannot be trusted here."
        return (lines + ["", verdict]).map { $0 + "\n" }.joined()
    }

    private func rows(about screen: Diagnosis.Screen) -> [String] {
        [
            row("window manager", manager(of: screen)),
            row("supports", names(screen.supported)),
            row("lacks", names(screen.lacking)),
            row("set on the root", names(screen.rootProperties)),
        ] + rows(of: screen.signals)
    }

    private func rows(of signals: [Fact]) -> [String] {
        signals.map { row("\($0.name) by", $0.value ?? palette.faint("nothing")) }
    }

    private func manager(of screen: Diagnosis.Screen) -> String {
        guard let manager = screen.manager else { return "none: nobody holds SubstructureRedirect" }
        let name = manager.name?.escapedForTerminal ?? "one without a name"
        let pid = manager.pid.map { ", pid \($0)" } ?? ""
        return name + pid
    }

    private func section(_ title: String, _ sentences: [String]) -> [String] {
        sentences.isEmpty
            ? [] : ["", palette.strong(title)] + sentences.map { "  \($0.escapedForTerminal)" }
    }

    private func names(_ names: [String]) -> String {
        names.isEmpty ? palette.faint("nothing") : names.joined(separator: " ")
    }

    private func row(_ name: String, _ value: String) -> String {
        "  \(name.padded(to: Self.nameWidth))\(value)"
    }
}
