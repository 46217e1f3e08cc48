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
    /// Bytes that wait for the client to read them.
    var backlog = 0
    /// The client has closed the connection, or its half of it.
    var isReleased = false
    /// The process of the client.
    var pid: Int32 = 0
    /// It still gets replies.
    private(set) var isOpen = true
    /// Called when `backlog` has come to 0, and when `isReleased` or `isOpen` has changed by the client.
    var changed: () -> Void = {}
    /// Takes a reply, and whether it is the last one.
    var send: ([UInt8], _ isLast: Bool) -> Void = { _, _ in }
    private let message: Data

    /// - Returns: nil for what is no call.
    init?(_ message: some Collection<UInt8>) {
        self.message = Data(message)
        guard let head = try? JSONDecoder().decode(Head.self, from: self.message),
            let dot = head.method.lastIndex(of: ".")
        else { return nil }
        interface = String(head.method[..<dot])
        method = String(head.method[head.method.index(after: dot)...])
        (wantsMore, isOneway) = (head.more ?? false, head.oneway ?? false)
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
            if let given = try JSONDecoder().decode(Body<Parameters>.self, from: message).parameters {
                return given
            }
            return try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
        } catch {
            throw .invalidParameter(error.key)
        }
    }

    /// - Parameter isLast: Nothing more follows.
    func reply(_ parameters: some Encodable, isLast: Bool = true) {
        reply(json: parameters.json, isLast: isLast)
    }

    func reply(json parameters: [UInt8], isLast: Bool = true) {
        finish(Array("{\"parameters\":".utf8) + parameters, isLast: isLast)
    }

    func fail(_ error: VarlinkError) {
        finish(error.json.dropLast(), isLast: true)
    }

    /// The client gets no replies any longer.
    func close() {
        isOpen = false
        isReleased = true
        changed()
        changed = {}
    }

    private func finish(_ object: some Collection<UInt8>, isLast: Bool) {
        guard isOpen else { return }
        if isLast { (isOpen, changed) = (false, {}) }
        send(Array(object) + (isLast ? "}\0" : ",\"continues\":true}\0").utf8, isLast)
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

    /// As it goes over a connection.
    var message: ArraySlice<UInt8> { (json + [0])[...] }

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
