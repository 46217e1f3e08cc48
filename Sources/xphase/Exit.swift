import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

/// Exit codes, from sysexits.h where one fits.
enum Exit {
    static let done: Int32 = 0
    /// No application or window matches. For `doctor`: phases are unreliable on this display.
    static let notFound: Int32 = 1
    static let misuse: Int32 = 64
    /// The file to replay is not a recording, or is incomplete.
    static let badData: Int32 = 65
    /// There is no display, or the connection to the X server is lost. For commands that call a service: none answers.
    /// For `on`: the system lacks what its reactions need.
    static let noDisplay: Int32 = 69
    static let system: Int32 = 71
    static let outputFailed: Int32 = 74
    /// Another `xphase run` serves the display.
    static let alreadyServed: Int32 = 75
    /// The configuration is wrong.
    static let configuration: Int32 = 78
    /// The time limit has expired; the code of timeout(1).
    static let timedOut: Int32 = 124
}

/// The failure of a command.
struct CommandFailure: ExitCoded, CustomStringConvertible {
    let exitCode: Int32
    let messages: [String]

    init(_ exitCode: Int32, _ messages: String...) {
        (self.exitCode, self.messages) = (exitCode, messages)
    }

    var description: String { messages.joined(separator: "\n") }

    /// Returns the failure for invalid arguments. The message names the valid words.
    static func misuse(_ message: String) -> Self {
        Self(Exit.misuse, message)
    }

    static func notFound(_ message: String) -> Self { Self(Exit.notFound, message) }

    /// Returns the failure of every command of root in the environment of another user.
    static func isOf(_ user: OtherUser) -> Self {
        let subject = user.path.map { "'\($0)'" } ?? "the session"
        let own = user.path == nil ? "; in a session of root's own, type unset SUDO_UID first" : ""
        return misuse(
            "\(subject) belongs to \(user.name), not to root: type the command without sudo, as \(user.name)\(own)"
                .escapedForTerminal)
    }

    /// Returns the failure of a write(2) to stdout. A closed pipe is not an error.
    static func output(_ code: Int32) -> Self {
        code == EPIPE ? Self(Exit.done) : output("write to standard output", code)
    }

    /// - Parameters:
    ///   - what: The action that failed.
    ///   - code: errno.
    static func output(_ what: String, _ code: Int32, _ rest: String = "") -> Self {
        Self(Exit.outputFailed, "cannot \(what): \(String(cString: strerror(code)))\(rest)")
    }
}

/// An error that determines the exit code.
protocol ExitCoded: Error {
    var exitCode: Int32 { get }
    /// The messages for the user; empty if the command has printed them.
    var messages: [String] { get }
}

extension ExitCoded where Self: CustomStringConvertible {
    var messages: [String] { [description] }
}

extension ConfigurationError: ExitCoded {
    var exitCode: Int32 { Exit.configuration }
    var messages: [String] { faults }
}

extension ServiceError: ExitCoded {
    var exitCode: Int32 {
        switch self {
        case .held: Exit.alreadyServed
        case .notRunning, .silent, .cutOff, .crowded: Exit.noDisplay
        case .lingering: Exit.timedOut
        case .refused, .stillFrozen, .noRecord: Exit.system
        }
    }
}

extension SystemError: ExitCoded { var exitCode: Int32 { Exit.system } }
