import Scenes

/// What was asked for is not on the display.
struct NotFound: Error, CustomStringConvertible {
    private static let mostNames = 12

    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Names the applications that there are.
    static func application(_ glob: String, on desktop: Desktop) -> NotFound {
        let names = Set(desktop.windows.values.filter(desktop.isScene).map(\.application)).sorted()
        let shown = names.prefix(mostNames).map(\.escapedForTerminal).joined(separator: ", ")
        let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
        let there = names.isEmpty ? "there is none" : "there are \(shown)\(rest)"
        return NotFound("no application matches '\(glob.escapedForTerminal)': \(there)")
    }
}
