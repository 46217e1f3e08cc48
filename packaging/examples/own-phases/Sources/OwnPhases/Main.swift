import PhaseWatch

/// Shows a window and writes the phase of this program, a line for each change, until the window is closed.
@main
enum Main {
    static func main() throws {
        guard let window = Window(title: "own phases") else { throw NoDisplay() }
        let monitor = try PhaseMonitor()
        let observation = monitor.onChange(of: .ownProcess) { _, phase in
            Line.write(phase?.rawValue ?? "closed")
        }
        window.show()
        window.runUntilClosed()
        observation.cancel()
    }
}

struct NoDisplay: Error {}
