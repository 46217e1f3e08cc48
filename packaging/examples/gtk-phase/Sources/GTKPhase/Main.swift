import CGTK
import PhaseWatch

/// Shows a window with the phase of this program until the window is closed.
@main
enum Main {
    @MainActor static func main() throws {
        // A monitor sees no Wayland windows.
        gdk_set_allowed_backends("x11")
        // The class of the window.
        g_set_prgname("gtk-phase")
        guard gtk_init_check() != 0 else { throw NoDisplay() }
        let window = PhaseWindow()
        let monitor = try PhaseMonitor(.init(deliver: .init { addToMainLoop($0) }))
        let observation = try monitor.onChange(of: .ownProcess, initial: true) { _, phase in
            MainActor.assumeIsolated { window.show(phase) }
        }
        window.run()
        observation.cancel()
    }

    /// Runs work in GTK's main loop, in the order in which any thread adds it.
    private static func addToMainLoop(_ work: @escaping @Sendable () -> Void) {
        let function: GSourceFunc = { data in
            if let data { Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body() }
            return G_SOURCE_REMOVE
        }
        g_idle_add(function, Unmanaged.passRetained(Work(work)).toOpaque())
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

struct NoDisplay: Error {}
