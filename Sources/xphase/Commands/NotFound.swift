import PhaseWatch
import Scenes

/// What was asked for is not on the display.
struct NotFound: Error, CustomStringConvertible {
    private static let mostNames = 12

    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func application(_ glob: String, on desktop: Desktop) -> NotFound {
        application(glob, among: desktop.windows.values.filter(desktop.isScene).map(\.application))
    }

    static func application(_ glob: String, among events: [Event]) -> NotFound {
        application(glob, among: events.compactMap { $0.change?.application })
    }

    /// Names the nearest of the applications that there are, or all of them.
    private static func application(_ glob: String, among applications: [String]) -> NotFound {
        let names = Set(applications).sorted()
        let fault = "no application matches '\(glob.escapedForTerminal)'"
        if let near = NearestWord.to(glob, among: names) {
            return NotFound("\(fault): did you mean '\(near.escapedForTerminal)'?")
        }
        let shown = names.prefix(mostNames).map(\.escapedForTerminal).joined(separator: ", ")
        let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
        return NotFound("\(fault): \(names.isEmpty ? "there is none" : "there are \(shown)\(rest)")")
    }
}
