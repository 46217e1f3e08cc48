import PhaseWatch
import Scenes
import X11

/// What `doctor` writes.
struct DiagnosisText {
    private static let nameWidth = 16

    let palette: Palette

    func text(of diagnosis: Diagnosis) -> String {
        let server = diagnosis.server
        var lines = [
            row("display", "\(server.display), \(server.vendor.escapedForTerminal) \(server.release)"),
            row("session", diagnosis.isWayland ? "Wayland, seen through XWayland" : "X11"),
        ]
        for (number, screen) in diagnosis.screens.enumerated() {
            lines += ["", palette.strong("screen \(number)")] + rows(about: screen)
        }
        lines += section("missing", diagnosis.gaps)
        lines += section("wrong", diagnosis.faults)
        let verdict =
            diagnosis.faults.isEmpty ? "Phases can be trusted here." : "Phases cannot be trusted here."
        return (lines + ["", verdict]).map { $0 + "\n" }.joined()
    }

    private func rows(about diagnosis: ScreenDiagnosis) -> [String] {
        let set = diagnosis.hints.set
        let supported = diagnosis.supported
        let all = ManagerHints.rootProperties + ManagerHints.states
        return [
            row("window manager", manager(of: diagnosis)),
            row("supports", names(all.filter(supported.contains))),
            row("lacks", names(all.filter { !supported.contains($0) })),
            row("set on the root", names(ManagerHints.rootProperties.filter(set.contains))),
        ] + diagnosis.signals.map { row("\($0.name) by", $0.value ?? "nothing") }
    }

    private func manager(of diagnosis: ScreenDiagnosis) -> String {
        guard let manager = diagnosis.screen.manager else { return "none: nobody holds SubstructureRedirect" }
        let name = manager.name?.escapedForTerminal ?? "one without a name"
        let pid = diagnosis.hints.pid.map { ", pid \($0)" } ?? ""
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
