import Observation
import PhaseModels

/// Shows a window and prints the phase of this program, a line for each change, until the window is closed. With a FILE,
/// it writes a line to it whenever it enters the background.
@main
enum Main {
    @MainActor static func main() throws {
        guard let window = Window(title: "own phases") else { throw NoDisplay() }
        let loop = MainLoop()
        // The monitor delivers to this thread, which also shows the window.
        let monitor = try PhaseMonitor(.init(deliver: .init { loop.add($0) }))
        let model = PhaseModel(of: .ownProcess, in: monitor)
        write(model, loop)
        let saving = CommandLine.arguments.dropFirst().first.map { file in
            monitor.onChange(of: .ownProcess) { [weak monitor] _, phase in
                // The service may freeze programs in the background.
                if phase == .background { monitor?.hold("saving") { Line.write("saved", to: file) } }
            }
        }
        window.show()
        loop.run(with: window)
        withExtendedLifetime(saving) {}
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
