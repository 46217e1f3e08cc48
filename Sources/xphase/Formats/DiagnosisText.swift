import Console
import PhaseWatch

/// The output of `doctor`.
struct DiagnosisText {
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
