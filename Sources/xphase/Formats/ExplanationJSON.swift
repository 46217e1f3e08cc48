import Console
import PhaseWatch

/// The output of `explain --json`: one object for each application and window, for the session, the screen and the
/// focus.
enum ExplanationJSON {
    static func lines(of explanation: Explanation) -> [UInt8] {
        var lines: [UInt8] = []
        for application in explanation.applications {
            var json = begin("application")
            json.add("application", application.name)
            json.add("phase", application.phase.rawValue)
            json.add("scene", application.scene.description)
            lines += json.line()
        }
        for window in explanation.windows {
            var json = begin("window")
            json.add("application", window.application)
            json.add("group", window.group)
            json.add("window", window.id.description)
            json.add("scene", window.scene?.description)
            json.add("phase", window.phase?.rawValue)
            json.add("rule", window.rule)
            json.add("focused", window.isFocused)
            json.add("coveredPixels", window.cover?.pixels)
            json.add("coveredBy", window.cover?.windows.map(\.description) ?? [])
            json.add("title", window.title)
            json.add("facts", window.facts.map(pair))
            lines += json.line()
        }
        var session = begin("session")
        session.add("limits", explanation.limits.map(\.name))
        session.add("sentences", explanation.limits.compactMap(\.value))
        session.add("facts", explanation.session.map(pair))
        lines += session.line()
        var screen = begin("screen")
        screen.add("facts", explanation.screen.map(pair))
        lines += screen.line()
        var json = begin("focus")
        json.add("window", explanation.focus.holder?.description)
        json.add("source", explanation.focus.source)
        json.add("chain", explanation.focus.chain.map(\.description))
        return lines + json.line()
    }

    private static func begin(_ kind: String) -> JSONWriter {
        var json = JSONWriter()
        json.add("v", 1)
        json.add("kind", kind)
        return json
    }

    private static func pair(_ fact: Fact) -> (name: String, value: String?) { (fact.name, fact.value) }
}
