import Console
import FoundationEssentials
import Glibc
import Hooks
import PhaseWatch
import System

/// A client of a running `xphase run`.
public struct VarlinkClient {
    /// The time limit of a call, in seconds.
    private static let patience = 5

    private let directory: OwnDirectory
    private let display: String
    private let end: Duration

    /// - Parameters:
    ///   - display: The display that is served; the screen number is ignored.
    ///   - environment: XDG_RUNTIME_DIR locates the sockets.
    public init(display: String, environment: Environment) throws(SystemError) {
        self.init(
            display: display, try OwnDirectory.runtime(environment),
            until: Clock.now() + .seconds(Self.patience))
    }

    /// - Parameter end: The deadline for connecting, sending and reading.
    init(display: String, _ directory: OwnDirectory, until end: Duration) {
        (self.display, self.directory, self.end) = (display, directory, end)
    }

    /// Returns the displays that are served.
    public static func displays(_ environment: Environment) throws(SystemError) -> [String] {
        let directory = try OwnDirectory.runtime(environment)
        return (directory.path.entryNames ?? []).filter { (try? directory.connect($0, patience: 1)) != nil }
            .compactMap(\.text).sorted()
    }

    /// The address for clients in other languages, such as `unix:/run/user/1000/xphase/:0`.
    public var address: String { "unix:\(directory.path(of: VarlinkSocket.name(display)))" }

    /// The process that answers; nil if none does.
    var process: Int32? {
        let connection = try? directory.connect(VarlinkSocket.name(display), patience: Self.patience)
        return connection.map { VarlinkStream($0).pid }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The command of an `xphase` process, such as `run` or `on`; nil if there is no such process.
    static func command(of process: Int32) -> Substring? {
        SystemString("/proc/\(process)/cmdline").contents()?.split(separator: "\0").dropFirst()
            .first { !$0.hasPrefix("-") }
    }

    // MARK: Methods

    public func status() throws -> [HookStatus] {
        try hooks("Status", HooksInterface.Nothing(), HooksInterface.Rows.self).rows
    }

    public func why(_ hook: String, _ application: Pattern?) throws -> [HookEvent] {
        let asked = HooksInterface.Why(hook: hook, application: application)
        return try hooks("Why", asked, HooksInterface.Events.self).events
    }

    public func pause(_ names: [String], for time: Duration?) throws -> String {
        let asked = HooksInterface.Pause(names, milliseconds: time.map { Int($0.milliseconds) })
        return try hooks("Pause", asked, HooksInterface.Text.self).text
    }

    public func resume(_ names: [String]) throws -> String {
        try hooks("Resume", HooksInterface.Pause(names), HooksInterface.Text.self).text
    }

    public func freeze(_ application: String, toggles: Bool, for time: Duration?) throws -> String {
        let asked = HooksInterface.Freeze(
            application: application, toggle: toggles, milliseconds: time.map { Int($0.milliseconds) })
        return try hooks("Freeze", asked, HooksInterface.Text.self).text
    }

    public func thaw(_ application: Pattern?) throws -> [String] {
        try hooks("Thaw", HooksInterface.Thaw(application: application), HooksInterface.Texts.self).texts
    }

    /// Waits until all phase changes that earlier events of the X server cause have been reported.
    public func sync(until end: Duration) throws {
        var stream = try stream("org.xphase.Phases.Sync", HooksInterface.Nothing())
        _ = try stream.next(HooksInterface.Nothing.self, until: end)
    }

    /// Holds reactions until the stream is closed.
    public func hold(_ reaction: HeldReaction) throws -> VarlinkStream {
        var stream = try stream("org.xphase.Hooks.Hold", reaction, wantsMore: true)
        _ = try stream.next(HooksInterface.Text.self, until: end)
        return stream
    }

    /// Calls `Thaw` for all displays without waiting for answers.
    public static func thawAll(_ environment: Environment) throws {
        for display in try displays(environment) {
            let client = try VarlinkClient(display: display, environment: environment)
            _ = try? client.stream("org.xphase.Hooks.Thaw", HooksInterface.Nothing(), isOneway: true)
        }
    }

    private func hooks<Answer: Decodable>(
        _ method: String, _ parameters: some Encodable, _ type: Answer.Type
    ) throws -> Answer {
        var stream = try stream("\(HooksInterface.name).\(method)", parameters)
        return try stream.next(type, until: end)
    }

    // MARK: Connections

    func stream(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool = false, isOneway: Bool = false
    ) throws -> VarlinkStream {
        let connection: Descriptor
        do throws(SystemError) {
            let seconds = (max(.zero, end - Clock.now()).milliseconds + 999) / 1000
            guard seconds > 0 else { throw SystemError("connect", EAGAIN) }
            connection = try directory.connect(VarlinkSocket.name(display), patience: Int(seconds))
        } catch {
            switch error.code {
            case EAGAIN: throw ServiceError.silent(pid: 0)
            case ENOENT, ECONNREFUSED: throw ServiceError.notRunning(display: display)
            default: throw error
            }
        }
        let call = VarlinkCall.message(
            method, parameters, wantsMore: wantsMore, isOneway: isOneway)
        let count = Glibc.send(connection.number, call, call.count, Int32(MSG_NOSIGNAL))
        let stream = VarlinkStream(connection)
        if count < 0 && [EPIPE, ECONNRESET].contains(errno) { throw ServiceError.cutOff(pid: stream.pid) }
        guard count == call.count else { throw SystemError("send", count < 0 ? errno : EMSGSIZE) }
        return stream
    }
}
