import Glibc
import PhaseWatch

/// Shows a window and prints the phase of this program, a line for each change, until the window is closed.
@main
enum Main {
    static func main() throws {
        guard let window = Window(title: "own phases") else { throw NoDisplay() }
        let monitor = try PhaseMonitor()
        // Called in the thread of the monitor. The main thread waits for events of the window.
        let observation = try monitor.onChange(of: .ownProcess, initial: true) { _, phase in
            print(phase?.rawValue ?? "closed")
            fflush(nil)
        }
        window.show()
        window.waitUntilClosed()
        observation.cancel()
    }
}

struct NoDisplay: Error {}
