import CLinux
import Glibc
import Hooks
import System

/// Asks a running `xphase run`.
public struct ControlClient {
    /// How long all of it may take, in seconds.
    private static let patience: UInt32 = 5
    private static let mostBytes = 16 << 20
    private static let suffix = ".socket"

    private let directory: OwnDirectory

    /// - Parameter environment: XDG_RUNTIME_DIR says where the sockets lie.
    public init(environment: Environment) throws(SystemError) {
        directory = try OwnDirectory.runtime(environment)
    }

    /// The displays that are served, or were when xphase was killed there.
    public var displays: [String] {
        let names = (directory.path.entryNames ?? []).compactMap(\.text).filter { $0.hasSuffix(Self.suffix) }
        return names.map { String($0.dropLast(Self.suffix.count)) }.sorted()
            .filter { (try? connect("\($0)\(Self.suffix)", patience: 1)) != nil }
    }

    /// Sends a request, and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: What to do.
    ///   - display: The one that is served; the screen does not count.
    public func ask(_ request: ControlRequest, display: String) throws -> ControlAnswer {
        try ask(request, display: display, until: Clock.now() + .seconds(Int(Self.patience)))
    }

    /// The same; connecting, sending and reading have one end.
    func ask(_ request: ControlRequest, display: String, until end: Duration) throws -> ControlAnswer {
        try exchange(request, display: display, until: end).answer
    }

    /// Has a running service do reactions for as long as the connection lasts.
    ///
    /// - Returns: The connection on which the lines about it come, and what of these has come already.
    public func hold(_ hook: Hook, display: String) throws -> (connection: Descriptor, bytes: [UInt8]) {
        let end = Clock.now() + .seconds(Int(Self.patience))
        let (connection, answer, rest) = try exchange(.hold(hook), display: display, until: end)
        if let fault = answer.fault { throw ServiceError.refused(fault) }
        return (connection, rest)
    }

    private func exchange(
        _ request: ControlRequest, display: String, until end: Duration
    ) throws -> (connection: Descriptor, answer: ControlAnswer, rest: [UInt8]) {
        let connection: Descriptor
        do throws(SystemError) {
            let seconds = (max(.zero, end - Clock.now()).milliseconds + 999) / 1000
            guard seconds > 0 else { throw SystemError("connect", EAGAIN) }
            connection = try connect(ControlSocket.name(display), patience: UInt32(seconds))
        } catch {
            switch error.code {
            case EAGAIN: throw ServiceError.silent(pid: 0)
            case ENOENT, ECONNREFUSED: throw ServiceError.notRunning(display: display)
            default: throw error
            }
        }
        let pid = linux_socket_peer(connection.number)
        do throws(SystemError) {
            try tell(request, connection)
        } catch {
            throw [EPIPE, ECONNRESET].contains(error.code)
                ? ServiceError.cutOff(pid: pid) : error as any Error
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.mostBytes {
            let left = (end - Clock.now()).milliseconds
            guard left > 0 else { throw ServiceError.silent(pid: pid) }
            var state = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
            _ = poll(&state, 1, Int32(clamping: left))
            let count = recv(connection.number, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            if count == 0 || count < 0 && errno == ECONNRESET { break }
            guard count > 0 else { throw SystemError("recv", errno) }
            let start = bytes.count
            bytes += chunk[..<count]
            if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let answer = try ControlLine<ControlAnswer>(bytes[..<end]).message
                return (connection, answer, Array(bytes[(end + 1)...]))
            }
        }
        throw ServiceError.cutOff(pid: pid)
    }

    /// Tells all that run, and waits for none of them.
    ///
    /// - Parameter request: What they should know.
    public func tellAll(_ request: ControlRequest) {
        for display in displays {
            if let connection = try? connect("\(display)\(Self.suffix)", patience: 1) {
                try? tell(request, connection)
            }
        }
    }

    private func connect(_ name: SystemString, patience: UInt32) throws(SystemError) -> Descriptor {
        try Descriptor("connect", linux_connect(directory.shortPath(of: name).cString, patience))
    }

    private func tell(_ request: ControlRequest, _ connection: Descriptor) throws(SystemError) {
        let line = ControlLine(request).bytes
        let count = send(connection.number, line, line.count, Int32(MSG_NOSIGNAL))
        guard count == line.count else { throw SystemError("send", count < 0 ? errno : EMSGSIZE) }
    }
}
