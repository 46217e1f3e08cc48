import CLinux
import Console
import FoundationEssentials
import Glibc
import Hooks
import PhaseWatch
import System

/// A client of a running `xphase run`, for commands: its calls block.
public struct VarlinkClient {
    private let directory: OwnDirectory
    private let display: String
    /// The name of the socket.
    private let name: SystemString
    private let end: Duration

    /// - Parameters:
    ///   - display: The display that is served; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR locates the sockets.
    ///   - patience: The time for connecting, sending and reading.
    public init(
        display: String, environment: Environment, patience: Duration = .seconds(5)
    ) throws(SystemError) {
        (self.display, name, end) = (display, "\(DisplayFileName(display))", Clock.now() + patience)
        directory = try OwnDirectory.runtime(environment)
    }

    /// Returns the displays that are served.
    public static func displays(_ environment: Environment) throws(SystemError) -> [String] {
        let directory = try OwnDirectory.runtime(environment)
        return (directory.path.entryNames ?? []).filter { (try? directory.connect($0, patience: 1)) != nil }
            .compactMap(\.text).sorted()
    }

    /// The address for clients in other languages, such as `unix:/run/user/1000/xphase/:0`.
    public var address: String { "unix:\(directory.path(of: name))" }

    /// The process that answers; nil if none does.
    var process: Int32? {
        let connection = try? directory.connect(name, patience: 5)
        return connection.map { Descriptor.peer(of: $0.number).pid }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The command of an `xphase` process, such as `run` or `on`; nil if there is no such process.
    static func command(of process: Int32) -> Substring? {
        SystemString("/proc/\(process)/cmdline").contents()?.split(separator: "\0").dropFirst()
            .first { !$0.hasPrefix("-") }
    }

    // MARK: Methods

    public func status() throws -> [HookStatus] {
        try ask("Status", HooksInterface.Nothing(), HooksInterface.Rows.self).rows
    }

    public func why(_ hook: String, _ application: Pattern?) throws -> [HookEvent] {
        let asked = HooksInterface.Why(hook: hook, application: application)
        return try ask("Why", asked, HooksInterface.Events.self).events
    }

    public func pause(_ names: [String], for time: Duration?) throws -> String {
        let asked = HooksInterface.Pause(
            hooks: names.isEmpty ? nil : names, milliseconds: time.map { Int($0.milliseconds) })
        return try ask("Pause", asked, HooksInterface.Text.self).text
    }

    public func resume(_ names: [String]) throws -> String {
        let asked = HooksInterface.Pause(hooks: names.isEmpty ? nil : names)
        return try ask("Resume", asked, HooksInterface.Text.self).text
    }

    public func freeze(
        _ application: String, toggles: Bool, except: Set<Exception>?, for time: Duration?
    ) throws -> String {
        let asked = HooksInterface.Freeze(
            application: application, toggle: toggles, except: except,
            milliseconds: time.map { Int($0.milliseconds) })
        return try ask("Freeze", asked, HooksInterface.Text.self).text
    }

    public func thaw(_ application: Pattern?) throws -> [String] {
        try ask("Thaw", HooksInterface.Thaw(application: application), HooksInterface.Texts.self).texts
    }

    /// Waits until all phase changes that earlier events of the X server cause have been reported.
    public func sync(until end: Duration) throws {
        var replies = try call("\(PhasesInterface.name).Sync", HooksInterface.Nothing())
        _ = try replies.next(HooksInterface.Nothing.self, until: end)
    }

    /// Holds reactions until the connection of the replies is closed.
    public func hold(_ reaction: HeldReaction) throws -> VarlinkReplies {
        var replies = try call("\(HooksInterface.name).Hold", reaction, wantsMore: true)
        _ = try replies.next(HooksInterface.Text.self, until: end)
        return replies
    }

    /// Calls `Thaw` for all displays without waiting for answers.
    public static func thawAll(_ environment: Environment) throws {
        for display in try displays(environment) {
            let client = try VarlinkClient(display: display, environment: environment)
            _ = try? client.call("\(HooksInterface.name).Thaw", HooksInterface.Nothing(), isOneway: true)
        }
    }

    private func ask<Answer: Decodable>(
        _ method: String, _ parameters: some Encodable, _ type: Answer.Type
    ) throws -> Answer {
        var replies = try call("\(HooksInterface.name).\(method)", parameters)
        return try replies.next(type, until: end)
    }

    private func call(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool = false, isOneway: Bool = false
    ) throws -> VarlinkReplies {
        let connection: Descriptor
        do throws(SystemError) {
            let seconds = (max(.zero, end - Clock.now()).milliseconds + 999) / 1000
            guard seconds > 0 else { throw SystemError("connect", EAGAIN) }
            connection = try directory.connect(name, patience: Int(seconds))
        } catch {
            switch error.code {
            case EAGAIN: throw ServiceError.silent(pid: 0)
            case ENOENT, ECONNREFUSED: throw ServiceError.notRunning(display: display)
            default: throw error
            }
        }
        let call = VarlinkCall.message(method, parameters, wantsMore: wantsMore, isOneway: isOneway)
        let count = send(connection.number, call, call.count, Int32(MSG_NOSIGNAL))
        // A service that has closed the connection may have sent an error, which is read next.
        let isClosed = count < 0 && [EPIPE, ECONNRESET].contains(errno)
        guard count == call.count || isClosed else { throw SystemError("send", count < 0 ? errno : EMSGSIZE) }
        return VarlinkReplies(connection)
    }
}

/// The replies to a call.
public struct VarlinkReplies {
    private struct Reply<Parameters: Decodable>: Decodable { var parameters: Parameters }

    private static let mostBytes = 16 << 20

    public let connection: Descriptor
    private var input = VarlinkInput()

    fileprivate init(_ connection: Descriptor) { self.connection = connection }

    /// The process of the service.
    private var pid: Int32 { Descriptor.peer(of: connection.number).pid }

    /// Waits for the next reply.
    ///
    /// - Throws: `ServiceError`.
    mutating func next<Parameters: Decodable>(
        _ type: Parameters.Type, until end: Duration
    ) throws -> Parameters {
        while true {
            if let reply = try taken(type) { return reply }
            let left = (end - Clock.now()).milliseconds
            guard left > 0 else { throw ServiceError.silent(pid: pid) }
            var state = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
            _ = poll(&state, 1, Int32(clamping: left))
            guard try read() else { throw ServiceError.cutOff(pid: pid) }
        }
    }

    /// Reads the available bytes without waiting.
    ///
    /// - Returns: false at the end of the stream, or if a reply is too long.
    public mutating func read() throws(SystemError) -> Bool {
        try input.receive(from: connection.number) && input.count <= Self.mostBytes
    }

    /// Removes and returns the text of a reply that has been read; nil if there is none.
    ///
    /// - Throws: `ServiceError`.
    public mutating func text() throws -> String? { try taken(HooksInterface.Text.self)?.text }

    private mutating func taken<Parameters: Decodable>(_ type: Parameters.Type) throws -> Parameters? {
        guard let message = input.next() else { return nil }
        if let error = VarlinkError(json: message) { throw ServiceError(error) }
        guard let reply = Reply<Parameters>(json: message) else { throw ServiceError.cutOff(pid: pid) }
        return reply.parameters
    }
}

extension ServiceError {
    /// The error for the user of a command.
    fileprivate init(_ reply: VarlinkError) {
        let text =
            reply.parameters["text"] ?? ([reply.error] + reply.parameters.values).joined(separator: " ")
        switch reply.error {
        case VarlinkError.tooManyConnections: self = .crowded(text)
        case VarlinkError.refused: self = .refused(text)
        case VarlinkError.methodNotFound: self = .refused("'xphase run' is of another version: restart it")
        default: self = .refused("'xphase run' refuses the call: \(text)")
        }
    }
}
