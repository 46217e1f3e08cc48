import ArgumentParser

/// The commands as shells complete them. ArgumentParser's scripts do not look into the default command, so that its
/// options are those of the program here: `xphase --js` is `xphase watch --json`.
struct CompletedXPhase: ParsableCommand {
    static let configuration = XPhase.configuration

    @OptionGroup var log: LogOptions

    /// Whether it is a shell that calls, for its script or for completions.
    static func isMeant(by arguments: [String]) -> Bool {
        arguments.first == "---completion"
            || arguments.contains { $0.hasPrefix("--generate-completion-script") }
    }
}
