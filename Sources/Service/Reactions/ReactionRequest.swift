import Glibc
import Hooks
import System

/// A request of a pair to a separate xphase process, for work that takes time or needs other programs.
struct ReactionRequest: Codable {
    enum Step: String, Codable {
        /// Reports whether an exception of the pair holds.
        case ask
        /// Creates a unit if the application has none, reads the state before the reactions, and asks once more.
        case prepare
        /// Performs the prepared reactions.
        case perform
        /// Restores the former state.
        case undo
        /// Prints calls on the session bus to the processes until it is ended.
        case listen
    }

    var step: Step
    var builtIns: Set<BuiltIn> = []
    var exceptions: Set<Exception> = []
    var cap: ProcessorCap?
    var application = ""
    /// All processes of the application.
    var processes: [ProcessIdentity] = []
    /// The X resource IDs of its windows.
    var windows: [UInt32] = []
    /// Whether the application may be visible, and may have grabbed the pointer or the keyboard.
    var isSeen = false
    /// The control group of the application, if it has one of its own.
    var group: String?
    /// Whether to create a unit, because the application has none.
    var wantsScope = false
    var holds: [Hold] = []
    /// The process that waits for the answer.
    var parent = getpid()

    init(_ step: Step) {
        self.step = step
    }
}

extension ReactionAnswer {
    /// Decodes an answer; nil if it is not valid, or contains a hold that cannot be undone.
    init?(_ bytes: [UInt8]) {
        self.init(json: bytes)
        if !holds.allSatisfy(\.isPlausible) { return nil }
    }
}
