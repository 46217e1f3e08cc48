import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// A connection of a command to a running `xphase run`. Calls block.
public final class VarlinkClient {
    private struct Reply<Parameters: Decodable>: Decodable { var parameters: Parameters }

    /// The longest reply: the windows of a display, which may be ten thousand.
    private static let mostBytes = 64 << 20
    static let nothing: [String: String] = [:]

    public let connection: Descriptor
    /// The address for clients in other languages, such as `unix:/run/user/1000/xphase/:0`.
    let address: String
    /// When the time for connecting and for calls that block is over.
    let end: Duration
    private var input = VarlinkInput()

    /// Connects to the service of a display.
    ///
    /// - Parameters:
    ///   - display: The display that is served; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR locates the sockets, or else the lock of the service in XDG_STATE_HOME does.
    ///   - patience: The time for connecting and for all calls.
    /// - Throws: `ServiceError` if the service cannot be reached, `SystemError`.
    public init(display: String, environment: Environment, patience: Duration = .seconds(5)) throws {
        end = Clock.now() + patience
        // 0 would be no limit.
        let seconds = Int(max(1, (patience.milliseconds + 999) / 1000))
        do {
            (connection, address) = try Self.connected(to: display, environment, patience: seconds)
        } catch ServiceError.notRunning {
            let others = InstanceLock.environments(of: display, besides: environment)
            guard let other = others.first else { throw ServiceError.notRunning(display: display) }
            (connection, address) = try Self.connected(to: display, other, patience: seconds)
        }
    }

    private static func connected(
        to display: String, _ environment: Environment, patience: Int
    ) throws -> (Descriptor, address: String) {
        let name: SystemString = "\(DisplayFileName(display))"
        let directory = try OwnDirectory.runtime(environment)
        do throws(SystemError) {
            let connection = try directory.connect(name, patience: patience)
            return (connection, "unix:\(directory.path(of: name))")
        } catch {
            switch error.code {
            case EAGAIN: throw ServiceError.silent(pid: 0)
            case ENOENT, ECONNREFUSED: throw ServiceError.notRunning(display: display)
            default: throw error
            }
        }
    }

    /// Returns the displays that are served, with any runtime directory.
    public static func displays(_ environment: Environment) throws(SystemError) -> [String] {
        let others = InstanceLock.environments(besides: environment).flatMap { (try? sockets($0)) ?? [] }
        return try Set(sockets(environment) + others).sorted()
    }

    /// Returns the displays whose sockets accept connections in a runtime directory.
    private static func sockets(_ environment: Environment) throws(SystemError) -> [String] {
        let directory = try OwnDirectory.runtime(environment)
        return (directory.path.entryNames ?? []).filter { (try? directory.connect($0, patience: 1)) != nil }
            .compactMap(\.text).sorted()
    }

    /// Calls `Thaw` for the displays that are served with other runtime directories. Waits for the disk of the locks.
    public static func thawOthers(_ environment: Environment) -> UndoRecords.Thawed {
        var thawed = UndoRecords.Thawed()
        for other in InstanceLock.environments(besides: environment) {
            guard let one = try? thawAll(other) else { continue }
            thawed.done += one.done
            thawed.faults += one.faults
        }
        return thawed
    }

    /// The process that answers; 0 if it is in another container.
    var process: Int32 { Descriptor.peer(of: connection.number).pid }

    /// The command of an `xphase` process, such as `run` or `on`; nil if there is no such process.
    static func command(of process: Int32) -> Substring? {
        SystemString("/proc/\(process)/cmdline").contents()?.split(separator: "\0").dropFirst()
            .first { !$0.hasPrefix("-") }
    }

    /// The processes of this user that may serve a display, which are found without their sockets.
    public static var services: [Int32] {
        ProcessTable.current().rows.keys.sorted().filter { pid in
            guard let name = ProcessTable.row(of: pid)?.name, name == "xphase" else { return false }
            let words = SystemString("/proc/\(pid)/cmdline").contents()?.split(separator: "\0") ?? []
            let isService = words.prefix { $0 != "--" }.contains { ["run", "on"].contains($0) }
            return isService && ProcessFacts(pid: pid)?.user == getuid()
        }
    }

    // MARK: Methods

    public func status() throws -> HookSink.Status {
        call("\(HookSink.name).Status", Self.nothing)
        return try next(HookSink.Status.self)
    }

    public func why(_ hook: String) throws -> [HookEvent] {
        try ask("Why", HookSink.Why(hook: hook, application: nil), for: "events")
    }

    public func pause(_ names: [String], for time: Duration?) throws -> String {
        let asked = HookSink.Pause(
            hooks: names.isEmpty ? nil : names, milliseconds: time.map { Int($0.milliseconds) })
        return try ask("Pause", asked, for: "text")
    }

    public func resume(_ names: [String]) throws -> String {
        try ask("Resume", HookSink.Pause(hooks: names.isEmpty ? nil : names), for: "text")
    }

    /// - Parameter part: The pattern with which the user has named only a part of the application.
    package func freeze(
        _ application: String, part: Pattern?, toggles: Bool, except: Set<Exception>?, for time: Duration?
    ) throws -> String {
        let asked = HookSink.Freeze(
            application: application, part: part, toggle: toggles, except: except,
            milliseconds: time.map { Int($0.milliseconds) })
        return try ask("Freeze", asked, for: "text")
    }

    package func thaw(_ applications: [Pattern]) throws -> [String] {
        try ask("Thaw", HookSink.Thaw(application: CalledPatterns(applications)), for: "texts")
    }

    /// Calls `Thaw` for all displays with a socket in the runtime directory. A service that does not answer within a
    /// second, as one that is stopped, thaws later.
    public static func thawAll(_ environment: Environment) throws(SystemError) -> UndoRecords.Thawed {
        var thawed = UndoRecords.Thawed()
        for display in try sockets(environment) {
            func client() throws -> VarlinkClient {
                try VarlinkClient(display: display, environment: environment, patience: .seconds(1))
            }
            do {
                let texts: [String] = try client().ask("Thaw", nothing, for: "texts")
                thawed.done += texts.filter { $0 != HookSink.nothingFrozen }
            } catch ServiceError.refused(let text) {
                thawed.faults.append(text)
            } catch {
                // The service drops a call whose client is gone, unless it is oneway.
                try? client().call("\(HookSink.name).Thaw", nothing, isOneway: true)
            }
        }
        return thawed
    }

    /// Waits until all phase changes that earlier events of the X server cause have been reported.
    public func sync() throws {
        call("\(PhasesInterface.name).Sync", Self.nothing)
        _ = try next([String: String].self)
    }

    /// Holds reactions until the connection, or its sending side, is closed. Then the replies are read one by one.
    public func hold(_ reaction: ReactionRequest) throws {
        call("\(HookSink.name).Hold", reaction, wantsMore: true)
        _ = try next([String: String].self)
    }

    /// Calls a method, and returns one parameter of its reply.
    func ask<Answer: Decodable>(
        _ method: String, of interface: String = HookSink.name, _ parameters: some Encodable, for key: String
    ) throws -> Answer {
        call("\(interface).\(method)", parameters)
        guard let answer = try next([String: Answer].self)[key] else {
            throw ServiceError.cutOff(pid: process)
        }
        return answer
    }

    /// Calls a method, with several replies if more is wanted. The replies are read afterwards.
    func call(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool = false, isOneway: Bool = false
    ) {
        let call = VarlinkCall.message(method, parameters, wantsMore: wantsMore, isOneway: isOneway)
        // A service that has closed the connection may have sent an error, which is read next.
        send(connection.number, call, call.count, Int32(MSG_NOSIGNAL))
    }

    // MARK: Replies

    /// Waits for the next reply.
    private func next<Parameters: Decodable>(_ type: Parameters.Type) throws -> Parameters {
        while true {
            if let reply = try taken(type) { return reply }
            let left = (end - Clock.now()).milliseconds
            guard left > 0 else { throw ServiceError.silent(pid: process) }
            var state = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
            _ = poll(&state, 1, Int32(clamping: left))
            guard try read() else { throw ServiceError.cutOff(pid: process) }
        }
    }

    /// Reads the available bytes without waiting.
    ///
    /// - Returns: false at the end of the stream, or if a reply is too long.
    public func read() throws(SystemError) -> Bool {
        try input.receive(from: connection) && input.count <= Self.mostBytes
    }

    /// Removes and returns the text of a reply that has been read; nil if there is none.
    ///
    /// - Throws: `ServiceError`.
    public func text() throws -> String? { try taken([String: String].self)?["text"] }

    /// Removes and returns the parameters of a reply that has been read; nil if there is none.
    func taken<Parameters: Decodable>(_ type: Parameters.Type) throws -> Parameters? {
        guard let message = input.next() else { return nil }
        if let error = VarlinkError(json: message) { throw ServiceError(error) }
        guard let reply = Reply<Parameters>(json: message) else { throw ServiceError.otherVersion }
        return reply.parameters
    }
}

extension ServiceError {
    fileprivate static let otherVersion = Self.refused("'xphase run' is of another version: restart it")

    /// The error for the user of a command.
    fileprivate init(_ reply: VarlinkError) {
        let text =
            reply.parameters["text"] ?? ([reply.error] + reply.parameters.values).joined(separator: " ")
        switch reply.error {
        case VarlinkError.tooManyConnections: self = .crowded(text)
        case VarlinkError.refused: self = .refused(text)
        case VarlinkError.invalidParameter where reply.parameters["text"] != nil: self = .refused(text)
        case VarlinkError.methodNotFound: self = .otherVersion
        default: self = .refused("'xphase run' refuses the call: \(text)")
        }
    }
}
