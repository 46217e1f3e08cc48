import Loop
import X11

extension PhaseMonitor {
    /// Why a monitor or a watcher cannot begin, or has ended by itself.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// XOpenDisplay failed; the name is empty where the variable `DISPLAY` is not set.
        case cannotOpenDisplay(String)
        /// The X server closed the connection to the display of this name.
        case displayLost(String)
        /// A call to the system failed; `code` is its errno.
        case system(call: String, code: Int32)

        /// What happened, and what to do about it where something can be done.
        public var description: String {
            switch self {
            case .cannotOpenDisplay(""):
                "DISPLAY is not set: run inside an X session, or name a display in the options"
            case .cannotOpenDisplay(let name):
                "cannot open display '\(name)': check that an X server runs there and that this user may use it"
            case .displayLost(let name):
                "the X server of display '\(name)' went away"
            case .system(let call, let code):
                SystemError(call, code).description
            }
        }
    }
}

extension PhaseMonitor.Failure {
    init(_ error: SystemError) {
        self = .system(call: error.call, code: error.code)
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
            }
        }
    }
}
