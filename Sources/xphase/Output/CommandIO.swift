import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// A command, which only prints through its `CommandIO`, except for the lines of a watch.
protocol Command: ParsableCommand {
    /// - Throws: An `ExitCoded` error for each exit code except 0.
    func run(_ io: CommandIO) throws
}

/// The environment and the output of a command, apart from the display; by default, those of the process.
struct CommandIO {
    var environment = Environment.own
    var palette = Palette.forStandardOutput
    /// The columns of the terminal.
    var width = TerminalSize(of: STDOUT_FILENO).columns
    /// Writes data to stdout.
    var put: ([UInt8]) throws(CommandFailure) -> Void = StandardOutput.write
    /// Writes a message to stderr.
    var say: (String) -> Void = Diagnostics.say

    func write(_ bytes: [UInt8]) throws(CommandFailure) { try put(bytes) }

    func write(_ text: String) throws(CommandFailure) { try put(Array(text.utf8)) }

    /// Writes lines, escaped for a terminal.
    func write(lines: [String]) throws(CommandFailure) {
        try write(lines.map { $0.escapedForTerminal + "\n" }.joined())
    }
}

extension CommandIO {
    /// Returns the options of a watch under the rule of the configuration file, under which 'xphase run' works; the
    /// defaults if there is no file.
    ///
    /// - Throws: `ConfigurationError`.
    func options(on display: String?) throws -> PhaseMonitor.Options {
        let locations = HookLocations(config: nil, environment: environment)
        var options = try LoadedHooks(locations).configuration.options
        options.display = display
        return options
    }
}
