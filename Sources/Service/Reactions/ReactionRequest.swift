import Glibc
import Hooks
import System

/// What a process of xphase's own is to do for a pair: all that may take its time, or that needs other programs.
struct ReactionRequest: Codable {
    enum Step: String, Codable {
        /// Says whether something is so that the pair excepts.
        case ask
        /// Makes a unit where there is none, says what there is before anything is done, and asks once more.
        case prepare
        /// Does what was prepared.
        case perform
        /// Has the kernel take back memory.
        case reclaim
        /// Brings back what there was.
        case undo
        /// Prints the calls on the session bus to the processes, and never ends by itself.
        case listen
    }

    var step: Step
    var builtIns: Set<BuiltIn> = []
    var exceptions: Set<Exception> = []
    var cap: ProcessorCap?
    var application = ""
    /// All of the application.
    var processes: [ProcessIdentity] = []
    /// Its windows, by their X resource ids.
    var windows: [UInt32] = []
    /// It can be seen, and may have grabbed the pointer or the keyboard.
    var isSeen = false
    /// The control group that is all its own.
    var group: String?
    /// It has no unit, and may get one.
    var wantsScope = false
    var holds: [Hold] = []
    /// Who waits for it.
    var parent = getpid()

    init(_ step: Step) {
        self.step = step
    }
}

extension ReactionAnswer {
    /// nil for what is none, or holds what cannot be undone.
    init?(_ bytes: [UInt8]) {
        self.init(json: bytes)
        if !holds.allSatisfy(\.isPlausible) { return nil }
    }
}
