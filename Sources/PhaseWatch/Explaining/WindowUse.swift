import Glibc
import X11

/// Checks whether an application is in use although none of its windows can be seen.
///
/// It has its own connection to the display and waits for replies. Do not use it in an event loop.
package struct WindowUse {
    private let display: Display
    private let windows: [UInt32]

    /// Opens a display.
    ///
    /// - Parameters:
    ///   - windows: The windows of the application, by X resource ID.
    ///   - display: The name of the display; nil for the one that `DISPLAY` names.
    /// - Throws: `PhaseMonitor.Failure`. XOpenDisplay has no time limit.
    package init(of windows: [UInt32], on display: String? = nil) throws(PhaseMonitor.Failure) {
        self.windows = windows
        self.display = try Display(display)
    }

    /// Returns whether one of the windows is fullscreen, even if it cannot be seen.
    package func isFullscreen() throws(PhaseMonitor.Failure) -> Bool {
        try display.isFullscreen(anyOf: windows)
    }

    /// Returns whether the application owns CLIPBOARD or PRIMARY. If it did not respond, its selection could not be
    /// pasted anywhere.
    ///
    /// - Parameter processes: All processes of the application: one of them may have a connection without windows.
    package func ownsSelection(_ processes: Set<Int32>) throws(PhaseMonitor.Failure) -> Bool {
        try display.ownsSelection(anyOf: windows, processes: processes)
    }

    /// Returns the processes of the display's window managers and compositors, for which other clients wait.
    package func managers() throws(PhaseMonitor.Failure) -> Set<Int32> {
        try display.managers()
    }

    /// Returns whether the application has an open menu or another unmanaged window. A stopped application would not
    /// release the pointer and the keyboard that a menu has grabbed.
    ///
    /// - Parameter processes: All processes of the application.
    package func hasMenu(_ processes: Set<Int32>) throws(PhaseMonitor.Failure) -> Bool {
        try display.hasMenu(ofClientOf: windows, processes: processes)
    }

    /// Returns whether the pointer or the keyboard stays grabbed for a second. A key that is held down is a grab, too.
    package func staysGrabbed() throws(PhaseMonitor.Failure) -> Bool {
        for _ in 1...20 {
            if try !display.isInputGrabbed() { return false }
            usleep(50_000)
        }
        return true
    }
}
