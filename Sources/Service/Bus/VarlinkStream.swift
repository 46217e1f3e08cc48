import CLinux
import FoundationEssentials
import Glibc
import PhaseWatch
import System

/// The replies to a call.
public struct VarlinkStream {
    private struct Reply<Parameters: Decodable>: Decodable {
        var parameters: Parameters
    }

    private static let mostBytes = 16 << 20

    public let connection: Descriptor
    private var bytes: ArraySlice<UInt8> = []

    init(_ connection: Descriptor) { self.connection = connection }

    /// The process of the service.
    var pid: Int32 { Descriptor.peer(of: connection.number).pid }

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
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(connection.number, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return true }
        if count == 0 || count < 0 && errno == ECONNRESET { return false }
        guard count > 0 else { throw SystemError("recv", errno) }
        bytes += chunk[..<count]
        return bytes.count <= Self.mostBytes
    }

    /// Removes and returns the text of a reply that has been read; nil if there is none.
    ///
    /// - Throws: `ServiceError`.
    public mutating func text() throws -> String? { try taken(HooksInterface.Text.self)?.text }

    /// Removes and returns a reply that has been read; nil if there is none.
    ///
    /// - Throws: `ServiceError`.
    mutating func taken<Parameters: Decodable>(_ type: Parameters.Type) throws -> Parameters? {
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        let message = Data(bytes[..<end])
        bytes = bytes[(end + 1)...]
        if let error = VarlinkError(json: message) {
            throw ServiceError.refused(error.text)
        }
        guard let reply = Reply<Parameters>(json: message) else {
            throw ServiceError.cutOff(pid: pid)
        }
        return reply.parameters
    }
}

extension VarlinkError {
    /// The message for the user.
    fileprivate var text: String {
        if let text = parameters["text"] { return text }
        if error == Self.methodNotFound { return "'xphase run' is of another version: restart it" }
        return "'xphase run' refuses the call: \(([error] + parameters.values).joined(separator: " "))"
    }
}
