import Console
import FoundationEssentials
import Glibc
import System

/// The received bytes of a stream of messages. Each message is a JSON object, ended by a NUL byte.
struct VarlinkInput {
    private var bytes: ArraySlice<UInt8> = []
    /// The end of the first message; nil if it has not arrived yet. No byte is searched twice.
    private var end: Int?

    var count: Int { bytes.count }
    var hasMessage: Bool { end != nil }

    /// Receives a chunk of what has arrived, without waiting.
    ///
    /// - Returns: false at the end of the stream.
    mutating func receive(from socket: Int32) throws(SystemError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return true }
        if count == 0 || count < 0 && errno == ECONNRESET { return false }
        guard count > 0 else { throw SystemError("recv", errno) }
        if end == nil { end = chunk[..<count].firstIndex(of: 0).map { bytes.endIndex + $0 } }
        bytes += chunk[..<count]
        return true
    }

    /// Removes and returns the first message; nil if it has not arrived yet.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end else { return nil }
        let message = bytes[..<end]
        bytes = end + 1 == bytes.endIndex ? [] : bytes[(end + 1)...]
        self.end = bytes.firstIndex(of: 0)
        return message
    }
}

/// A call, as the client has sent it.
public struct VarlinkCall {
    fileprivate struct Message<Parameters> {
        var method: String
        var parameters: Parameters?
        var more: Bool?
        var oneway: Bool?
    }

    /// Decodes anything.
    private struct Unread: Decodable {}

    /// Such as `org.xphase.Phases`.
    let interface: String
    /// Such as `List`.
    let method: String
    let wantsMore: Bool
    let isOneway: Bool
    private let message: Data

    /// - Returns: nil if the message is not a call, or nested deeper than 512 times, which `JSONDecoder` refuses.
    init?(_ message: some Collection<UInt8>) {
        self.message = Data(message)
        guard let head = Message<Unread>(json: self.message), let dot = head.method.lastIndex(of: ".") else {
            return nil
        }
        interface = String(head.method[..<dot])
        method = String(head.method[head.method.index(after: dot)...])
        isOneway = head.oneway ?? false
        wantsMore = (head.more ?? false) && !isOneway
    }

    /// Returns the bytes of a call.
    static func message(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool = false, isOneway: Bool = false
    ) -> [UInt8] {
        Message(method: method, parameters: parameters, more: wantsMore, oneway: isOneway).json + [0]
    }

    /// - Throws: `VarlinkError.invalidParameter` with the key that cannot be decoded.
    func parameters<Parameters: Decodable>(
        _ type: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do {
            let given = try JSONDecoder().decode(Message<Parameters>.self, from: message).parameters
            return try given ?? JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
        } catch {
            throw .invalidParameter(error.key)
        }
    }
}

extension VarlinkCall.Message: Encodable where Parameters: Encodable {}
extension VarlinkCall.Message: Decodable where Parameters: Decodable {}

/// An error reply.
public struct VarlinkError: Error, Codable, Equatable {
    static let methodNotFound = "org.varlink.service.MethodNotFound"
    static let tooManyConnections = "\(PhasesInterface.name).TooManyConnections"
    static let refused = "\(HooksInterface.name).Refused"

    /// The full name of the error.
    var error: String
    var parameters: [String: String]

    static func interfaceNotFound(_ name: String) -> Self {
        Self(error: "org.varlink.service.InterfaceNotFound", parameters: ["interface": name])
    }

    static func methodNotFound(_ name: String) -> Self {
        Self(error: methodNotFound, parameters: ["method": name])
    }

    static func invalidParameter(_ name: String) -> Self {
        Self(error: "org.varlink.service.InvalidParameter", parameters: ["parameter": name])
    }

    static let expectedMore = Self(error: "org.varlink.service.ExpectedMore", parameters: [:])

    static func tooManyConnections(_ text: String) -> Self {
        Self(error: tooManyConnections, parameters: ["text": text])
    }

    static func refused(_ text: String) -> Self { Self(error: refused, parameters: ["text": text]) }
}

extension Error {
    /// The key, below `parameters`, that could not be decoded.
    fileprivate var key: String {
        let path: [any CodingKey] =
            switch self as? DecodingError {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            default: []
            }
        return path.map(\.stringValue).first { $0 != "parameters" } ?? "parameters"
    }
}
