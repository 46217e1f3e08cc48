/// Why a display cannot be used, or not any longer.
package enum DisplayError: Error, Equatable, CustomStringConvertible {
    /// XOpenDisplay failed; the name is empty where DISPLAY is not set.
    case cannotOpen(String)
    /// The server closed the connection.
    case connectionLost(String)

    package var description: String {
        switch self {
        case .cannotOpen(""):
            "DISPLAY is not set: run inside an X session or pass --display"
        case .cannotOpen(let name):
            "cannot open display '\(name)': check that an X server runs there and that this user may use it "
                + "(echo $DISPLAY in a terminal of the session; xauth list), or pass --display"
        case .connectionLost(let name):
            "the X server of display '\(name)' went away"
        }
    }
}
