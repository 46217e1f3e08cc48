import Observation
import PhaseModels

/// Shows a window and prints the phase of this program, a line for each change, until the window is closed.
@main
enum Main {
    @MainActor static func main() throws {
        guard let window = Window(title: "own phases") else { throw NoDisplay() }
        let loop = MainLoop()
        // The monitor delivers to this thread, which also shows the window.
        let monitor = try PhaseMonitor(.init(deliver: .init { loop.add($0) }))
        let model = PhaseModel(of: .ownProcess, in: monitor)
        write(model, loop)
        window.show()
        loop.run(with: window)
    }

    /// Reads the model, and reads it again when it has changed, as a view does.
    @MainActor private static func write(_ model: PhaseModel, _ loop: MainLoop) {
        withObservationTracking {
            Line.write(model.phase?.rawValue ?? "closed")
        } onChange: {
            // Called before the change.
            loop.add { MainActor.assumeIsolated { write(model, loop) } }
        }
    }
}

struct NoDisplay: Error {}
