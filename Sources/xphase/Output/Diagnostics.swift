import Glibc
import PhaseWatch

/// What is said to people: on stderr, behind the program's name.
enum Diagnostics {
    static func say(_ text: String) {
        let lines = text.split(separator: "\n").map { String($0).escapedForTerminal }
        let line = Array("xphase: \(lines.joined(separator: "\n"))\n".utf8)
        // Nobody is left to be told that this failed.
        _ = write(STDERR_FILENO, line, line.count)
    }
}
