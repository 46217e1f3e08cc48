import Glibc
import X11

/// How an application is in use though none of its windows can be seen.
///
/// It has a connection to the display of its own, and waits for the answers: not for a loop that others wait for.
public struct WindowUse {
    private let display: Display
    private let windows: [UInt32]

    /// Opens a display.
    ///
    /// - Parameters:
    ///   - windows: Those of the application, by their X resource ids.
    ///   - display: The name of the display; nil for the one that `DISPLAY` names.
    /// - Throws: `PhaseMonitor.Failure`. XOpenDisplay has no time limit.
    public init(of windows: [UInt32], on display: String? = nil) throws(PhaseMonitor.Failure) {
        self.windows = windows
        self.display = try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in try Display(display) }
    }

    /// Whether one of its windows is fullscreen, somewhere.
    public func isFullscreen() throws(PhaseMonitor.Failure) -> Bool {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try display.isFullscreen(anyOf: windows)
        }
    }

    /// Whether CLIPBOARD or PRIMARY belongs to it: what was copied in it could be pasted nowhere if it did not answer.
    ///
    /// - Parameter processes: All of the application: one of them may have a connection without windows.
    public func ownsSelection(_ processes: Set<Int32>) throws(PhaseMonitor.Failure) -> Bool {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try display.ownsSelection(anyOf: windows, processes: processes)
        }
    }

    /// The processes of the window managers and compositors of the display: what asks for their work waits for them.
    public func managers() throws(PhaseMonitor.Failure) -> Set<Int32> {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in try display.managers() }
    }

    /// Whether a menu of it is open, or another window that no window manager manages: if it were stopped, nobody would get
    /// back the pointer and the keyboard that a menu has.
    ///
    /// - Parameter processes: All of the application.
    public func hasMenu(_ processes: Set<Int32>) throws(PhaseMonitor.Failure) -> Bool {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            try display.hasMenu(ofClientOf: windows, processes: processes)
        }
    }

    /// Whether some client keeps the pointer or the keyboard for a second: a key that is held down is a grab, too.
    public func staysGrabbed() throws(PhaseMonitor.Failure) -> Bool {
        try PhaseMonitor.Failure.ofDisplay { () throws(DisplayError) in
            for _ in 1...20 {
                if try !display.isInputGrabbed() { return false }
                usleep(50_000)
            }
            return true
        }
    }
}
