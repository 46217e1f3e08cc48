import Glibc
import PhaseWatch

/// Shows a window and prints the phase of this program, a line for each change, until the window is closed. With a FILE,
/// it writes a line to it whenever it enters the background.
@main
enum Main {
    static func main() throws {
        guard let window = Window(title: "own phases") else { throw NoDisplay() }
        let file = CommandLine.arguments.dropFirst().first
        let monitor = try PhaseMonitor()
        // Called in the thread of the monitor. The main thread waits for events of the window.
        let observation = monitor.onChange(of: .ownProcess, initial: true) { [weak monitor] _, phase in
            print(phase?.rawValue ?? "closed")
            fflush(nil)
            guard phase == .background, let file else { return }
            // The service may freeze programs in the background.
            monitor?.hold("saving") { save(to: file) }
        }
        window.show()
        window.waitUntilClosed()
        observation.cancel()
    }

    private static func save(to file: String) {
        guard let stream = fopen(file, "a") else { return }
        fputs("saved\n", stream)
        fclose(stream)
    }
}

struct NoDisplay: Error {}
