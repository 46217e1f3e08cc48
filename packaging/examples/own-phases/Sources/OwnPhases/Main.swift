import Observation
import PhaseWatch

/// Shows a window and writes the phase of this program, a line for each change, until the window is closed.
@main
enum Main {
    @MainActor static func main() throws {
        guard let window = Window(title: "own phases") else { throw NoDisplay() }
        let loop = MainLoop()
        // The calls come on this thread, which shows what they are about.
        let monitor = try PhaseMonitor(.init(deliver: .init { loop.add($0) }))
        let model = PhaseModel(of: .ownProcess, monitor)
        write(model, loop)
        window.show()
        loop.run(with: window)
    }

    /// As a view does, reads the model, and once more when that has changed.
    @MainActor private static func write(_ model: PhaseModel, _ loop: MainLoop) {
        withObservationTracking {
            Line.write(model.phase?.rawValue ?? "closed")
        } onChange: {
            // It is about to change.
            loop.add { MainActor.assumeIsolated { write(model, loop) } }
        }
    }
}

struct NoDisplay: Error {}
