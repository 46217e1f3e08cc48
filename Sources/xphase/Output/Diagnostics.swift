import Console
import Glibc
import PhaseWatch
import System

/// Messages on stderr, which start with the name of the program.
enum Diagnostics {
    static func line(_ text: String) -> [UInt8] {
        let lines = text.split(separator: "\n").map { String($0).escapedForTerminal }
        return Array("xphase: \(lines.joined(separator: "\n"))\n".utf8)
    }

    /// Whether stderr is the log that `xphase session start` opens without systemd, which would add the times.
    static var hasOwnFile: Bool {
        guard let state = try? Environment.own.stateDirectory() else { return false }
        return SystemString("/proc/self/fd/2").linkTarget?.description.hasPrefix("\(state)/log-") ?? false
    }

    static func say(_ text: String) {
        let line = line(text)
        // There is nowhere to report a failure.
        _ = write(STDERR_FILENO, line, line.count)
    }
}

extension Log {
    /// Messages on stderr that never block.
    ///
    /// - Parameter words: Returns a message in the words of the command.
    static func diagnostics(_ words: @escaping (String) -> String = { $0 }) -> Log {
        let isDated = Diagnostics.hasOwnFile
        return Log(StandardOutput.withoutWaiting(STDERR_FILENO)) { text in
            (isDated ? Array("\(Timestamp.now().local.text("%Y-%m-%d %H:%M:%S")) ".utf8) : [])
                + Diagnostics.line(words(text))
        }
    }

    /// The output of commands on stdout, or that of hooks, escaped for a terminal.
    static func standardOutput(isEscaped: Bool) -> Log {
        Log(StandardOutput.withoutWaiting(), complain: diagnostics().say) {
            Array("\(isEscaped ? $0.escapedForTerminal : $0)\n".utf8)
        }
    }
}
