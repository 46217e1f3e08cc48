import Console
import FoundationEssentials

/// A call of a client, with what is still to be answered: one reply, or several if the client asks for more.
public final class VarlinkCall {
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
    /// The client that waits for a reply; nil if the call is oneway or answered, or the client is gone.
    private(set) var peer: VarlinkPeer?

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
            throw .invalidParameter(error.key, error.reason)
        }
    }

    // MARK: The answer

    /// Whether no reply is expected.
    var isOver: Bool { peer == nil }
    /// Whether the client has closed its half of the connection, or expects no reply.
    var isReleased: Bool { peer?.isReleased ?? true }
    /// The number of bytes that wait for the client to read them.
    var backlog: Int { peer?.backlog ?? 0 }

    func begin(for peer: VarlinkPeer) {
        self.peer = peer
        peer.call = self
    }

    func end() {
        peer?.call = nil
        peer = nil
    }

    /// - Parameter isLast: Whether no further reply follows.
    func reply(_ parameters: some Encodable = [String: String](), isLast: Bool = true) {
        reply(json: parameters.json, isLast: isLast)
    }

    /// Replies with one parameter.
    func reply(_ name: String, json: [UInt8], isLast: Bool = true) {
        reply(json: Array("{\"\(name)\":".utf8) + json + Array("}".utf8), isLast: isLast)
    }

    private func reply(json: [UInt8], isLast: Bool) {
        let end = isLast ? "}\0" : ",\"continues\":true}\0"
        send(Array("{\"parameters\":".utf8) + json + Array(end.utf8), isLast: isLast)
    }

    func fail(_ error: VarlinkError) { send(error.json + [0], isLast: true) }

    private func send(_ bytes: [UInt8], isLast: Bool) {
        let peer = peer
        if isLast { end() }
        peer?.send(bytes)
    }
}

extension VarlinkCall.Message: Encodable where Parameters: Encodable {}
extension VarlinkCall.Message: Decodable where Parameters: Decodable {}

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

    /// The reason that the type of a value has given; nil if the value is of another type.
    fileprivate var reason: String? {
        guard case .dataCorrupted(let context)? = self as? DecodingError, !context.codingPath.isEmpty else {
            return nil
        }
        return context.debugDescription.escapedForTerminal
    }
}
