import PhaseWatch
import Scenes

/// What `explain` writes for programs: one object each for applications, windows, screens and the focus.
enum ExplanationJSON {
    static func lines(of report: ExplanationReport) -> [UInt8] {
        var lines: [UInt8] = []
        for application in report.applications {
            var json = begin("application")
            json.add("application", application.name)
            json.add("phase", application.phase.rawValue)
            json.add("scene", application.scene.description)
            lines += json.line()
        }
        for window in report.windows {
            var json = begin("window")
            json.add("application", window.window.application)
            json.add("group", window.window.group)
            json.add("window", window.window.id.description)
            json.add("scene", window.scene?.description)
            json.add("phase", window.phase?.rawValue)
            json.add("rule", window.line.rawValue)
            json.add("focused", window.isFocused)
            json.add("title", window.window.title)
            json.add("facts", window.facts.map(\.pair))
            lines += json.line()
        }
        for (number, screen) in report.screens.enumerated() {
            var json = begin("screen")
            json.add("screen", number)
            json.add("facts", screen.facts.map(\.pair))
            lines += json.line()
        }
        var json = begin("focus")
        json.add("window", report.focusHolder?.description)
        json.add("source", report.focusSource.rawValue)
        json.add("chain", report.focusChain.map(\.description))
        return lines + json.line()
    }

    private static func begin(_ kind: String) -> JSONWriter {
        var json = JSONWriter()
        json.add("v", 1)
        json.add("kind", kind)
        return json
    }
}
