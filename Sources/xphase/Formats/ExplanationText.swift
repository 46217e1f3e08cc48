import Console
import PhaseWatch

/// The output of `explain`, for people and for bug reports.
struct ExplanationText {
    private static let nameWidth = 28

    let palette: Palette

    func text(of explanation: Explanation) -> String {
        var lines = explanation.applications.map(line)
        for window in explanation.windows { lines += [""] + paragraph(about: window) }
        lines += ["", palette.strong("session")]
        let limits = explanation.limits.compactMap { $0.value?.escapedForTerminal }
        lines += limits.map { "  \($0)" } + rows(of: explanation.session)
        lines += ["", palette.strong("screen")] + rows(of: explanation.screen)
        lines += ["", palette.strong("focus"), "  \(who(explanation.focus))"]
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(about application: Explanation.Application) -> String {
        let phase = palette.phase(application.phase.rawValue, application.phase)
        return
            "\(palette.strong(application.name.escapedForTerminal)) is \(phase), because its scene \(application.scene) is"
    }

    private func paragraph(about window: Explanation.Window) -> [String] {
        let title = window.title.map { " \"\($0.escapedForTerminal)\"" } ?? ""
        let phase = window.phase.map { palette.phase($0.rawValue, $0) } ?? "no scene"
        var lines = ["\(palette.strong(window.id.description))\(title): \(phase)"]
        lines.append(
            "  \(window.sentence.escapedForTerminal)" + (window.isFocused ? ", and it has the focus" : ""))
        if let scene = window.scene, scene != window.id {
            lines.append("  it is a dialog of the same application, and part of the scene \(scene)")
        }
        return lines + rows(of: window.facts)
    }

    private func rows(of facts: [Fact]) -> [String] {
        facts.map {
            "  \($0.name.padded(to: Self.nameWidth))\($0.value.map(\.escapedForTerminal) ?? palette.faint("not set"))"
        }
    }

    private func who(_ focus: Explanation.FocusHolder) -> String {
        guard let holder = focus.holder else { return "no window has it" }
        let lent = focus.chain.filter { $0 != holder }
        let rest =
            lent.isEmpty ? "" : ", lent to \(lent.map(\.description).joined(separator: ", "))"
        return "\(holder), according to \(focus.source)\(rest)"
    }
}

extension Explanation {
    /// The output of `explain --json`: one object for each application and window, for the session, the screen and the
    /// focus.
    var json: [UInt8] {
        var lines: [UInt8] = []
        for application in applications {
            lines += [UInt8](jsonLine: [
                ("v", .number(1)), ("kind", .text("application")), ("application", .text(application.name)),
                ("phase", .text(application.phase.rawValue)),
                ("scene", .text(application.scene.description)),
            ])
        }
        for window in windows {
            lines += [UInt8](jsonLine: [
                ("v", .number(1)), ("kind", .text("window")), ("application", .text(window.application)),
                ("group", .text(window.group)), ("window", .text(window.id.description)),
                ("scene", .text(window.scene?.description)), ("phase", .text(window.phase?.rawValue)),
                ("rule", .text(window.rule)), ("focused", .flag(window.isFocused)),
                ("coveredPixels", .number(window.cover?.pixels)),
                ("coveredBy", .texts(window.cover?.windows.map(\.description) ?? [])),
                ("title", .text(window.title)), ("facts", .facts(window.facts)),
            ])
        }
        lines += [UInt8](jsonLine: [
            ("v", .number(1)), ("kind", .text("session")), ("limits", .texts(limits.map(\.name))),
            ("sentences", .texts(limits.compactMap(\.value))), ("facts", .facts(session)),
        ])
        lines += [UInt8](jsonLine: [("v", .number(1)), ("kind", .text("screen")), ("facts", .facts(screen))])
        return lines
            + [UInt8](jsonLine: [
                ("v", .number(1)), ("kind", .text("focus")), ("window", .text(focus.holder?.description)),
                ("source", .text(focus.source)), ("chain", .texts(focus.chain.map(\.description))),
            ])
    }
}

extension FieldValue {
    fileprivate static func facts(_ facts: [Fact]) -> Self {
        .object(facts.map { ($0.name, .text($0.value)) })
    }
}
