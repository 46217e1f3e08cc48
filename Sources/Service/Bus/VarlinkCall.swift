import Console
import FoundationEssentials

/// A call from a client. It is answered once, or several times if the client asks for more.
public final class VarlinkCall {
    private struct Head: Decodable {
        var method: String
        var more: Bool?
        var oneway: Bool?
    }

    private struct Message<Parameters: Encodable>: Encodable {
        var method: String
        var parameters: Parameters
        var more: Bool?
        var oneway: Bool?
    }

    private struct Body<Parameters: Decodable>: Decodable {
        var parameters: Parameters?
    }

    /// Such as `org.xphase.Phases`.
    let interface: String
    /// Such as `List`.
    let method: String
    let wantsMore: Bool
    let isOneway: Bool
    /// Whether the client has closed the connection or its half of it.
    var isReleased = false
    /// The process of the client.
    var pid: Int32 = 0
    /// Whether replies are still sent.
    private(set) var isOpen = true
    /// Called when `backlog` reaches 0, and when the client has changed `isReleased` or `isOpen`.
    var changed: () -> Void = {}
    /// Called with the last reply.
    var ended: () -> Void = {}
    /// nil for a oneway call.
    var output: VarlinkOutput?
    /// The number of bytes that wait for the client to read them.
    var backlog: Int { output?.count ?? 0 }
    private var message: Data

    /// - Returns: nil if the message is not a call.
    init?(_ message: some Collection<UInt8>) {
        self.message = Data(message)
        guard let head = try? JSONDecoder().decode(Head.self, from: self.message),
            let dot = head.method.lastIndex(of: ".")
        else { return nil }
        interface = String(head.method[..<dot])
        method = String(head.method[head.method.index(after: dot)...])
        isOneway = head.oneway ?? false
        wantsMore = (head.more ?? false) && !isOneway
    }

    /// Returns the bytes of a call.
    static func message(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool, isOneway: Bool
    ) -> [UInt8] {
        Message(
            method: method, parameters: parameters, more: wantsMore ? true : nil,
            oneway: isOneway ? true : nil
        ).json + [0]
    }

    /// - Throws: `VarlinkError.invalidParameter` with the key that cannot be decoded.
    func parameters<Parameters: Decodable>(
        _ type: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do {
            let given = try JSONDecoder().decode(Body<Parameters>.self, from: message).parameters
            // The message may be a megabyte, and the call may last.
            message = Data()
            return try given ?? JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
        } catch {
            throw .invalidParameter(error.key)
        }
    }

    /// - Parameter isLast: Whether no further reply follows.
    func reply(_ parameters: some Encodable, isLast: Bool = true) {
        reply(json: parameters.json, isLast: isLast)
    }

    func reply(json parameters: [UInt8], isLast: Bool = true) {
        write(isLast: isLast) {
            $0.append("{\"parameters\":")
            $0 += parameters
            $0.append(isLast ? "}\0" : ",\"continues\":true}\0")
        }
    }

    func fail(_ error: VarlinkError) {
        write(isLast: true) { $0 += error.json + [0] }
    }

    /// Ends the call without a further reply.
    func close() {
        (isOpen, isReleased) = (false, true)
        changed()
        // A retained call must not keep the descriptor open.
        (changed, output) = ({}, nil)
    }

    private func write(isLast: Bool, _ body: (inout [UInt8]) -> Void) {
        guard isOpen, let output else { return }
        if isLast { (isOpen, changed) = (false, {}) }
        body(&output.bytes)
        output.flush()
        if isLast { ended() }
    }
}

/// An error reply.
public struct VarlinkError: Error, Codable, Equatable {
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

    static let methodNotFound = "org.varlink.service.MethodNotFound"
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
