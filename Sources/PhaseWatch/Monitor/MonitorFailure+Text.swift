import Scenes
import System

extension MonitorFailure: CustomStringConvertible {
    /// The failure and, where possible, its remedy.
    public var description: String {
        switch self {
        case .cannotOpenDisplay(""):
            "DISPLAY is not set: run inside an X session, or name a display in the options"
        case .cannotOpenDisplay(let name):
            "cannot open display '\(name)': check that an X server runs there and that this user may use it"
        case .displayFull(let name):
            "the X server of display '\(name)' has no room for another client: end a program that uses the display"
        case .displayLost(let name):
            "the X server of display '\(name)' went away"
        case .displaySilent(let name):
            "the X server of display '\(name)' does not answer: it is stopped, or a client has grabbed it"
        case .system(let call, let code): SystemError(call, code).description
        case .titlesNotRead:
            "a subject names titles, which are not read: add .titles to PhaseMonitor.Options.details"
        }
    }

    init(_ error: SystemError) { self = .system(call: error.cause.call, code: error.code) }
}
