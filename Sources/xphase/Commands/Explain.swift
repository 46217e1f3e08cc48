import ArgumentParser
import PhaseWatch
import Scenes

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell why an application or a window is in its phase.",
        usage: "xphase explain <application|window> [options]",
        discussion: """
            It shows every fact that was read, the line of the rule that decided, and who has the focus: \
            what belongs into a bug report.

            EXAMPLES
              xphase explain firefox
              xphase explain 0x2c00007
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A glob for the class name or instance name, or a window's id as xwininfo and 'xphase list' write it.",
            valueName: "application|window"), completion: .application)
    var subject: String

    @Flag(help: "Write JSON objects, one a line.")
    var json = false

    @OptionGroup var options: DisplayOptions

    func run() throws {
        let desktop = try OpenDisplay.watcher(options.watchOptions).seen()
        let report = ExplanationReport(
            on: desktop, under: options.watchOptions.policy, isWanted: isWanted(on: desktop))
        guard !report.windows.isEmpty else { throw nothingFound(on: desktop) }
        try StandardOutput.write(
            json
                ? ExplanationJSON.lines(of: report)
                : Array(ExplanationText(palette: .forStandardOutput).text(of: report).utf8))
    }

    /// A window is explained even if it is no scene; an application by its scenes and their dialogs.
    private func isWanted(on desktop: Desktop) -> (SeenWindow) -> Bool {
        if let xid = Self.windowID(subject) { return { $0.id.xid == xid } }
        let pattern = ApplicationPattern(subject)
        return { window in
            desktop.isScene(window) && (pattern.matches(window.application) || pattern.matches(window.group))
        }
    }

    private func nothingFound(on desktop: Desktop) -> NotFound {
        if Self.windowID(subject) != nil {
            return NotFound("there is no window \(subject) on this display, or it is a window manager's own")
        }
        return .application(subject, on: desktop)
    }

    /// `0x2c00007` or a decimal number; nil for a name.
    private static func windowID(_ text: String) -> UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }
}
