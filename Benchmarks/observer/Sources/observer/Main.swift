import Glibc
import PhaseWatch

/// observer APPLICATION: follows one application through the library, without settling. Prints its name and phase for
/// each change, until a signal ends the program.
@main
enum Main {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else { throw Misuse() }
        let name = CommandLine.arguments[1]
        let monitor = try PhaseMonitor(PhaseMonitor.Options(settle: .zero))
        let observation = monitor.onChange(of: .application(name), initial: true) { _, phase in
            Line.write("\(name) \(phase?.rawValue ?? "closed")\n")
        }
        withExtendedLifetime(observation) {
            while true { pause() }
        }
    }
}

enum Line {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

struct Misuse: Error, CustomStringConvertible {
    let description = "usage: observer APPLICATION"
}
