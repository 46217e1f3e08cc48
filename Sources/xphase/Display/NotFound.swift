import Console
import Hooks
import PhaseWatch

/// The failures for an application or a window that is not on the display.
extension CommandFailure {
    private static let mostNames = 12

    static func noScene(of window: Pattern) -> Self { notFound("no scene has the window \(window.text)") }

    static func nothing(named name: Pattern, among windows: [Explanation.Window]) -> Self {
        if name.window != nil {
            return notFound(
                "there is no window \(name.text) on this display, or it is a window manager's own")
        }
        let applications = Set(windows.map(\.application))
        return noApplication(name.text, among: applications, groups: Set(windows.map(\.group)))
    }

    static func noApplication(_ glob: String, among changes: [Change]) -> Self {
        noApplication(glob, among: Set(changes.map(\.application)), groups: Set(changes.compactMap(\.group)))
    }

    /// Returns the failure for applications of which none is in one of these phases.
    static func noneIs(_ phase: PhaseSet, of changes: [Change]) -> Self {
        let names = Set(changes.map(\.application)).sorted()
        let verb = names.count == 1 ? "is running, but does" : "are running, but do"
        return notFound("\(list(names)) \(verb) not match --phase \(phase.text)")
    }

    /// Returns the failure whose message suggests the nearest name, or lists the applications.
    static func noApplication(
        _ glob: String, among applications: Set<String>, groups: Set<String>, _ place: String = "running now"
    ) -> Self {
        let names = applications.sorted()
        let fault = "no application matches '\(glob.escapedForTerminal)'"
        if let near = nearest(to: glob, among: names) ?? nearest(to: glob, among: groups.sorted()) {
            return notFound("\(fault): did you mean '\(near.escapedForTerminal)'?")
        }
        return notFound(
            "\(fault); \(names.isEmpty ? "no application is running" : "\(place): \(list(names))")")
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(mostNames).map(\.escapedForTerminal).joined(separator: ", ")
        return shown + (names.count > mostNames ? " and \(names.count - mostNames) more" : "")
    }

    /// Returns the name that was probably meant: mistyped, or typed in part.
    static func nearest(to glob: String, among names: [String]) -> String? {
        if let near = NearestWord.to(glob, among: names) { return near }
        let parts = names.map { name in
            (name, name.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        }
        let part = NearestWord.to(glob, among: parts.flatMap(\.1))
        return parts.first { $0.1.contains { $0 == part } }?.0
            ?? names.first { $0.lowercased().contains(glob.lowercased()) }
    }
}
