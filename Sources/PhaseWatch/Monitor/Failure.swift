import System
import X11

extension PhaseMonitor {
    /// The reason why a monitor or a watcher cannot start, or ended by itself.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// XOpenDisplay failed; the name is empty if the variable `DISPLAY` is not set.
        case cannotOpenDisplay(String)
        /// The X server closed the connection to the display of this name.
        case displayLost(String)
        /// The X server of the display of this name does not respond.
        case displaySilent(String)
        /// Xlib's connection to the display of this name is unusable: it is not known to be an XCB connection.
        case noConnectionOfXCB(String)
        /// A system call failed; `code` is its errno.
        case system(call: String, code: Int32)

        /// The failure and, where possible, its remedy.
        public var description: String {
            switch self {
            case .cannotOpenDisplay(""):
                "DISPLAY is not set: run inside an X session, or name a display in the options"
            case .cannotOpenDisplay(let name):
                "cannot open display '\(name)': check that an X server runs there and that this user may use it"
            case .displayLost(let name):
                "the X server of display '\(name)' went away"
            case .displaySilent(let name):
                "the X server of display '\(name)' does not answer: it is stopped, or a client has grabbed it"
            case .noConnectionOfXCB(let name):
                "this libX11 does not use XCB in a known way for display '\(name)': xphase needs libX11 1.2 to 1.8"
            case .system(let call, let code):
                SystemError(call, code).description
            }
        }
    }
}

extension PhaseMonitor.Failure {
    init(_ error: SystemError) {
        self = .system(call: error.cause.call, code: error.code)
    }

    static func ofSystem<Result>(_ body: () throws(SystemError) -> Result) throws(Self) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw Self(error)
        }
    }

    static func ofDisplay<Result>(_ body: () throws(DisplayError) -> Result) throws(Self) -> Result {
        do throws(DisplayError) {
            return try body()
        } catch {
            throw switch error {
            case .cannotOpen(let name): .cannotOpenDisplay(name)
            case .connectionLost(let name): .displayLost(name)
            case .noAnswer(let name): .displaySilent(name)
            case .noConnectionOfXCB(let name): .noConnectionOfXCB(name)
            }
        }
    }
}
