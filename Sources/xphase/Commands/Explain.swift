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
        let display = try io.knownDisplay(subject.display)
        let inspector = try OpenDisplay.inspector(io.options(on: display), io)
        let names =
            pick
            ? [Pattern("\(try Picking.window(inspector).id.xid)")]
            : try subject.names.map { try explained($0, inspector) }
        let explanation = try inspector.explain(
            .any(names.map { name in name.window.map { .scene($0) } ?? .application(name.text) }))
        for name in names where !explanation.windows.contains(where: name.names) {
            let failure = CommandFailure.nothing(named: name, among: try inspector.explain(.all).windows)
            if explanation.windows.isEmpty { throw try io.closedFailure(of: names, on: display) ?? failure }
            io.say(failure.description)
        }
        let service = try io.statusIfItAnswers(inspector.displayName)
        if service != nil { try warnOfOtherOptions(explanation, inspector.displayName, io) }
        if json { return try io.write(explanation.json) }
        let freezes = service.map { Freezes($0.rows) } ?? Freezes(left: io.environment)
        try io.write(ExplanationText(palette: io.palette).text(of: explanation, freezes))
        let applications = Set(explanation.windows.filter { $0.scene != nil }.map(\.application)).sorted()
        let hooks = try service.map {
            try lastEvents(of: applications, in: $0, on: inspector.displayName, io)
        }
        if let hooks, !hooks.isEmpty {
            try io.write(lines: ["", "hooks"] + hooks.map { "  \($0.hook): \($0.line(at: .now()))" })
        }
    }

    /// Returns the scene of a window that is inside of a client's window; otherwise the name itself.
    private func explained(_ name: Pattern, _ inspector: DisplayInspector) throws -> Pattern {
        guard let window = name.window, try inspector.explain(.scene(window)).windows.isEmpty,
            let scene = try inspector.scene(of: window)?.scene
        else { return name }
        return Pattern("\(scene.xid)")
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
                    "'xphase run' reports \(change.application) as \(phase.rawValue): it has other options, "
                        + "or has not reported the last change yet"
                        .escapedForTerminal)
            }
        }
    }

    /// Returns the last event of each hook for each of these applications.
    private func lastEvents(
        of names: [String], in service: HookSink.Status, on display: String, _ io: CommandIO
    ) throws -> [HookEvent] {
        let client = try VarlinkClient(display: display, environment: io.environment)
        return Set(service.rows.map(\.hook)).sorted().flatMap { hook in
            // A hook that a reload has removed may still be ending.
            let events = (try? client.why(hook)) ?? []
            return names.compactMap { name in events.last { $0.application == name } }
        }
    }
}

/// The output of `explain`, for people and for bug reports.
private struct ExplanationText {
    private static let nameWidth = 28

    let palette: Palette

    func text(of explanation: Explanation, _ freezes: Freezes) -> String {
        var lines = explanation.applications.flatMap { application in
            let words = freezes.words(about: application.name)
            return [line(about: application)] + words.map { "  it is \($0)".escapedForTerminal }
        }
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
    fileprivate var json: [UInt8] {
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
