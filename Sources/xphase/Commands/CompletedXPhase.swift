import ArgumentParser

/// The commands as shells complete them: `xphase` itself has the options of `watch`, since ArgumentParser's scripts
/// do not look into the default command.
struct CompletedXPhase: ParsableCommand {
    static let configuration = XPhase.configuration

    @OptionGroup var log: LogOptions

    /// Whether it is a shell that calls, for its script or for completions.
    static func isMeant(by arguments: [String]) -> Bool {
        arguments.first == "---completion"
            || arguments.contains { $0.hasPrefix("--generate-completion-script") }
    }
}
