/// A fault of a recording, and its line.
public struct RecordingFault: Error, Hashable, Sendable {
    /// The number of the line, from 1.
    public let line: Int
    /// A clause that describes the fault.
    public let text: String
}

extension RecordingFault: CustomStringConvertible {
    /// Creates a fault that names the value that cannot be decoded.
    init(_ line: Int, _ error: any Error) {
        let (path, fault): ([any CodingKey], String) =
            switch error as? DecodingError {
            // If a number does not fit into its type, Foundation does not name it.
            case .dataCorrupted(let context) where context.codingPath.isEmpty:
                ([], "it is not JSON, or a number is out of range")
            case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing")
            case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context.codingPath, context.debugDescription)
            default: ([], "\(error)")
            }
        let keys = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let location = keys.joined().drop { $0 == "." }
        self.init(line: line, text: location.isEmpty ? fault : "\(location): \(fault)")
    }

    /// `12: what is wrong`.
    public var description: String { "\(line): \(text)" }
}
