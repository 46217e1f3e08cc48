/// The exit codes, those of sysexits.h where one fits.
enum Exit {
    static let done: Int32 = 0
    /// There is no such thing; of `doctor`: there is nothing to rely on.
    static let notFound: Int32 = 1
    static let misuse: Int32 = 64
    /// No display, or the X server went away.
    static let noDisplay: Int32 = 69
    static let system: Int32 = 71
    static let outputFailed: Int32 = 74
    /// Another `xphase run` serves the display.
    static let alreadyServed: Int32 = 75
    /// The configuration is wrong.
    static let configuration: Int32 = 78
    /// The time is over, as timeout(1) has it.
    static let timedOut: Int32 = 124
}

/// Arguments that make no sense; the message names the valid words.
struct Misuse: Error, CustomStringConvertible {
    let message: String

    var description: String { message }

    init(_ message: String) {
        self.message = message
    }
}
