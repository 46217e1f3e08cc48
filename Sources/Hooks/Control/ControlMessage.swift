import Console
import System

/// What is asked of a running `xphase run`: one line, whose fields are separated by tabs.
public enum ControlRequest: Hashable, Sendable {
    case status
    /// What last became of the hook of this name.
    case why(String)
    /// Without names, all hooks; without a time, until they are resumed.
    case pause(Duration?, [String])
    case resume([String])
    /// Another process has thawed everything, which is to stay so.
    case thawed

    /// Whoever asks for it waits for the answer.
    var isAwaited: Bool { self != .thawed }

    var line: String {
        switch self {
        case .status: ControlLine.text(["status"])
        case .why(let name): ControlLine.text(["why", name])
        case .pause(let time, let names):
            ControlLine.text(["pause", time.map { String($0.milliseconds) } ?? ""] + names)
        case .resume(let names): ControlLine.text(["resume"] + names)
        case .thawed: ControlLine.text(["thawed"])
        }
    }

    /// - Parameter line: Without the newline.
    init(line: some Collection<UInt8>) throws(ControlFault) {
        let words = try ControlLine.words(line)
        switch words.first {
        case "status" where words.count == 1: self = .status
        case "why" where words.count == 2: self = .why(words[1])
        case "thawed" where words.count == 1: self = .thawed
        case "resume": self = .resume(Array(words.dropFirst()))
        case "pause" where words.count > 1 && words[1].isEmpty: self = .pause(nil, Array(words.dropFirst(2)))
        case "pause" where words.count > 1:
            guard let time = Int(words[1]), (1...Self.longest).contains(time) else {
                throw ControlFault("'\(words[1].escapedForTerminal)' is no time")
            }
            self = .pause(.milliseconds(time), Array(words.dropFirst(2)))
        default: throw ControlFault("the requests are status, why, pause, resume and thawed")
        }
    }

    /// As long as a duration of the command line may be.
    private static let longest = 100 * 366 * 24 * 3_600_000
}

/// Why a request is not answered.
public struct ControlFault: Error, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What a running `xphase run` answers: a line with what became of the request, one for each text and row, and `end`.
public struct ControlAnswer: Hashable, Sendable {
    /// For people.
    public var texts: [String] = []
    /// Of `status` and `why`.
    public var rows: [HookStatus] = []
    /// Of `why`.
    public var events: [HookEvent] = []
    /// Why nothing was done.
    public var fault: String?

    /// More rows are not told: a reader that does not read must not fill the memory.
    static let mostRows = 4096

    var lines: String {
        if let fault { return ControlLine.text(["fault", fault]) + ControlLine.text(["end"]) }
        return ControlLine.text(["done"]) + texts.map { ControlLine.text(["text", $0]) }.joined()
            + rows.prefix(Self.mostRows).map { ControlLine.text(["row"] + $0.fields) }.joined()
            + events.map { ControlLine.text(["event"] + $0.fields) }.joined()
            + ControlLine.text(["end"])
    }

    init(texts: [String] = [], rows: [HookStatus] = [], events: [HookEvent] = []) {
        (self.texts, self.rows, self.events) = (texts, rows, events)
    }

    init(fault: String) {
        self.fault = fault
    }

    /// nil for one that is not whole.
    init?(_ bytes: [UInt8]) throws(ControlFault) {
        var isWhole = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = try ControlLine.words(line)
            switch words.first {
            case "fault": fault = words.dropFirst().first ?? ""
            case "text": texts += words.dropFirst()
            case "row": HookStatus(fields: Array(words.dropFirst())).map { rows.append($0) }
            case "event": HookEvent(fields: Array(words.dropFirst())).map { events.append($0) }
            case "end": isWhole = true
            default: break
            }
        }
        if !isWhole { return nil }
    }
}

/// A line of either: the name and version of the protocol, and words, in which a backslash escapes.
enum ControlLine {
    static let version = "xphase 1"

    /// With the newline.
    static func text(_ words: [String]) -> String {
        ([version] + words.map(escaped)).joined(separator: "\t") + "\n"
    }

    static func words(_ line: some Collection<UInt8>) throws(ControlFault) -> [String] {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw ControlFault("it is not UTF-8")
        }
        // By scalars: a character may begin with any of the separators.
        let words = text.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
        guard let first = words.first, first.elementsEqual(version.unicodeScalars) else {
            throw ControlFault(
                "this is version '\(version)' of the protocol: restart 'xphase run', it was updated")
        }
        return words.dropFirst().map(unescaped)
    }

    private static func escaped(_ word: String) -> String {
        word.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\t": text += "\\t"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func unescaped(_ word: Substring.UnicodeScalarView) -> String {
        var (text, isEscape) = (String.UnicodeScalarView(), false)
        for scalar in word {
            if isEscape {
                text.append(scalar == "t" ? "\t" : scalar == "n" ? "\n" : scalar)
                isEscape = false
            } else if scalar == "\\" {
                isEscape = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
