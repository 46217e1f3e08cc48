import FoundationEssentials
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
    }

    var step: Step
    var builtIns: Set<BuiltIn> = []
    var exceptions: Set<Exception> = []
    var application = ""
    /// All of the application.
    var processes: [ProcessIdentity] = []
    /// Its windows, by their X resource ids.
    var windows: [UInt32] = []
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

    init?(_ bytes: [UInt8]) {
        guard let request = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = request
    }

    var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? [] }
}

/// An answer in lines that begin with a word.
extension ReactionAnswer {
    init(_ lines: [String]) {
        self.init()
        for line in lines {
            let parts = line.utf8.split(separator: 0x20, maxSplits: 1).map { String(Substring($0)) }
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "exception": exception = parts[1]
            case "manager": managers += [Int32(parts[1])].compactMap(\.self)
            case "hold":
                guard let hold = try? JSONDecoder().decode(Hold.self, from: Data(parts[1].utf8)) else {
                    continue
                }
                if hold.isPlausible { holds.append(hold) }
            case "done": done.append(parts[1])
            case "fault": faults.append(parts[1])
            case "remark": remarks.append(parts[1])
            default: break
            }
        }
    }

    var lines: [String] {
        let encoded = holds.compactMap { hold in
            (try? JSONEncoder().encode(hold)).map { String(decoding: $0, as: UTF8.self) }
        }
        let parts = [
            ("exception", [exception].compactMap(\.self)), ("manager", managers.map { "\($0)" }),
            ("hold", encoded), ("done", done), ("fault", faults), ("remark", remarks),
        ]
        return parts.flatMap { word, texts in texts.map { "\(word) \(Self.oneLine($0))" } }
    }

    /// The carriage return before a newline makes one character of both.
    private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
