/// Why a display cannot be used, or not any longer.
package enum DisplayError: Error, Equatable {
    /// XOpenDisplay failed; the name is empty where DISPLAY is not set.
    case cannotOpen(String)
    /// The server closed the connection.
    case connectionLost(String)
}
