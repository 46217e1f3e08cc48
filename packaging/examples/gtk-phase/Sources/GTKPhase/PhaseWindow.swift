import CGTK
import Glibc
import PhaseWatch

/// A window with a phase in words and as its colour, and with a counter that runs in the active phase only.
@MainActor
final class PhaseWindow {
    private static let style = """
        label { color: black; font-size: 40px; }
        #active { background: #40c060; }
        #inactive { background: #e0c040; }
        #background { background: #60686c; }
        """

    private let window = gtk_window_new()
    private let label = gtk_label_new(nil)
    private var phase: ScenePhase?
    private var count = 0
    /// The GLib source that counts; 0 for none.
    private var timer: guint = 0

    init() {
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_data(provider, Self.style, -1)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
        )
        gtk_window_set_title(asWindow, "GTK phase")
        gtk_window_set_default_size(asWindow, 300, 200)
        gtk_window_set_child(asWindow, label)
        // Otherwise the window would be freed when it is closed.
        gtk_window_set_hide_on_close(asWindow, 1)
    }

    /// Shows the window, and runs the main loop until the window is closed.
    func run() {
        gtk_window_present(asWindow)
        while gtk_widget_get_visible(window) != 0 { g_main_context_iteration(nil, 1) }
    }

    func show(_ phase: ScenePhase?) {
        self.phase = phase
        gtk_widget_set_name(window, phase?.rawValue)
        if phase == .active { resume() } else { pause() }
        showText()
        write(phase?.rawValue ?? "no window")
    }

    private func resume() {
        guard timer == 0 else { return }
        write("resumed at \(count)")
        let function: GSourceFunc = { data in
            guard let data else { return G_SOURCE_REMOVE }
            let window = Unmanaged<PhaseWindow>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { window.tick() }
            // G_SOURCE_CONTINUE, which Swift does not import.
            return 1
        }
        timer = g_timeout_add(100, function, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Removes the timer: one that only skipped its work would still wake the process.
    private func pause() {
        guard timer != 0 else { return }
        g_source_remove(timer)
        timer = 0
        write("paused at \(count)")
    }

    private func tick() {
        count += 1
        showText()
    }

    private func showText() {
        gtk_label_set_text(OpaquePointer(label), "\(phase?.rawValue ?? "")\n\(count)")
    }

    private var asWindow: UnsafeMutablePointer<GtkWindow>? {
        UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self)
    }

    /// Writes a line immediately, also to a pipe.
    private func write(_ line: String) {
        print(line)
        fflush(nil)
    }
}
