import Console
import PhaseWatch

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
