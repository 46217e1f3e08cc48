import FoundationEssentials
import Hooks
import PhaseWatch
import System

/// What is asked of a running service, as a line of JSON.
public enum ControlRequest: Hashable, Codable, Sendable {
    case status
    /// What last became of the hook of this name.
    case why(String)
    /// Without names, all hooks; without a time, until they are resumed.
    case pause(milliseconds: Int?, [String])
    case resume([String])
    /// Another process has thawed everything, which is to stay so.
    case thawed
    /// Freezes the application with this class name by hand; a frozen one is thawed if `toggles`. Answered when that is done.
    case freeze(application: String, toggles: Bool)
    /// Thaws the frozen applications that match; nil for all.
    case thaw(Pattern?)
    /// Reactions that last as long as the connection, which then carries the lines about them.
    case hold(Hook)

    /// A service wants to serve the display: a command that does so goes back to being served.
    case yield

    /// Whoever asks for it waits for the answer.
    var isAwaited: Bool { self != .thawed }
}

/// What a running service answers.
public struct ControlAnswer: Hashable, Codable, Sendable {
    /// More rows are not reported: a reader that does not read must not fill the memory.
    static let mostRows = 4096

    /// For people.
    public var texts: [String] = []
    /// Of `status` and `why`.
    public var rows: [HookStatus] = []
    /// Of `why`.
    public var events: [HookEvent] = []
    /// Why nothing was done.
    public var fault: String?

    init(texts: [String] = [], rows: [HookStatus] = [], events: [HookEvent] = [], fault: String? = nil) {
        (self.texts, self.rows, self.events, self.fault) = (
            texts, Array(rows.prefix(Self.mostRows)), events, fault
        )
    }
}

/// A message of either kind, with the version of the protocol.
struct ControlLine<Message: Codable & Sendable>: Codable, Sendable {
    private static var current: Int { 2 }

    private var version = Self.current
    var message: Message

    init(_ message: Message) { self.message = message }

    /// With the newline.
    var bytes: [UInt8] { json + [UInt8(ascii: "\n")] }

    /// - Parameter line: Without the newline.
    init(_ line: some Collection<UInt8>) throws(ServiceError) {
        let data = Data(line)
        guard let head = try? JSONDecoder().decode(ControlHead.self, from: data) else {
            throw .refused("a request is a line of JSON of version \(Self.current)")
        }
        guard head.version == Self.current else {
            throw .refused(
                "this is version \(Self.current) of the protocol: restart 'xphase run', it was updated")
        }
        guard let whole = try? JSONDecoder().decode(Self.self, from: data) else {
            throw .refused(
                "the requests are status, why, pause, resume, thawed, freeze, thaw, hold and yield")
        }
        self = whole
    }
}

/// What all versions of the protocol have.
private struct ControlHead: Decodable {
    var version: Int
}
