import Console
import FoundationEssentials

/// A call that a client has made. It is answered once, or several times where the client asks for more.
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

    /// `org.xphase.Phases`.
    let interface: String
    /// `List`.
    let method: String
    let wantsMore: Bool
    let isOneway: Bool
    /// The client has closed the connection, or its half of it.
    var isReleased = false
    /// The process of the client.
    var pid: Int32 = 0
    /// It still gets replies.
    private(set) var isOpen = true
    /// Called when `backlog` has come to 0, and when `isReleased` or `isOpen` has changed by the client.
    var changed: () -> Void = {}
    /// Called with the last reply.
    var ended: () -> Void = {}
    /// nil for a oneway call.
    var output: VarlinkOutput?
    /// Bytes that wait for the client to read them.
    var backlog: Int { output?.count ?? 0 }
    private var message: Data

    /// - Returns: nil for what is no call.
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

    /// A call, as it goes over a connection.
    static func message(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool, isOneway: Bool
    ) -> [UInt8] {
        Message(
            method: method, parameters: parameters, more: wantsMore ? true : nil,
            oneway: isOneway ? true : nil
        ).json + [0]
    }

    /// - Throws: `VarlinkError.invalidParameter` with the key of the one that cannot be read.
    func parameters<Parameters: Decodable>(
        _ type: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do {
            let given = try JSONDecoder().decode(Body<Parameters>.self, from: message).parameters
            // It may be a megabyte, and the call may last.
            message = Data()
            return try given ?? JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
        } catch {
            throw .invalidParameter(error.key)
        }
    }

    /// - Parameter isLast: Nothing more follows.
    func reply(_ parameters: some Encodable, isLast: Bool = true) {
        reply(json: parameters.json, isLast: isLast)
    }

    func reply(json parameters: [UInt8], isLast: Bool = true) {
        write(isLast: isLast) {
            $0.append("{\"parameters\":")
            $0.append(parameters)
            $0.append(isLast ? "}\0" : ",\"continues\":true}\0" as StaticString)
        }
    }

    /// Replies with a change, of which only the number is not the same for every subscriber.
    func reply(change number: Int, _ rest: borrowing ByteBuffer) {
        guard isOpen, let output else { return }
        output.bytes.append("{\"parameters\":{\"change\":{\"v\":1,\"seq\":")
        output.bytes.append(decimal: number)
        rest.withBytes { output.bytes.append($0) }
        output.bytes.append("},\"continues\":true}\0")
        output.flush()
    }

    func fail(_ error: VarlinkError) {
        write(isLast: true) { $0.append(error.json + [0]) }
    }

    /// The client gets no replies any longer.
    func close() {
        (isOpen, isReleased) = (false, true)
        changed()
        // Whoever keeps the call does not keep the descriptor.
        (changed, output) = ({}, nil)
    }

    private func write(isLast: Bool, _ body: (inout ByteBuffer) -> Void) {
        guard isOpen, let output else { return }
        if isLast { (isOpen, changed) = (false, {}) }
        body(&output.bytes)
        output.flush()
        if isLast { ended() }
    }
}

/// Why a call fails.
public struct VarlinkError: Error, Codable, Equatable {
    /// Its full name.
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
    /// The key of what could not be decoded, below `parameters`.
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
