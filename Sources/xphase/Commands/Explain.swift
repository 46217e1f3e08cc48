import ArgumentParser
import PhaseWatch

struct Explain: Command {
    static let configuration = CommandConfiguration(
        command: "explain",
        abstract: "Explain the phase of an application or a window.",
        usage: "xphase explain <application|window>|--pick [options]",
        discussion: """
            Prints every fact that was read, the condition that decided, and the focus. Include it in a bug report.

            EXAMPLES
              xphase explain firefox
              xphase explain 0x2c00007
              xphase explain --pick
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The class or instance name (a glob or a /regex/), or a window id such as 0x2c00007.",
            valueName: "application|window"), completion: .application, transform: Arguments.pattern)
    var subject: Pattern?

    @Flag(help: .pick)
    var pick = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var rule: RuleOptions

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    func validate() throws { try Picking.validate(pick, subject, "<application|window>") }

    func run(_ io: CommandIO) throws {
        let watcher = try OpenDisplay.watcher(rule.options(on: display, io), io)
        let subject = try subject?.text ?? Picking.window(watcher).id.description
        let window = Self.windowID(subject)
        let explanation = try watcher.explain(window.map { .scene($0) } ?? .application(subject))
        guard !explanation.windows.isEmpty else {
            if window != nil {
                throw CommandFailure.notFound(
                    "there is no window \(subject) on this display, or it is a window manager's own")
            }
            throw CommandFailure.noApplication(subject, among: try watcher.explain(.all).windows)
        }
        if json { return try io.write(ExplanationJSON.lines(of: explanation)) }
        try io.write(ExplanationText(palette: io.palette).text(of: explanation))
    }

    /// Parses `0x2c00007` or a decimal number; returns nil for a name.
    private static func windowID(_ text: String) -> UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }
}
