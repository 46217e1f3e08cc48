import Testing

@testable import xphase

/// The help pages of all commands.
@Suite struct HelpTests {
    private static let pages: [[String]] = xphase.XPhase.configuration.subcommands.flatMap { command in
        let own = [command._commandName]
        return [own] + command.configuration.subcommands.map { own + [$0._commandName] }
    }

    @Test(arguments: pages + [[], ["exit-codes"]]) func eachFitsAScreen(_ path: [String]) {
        let help = XPhase.call(["help"] + path)
        let lines = help.output
        #expect(help.code == 0 && help.errors.isEmpty)
        #expect(!lines.isEmpty && lines.count <= 50)
        #expect(lines.filter { $0.count > 80 } == [])
    }

    /// Other pages only name the options that `watch` describes.
    @Test(arguments: pages) func commonOptionsAreDescribedOnce(_ path: [String]) throws {
        let lines = XPhase.call(["help"] + path).output
        let isWatch = path == ["watch"]
        let option = XPhase.call(path + ["--help"])
        #expect(option.code == 0 && option.output == lines && option.errors.isEmpty)
        let name =
            isWatch
            ? "[watch]" : path == ["hooks", "status"] ? "hooks [status]" : path.joined(separator: " ")
        #expect(lines.contains { $0.hasPrefix("USAGE: xphase \(name)") }, "\(lines)")
        #expect(lines.contains("  -h, --help              Show help information.") == isWatch)
        let heading = try #require(lines.firstIndex { $0.hasPrefix("COMMON OPTIONS") })
        let names = lines[heading...].dropFirst().prefix { !$0.isEmpty }
            .map { $0.drop { $0 == " " } }.joined(separator: ", ")
        #expect(isWatch || names.hasSuffix("--version, -h, --help"))
        #expect(lines.filter { $0.contains("The X display. (default: $DISPLAY)") }.count == (isWatch ? 1 : 0))
    }
}
