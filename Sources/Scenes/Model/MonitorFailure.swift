/// The reason why a monitor or a watcher cannot start, or ended by itself.
public enum MonitorFailure: Error, Hashable, Sendable {
    /// No connection to the display can be made; the name is empty if the variable `DISPLAY` is not set.
    case cannotOpenDisplay(String)
    /// The X server of the display of this name has as many clients as it accepts.
    case displayFull(String)
    /// The X server closed the connection to the display of this name.
    case displayLost(String)
    /// The X server of the display of this name does not respond.
    case displaySilent(String)
    /// A system call failed; `code` is its errno.
    case system(call: String, code: Int32)
    /// A subject names titles, but `PhaseMonitor.Options.details` has no titles.
    case titlesNotRead
}
