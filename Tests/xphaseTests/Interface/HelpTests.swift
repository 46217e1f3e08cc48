import Testing

@testable import xphase

/// The help pages of all commands.
struct HelpTests {
    private static let pages: [[String]] = xphase.XPhase.configuration.subcommands.flatMap { command in
        let own = [command.configuration.commandName].compactMap(\.self)
        return [own]
            + command.configuration.subcommands.compactMap { part in
                part.configuration.commandName.map { own + [$0] }
            }
    }

    @Test(arguments: pages + [[]]) func eachFitsTheWidthAndIsTheSameByTheOption(_ path: [String]) {
        let help = XPhase.call(["help"] + path)
        #expect(help.code == 0 && help.errors.isEmpty)
        #expect(help.output.filter { $0.count > 80 } == [])
        let option = XPhase.call(path + ["--help"])
        #expect(option.code == 0 && option.output == help.output && option.errors.isEmpty)
        let name = path == ["hooks", "status"] ? "hooks [status]" : path.joined(separator: " ")
        let usage = "USAGE: xphase \(path.isEmpty || path == ["watch"] ? "[watch]" : name)"
        #expect(help.output.contains { $0.hasPrefix(usage) }, "\(help)")
        // A command with many options is hard to read.
        #expect(help.output.count { $0.hasPrefix("  -") } <= 15)
    }
}
