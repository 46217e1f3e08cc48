import PhaseWatch
import Scenes

/// What `explain` writes for people: what a user pastes into a bug report.
struct ExplanationText {
    private static let nameWidth = 28

    let palette: Palette

    func text(of report: ExplanationReport) -> String {
        var lines = report.applications.map(line)
        for window in report.windows { lines += [""] + paragraph(about: window) }
        for (number, screen) in report.screens.enumerated() {
            lines += ["", palette.strong("screen \(number)")] + rows(of: screen.facts)
        }
        lines += ["", palette.strong("focus"), "  \(focus(report))"]
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(about application: ExplanationReport.Application) -> String {
        let phase = palette.phase(application.phase.rawValue, application.phase)
        return
            "\(palette.strong(application.name.escapedForTerminal)) is \(phase), as its scene \(application.scene) is"
    }

    private func paragraph(about explanation: Explanation) -> [String] {
        let window = explanation.window
        let title = window.title.map { " \"\($0.escapedForTerminal)\"" } ?? ""
        let phase = explanation.phase.map { palette.phase($0.rawValue, $0) } ?? "no scene"
        var lines = ["\(palette.strong(window.id.description))\(title): \(phase)"]
        lines.append(
            "  \(explanation.line.sentence)" + (explanation.isFocused ? ", and it has the focus" : ""))
        if let scene = explanation.scene, scene != window.id {
            lines.append("  it is a dialog of the same application, and part of the scene \(scene)")
        }
        return lines + rows(of: explanation.facts)
    }

    private func rows(of facts: [Fact]) -> [String] {
        facts.map {
            "  \($0.name.padded(to: Self.nameWidth))\($0.value.map(\.escapedForTerminal) ?? palette.faint("not set"))"
        }
    }

    private func focus(_ report: ExplanationReport) -> String {
        guard let holder = report.focusHolder else { return "no window has it" }
        let lent = report.focusChain.filter { $0 != holder }
        let rest =
            lent.isEmpty ? "" : ", which lends it to \(lent.map(\.description).joined(separator: ", "))"
        return "\(holder) has it, says \(report.focusSource.rawValue)\(rest)"
    }
}
