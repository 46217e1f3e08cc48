import Console
import Glibc
import Hooks
import PhaseWatch

/// What is said to people: on stderr, behind the program's name.
enum Diagnostics {
    static func line(_ text: String) -> [UInt8] {
        let isOneLine = !text.isEmpty && !text.utf8.contains(UInt8(ascii: "\n"))
        let lines = isOneLine ? [text] : text.split(separator: "\n").map { String($0) }
        let escaped = lines.map(\.escapedForTerminal).joined(separator: "\n")
        return Array("xphase: \(escaped)\n".utf8)
    }

    static func say(_ text: String) {
        let line = line(text)
        // Nobody is left to be told that this failed.
        _ = write(STDERR_FILENO, line, line.count)
    }
}

extension Log {
    /// Diagnostics of a program that must not wait for whoever reads them.
    static var diagnostics: Log {
        Log(StandardOutput.withoutWaiting(STDERR_FILENO), line: Diagnostics.line)
    }

    /// What commands print, on its way to stdout.
    static var standardOutput: Log {
        Log(StandardOutput.withoutWaiting(), complain: diagnostics.say) { Array("\($0)\n".utf8) }
    }

    /// What hooks print, as a terminal may show it.
    static var escapedOutput: Log {
        Log(StandardOutput.withoutWaiting(), complain: diagnostics.say) {
            Array("\($0.escapedForTerminal)\n".utf8)
        }
    }
}
