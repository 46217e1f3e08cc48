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
    mutating func receive(from socket: Descriptor) throws(SystemError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count: Int
        do throws(SystemError) {
            count = try SystemError.check(
                "recv", recv(socket.number, &chunk, chunk.count, Int32(MSG_DONTWAIT)))
        } catch {
            switch error.code {
            case EAGAIN: return true
            case ECONNRESET: return false
            default: throw error
            }
        }
        if count == 0 { return false }
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

/// An error reply.
public struct VarlinkError: Error, Codable, Equatable {
    static let methodNotFound = "org.varlink.service.MethodNotFound"
    static let invalidParameter = "org.varlink.service.InvalidParameter"
    static let tooManyConnections = "\(PhasesInterface.name).TooManyConnections"
    static let refused = "\(HookSink.name).Refused"

    /// The full name of the error.
    var error: String
    var parameters: [String: String]

    static func interfaceNotFound(_ name: String) -> Self {
        Self(error: "org.varlink.service.InterfaceNotFound", parameters: ["interface": name])
    }

    static func methodNotFound(_ name: String) -> Self {
        Self(error: methodNotFound, parameters: ["method": name])
    }

    /// - Parameter text: What is wrong, for the user.
    static func invalidParameter(_ name: String, _ text: String? = nil) -> Self {
        var parameters = ["parameter": name]
        parameters["text"] = text
        return Self(error: invalidParameter, parameters: parameters)
    }

    static let expectedMore = Self(error: "org.varlink.service.ExpectedMore", parameters: [:])

    static func refused(_ text: String) -> Self { Self(error: refused, parameters: ["text": text]) }
}

extension Encodable {
    /// The value as JSON for another xphase process. Encoding never fails for the values that xphase sends.
    var json: [UInt8] { [UInt8]((try? JSONEncoder().encode(self)) ?? Data()) }
}

extension Decodable {
    /// Decodes a value; nil if the bytes are not valid.
    init?(json bytes: some Sequence<UInt8>) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = value
    }
}
