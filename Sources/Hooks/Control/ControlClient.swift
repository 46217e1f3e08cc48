import CLinux
import Glibc
import Loop

/// Asks a running `xphase run`.
public struct ControlClient {
    /// How long an answer may take, in seconds.
    private static let patience: UInt32 = 5
    private static let mostBytes = 16 << 20
    private static let suffix = ".socket"

    private let directory: OwnDirectory

    /// - Parameter environment: XDG_RUNTIME_DIR says where the sockets lie.
    public init(environment: Environment) throws(FileError) {
        directory = try OwnDirectory(
            making: RuntimeDirectory(environment: environment).path, forbidding: 0o077)
    }

    /// The displays that are served, or were when xphase was killed there.
    public var displays: [String] {
        guard let folder = opendir(directory.path.cString) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(Self.suffix) { names.append(String(name.dropLast(Self.suffix.count))) }
        }
        return names.sorted().filter { (try? connect($0 + Self.suffix, patience: 1)) != nil }
    }

    /// Sends a request, and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: What to do.
    ///   - display: The one that is served; the screen does not count.
    public func ask(_ request: ControlRequest, display: String) throws -> ControlAnswer {
        let connection: Descriptor
        do {
            connection = try connect(ControlSocket.name(display), patience: Self.patience)
        } catch {
            switch error.code {
            case EAGAIN: throw ControlFailure.silent(pid: 0)
            case ENOENT, ECONNREFUSED: throw ControlFailure.notRunning(display)
            default: throw error
            }
        }
        try tell(request, connection)
        let pid = linux_socket_peer(connection.number)
        let end = Clock.now() + .seconds(Int(Self.patience))
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.mostBytes {
            let count = recv(connection.number, &chunk, chunk.count, 0)
            if count < 0 && errno == EINTR { continue }
            if count == 0 || count < 0 && errno == ECONNRESET { break }
            guard count > 0, Clock.now() < end else { throw ControlFailure.silent(pid: pid) }
            bytes += chunk[..<count]
        }
        guard let answer = try ControlAnswer(bytes) else { throw ControlFailure.cutOff(pid: pid) }
        return answer
    }

    /// Tells all that run, and waits for none of them.
    ///
    /// - Parameter request: What they should know.
    public func tellAll(_ request: ControlRequest) {
        for display in displays {
            if let connection = try? connect(display + Self.suffix, patience: 1) {
                try? tell(request, connection)
            }
        }
    }

    private func connect(_ name: String, patience: UInt32) throws(SystemError) -> Descriptor {
        try Descriptor("connect", linux_connect(directory.shortPath(of: name), patience))
    }

    private func tell(_ request: ControlRequest, _ connection: Descriptor) throws(SystemError) {
        let line = Array(request.line.utf8)
        let count = send(connection.number, line, line.count, Int32(MSG_NOSIGNAL))
        guard count == line.count else { throw SystemError("send", count < 0 ? errno : EMSGSIZE) }
    }
}

/// Why a running service did not answer.
public enum ControlFailure: Error, Equatable, CustomStringConvertible {
    case notRunning(String)
    case silent(pid: Int32)
    case cutOff(pid: Int32)

    public var description: String {
        switch self {
        case .notRunning(""):
            "no 'xphase run' of yours serves a display: start one (systemctl --user start xphase)"
        case .notRunning(let display):
            "no 'xphase run' serves display '\(display)': start it (systemctl --user start xphase), or name "
                + "another display with --display"
        case .silent(let pid): "'xphase run'\(Self.process(pid)) does not answer within 5 s: is it stopped?"
        case .cutOff(let pid): "'xphase run'\(Self.process(pid)) went away while it answered: try again"
        }
    }

    private static func process(_ pid: Int32) -> String { pid > 0 ? ", process \(pid)," : "" }
}
