import CXPipeline

/// A property as the server gave it: nothing of it is true before its type and format were checked.
struct Property {
    let type: UInt32
    let format: UInt32
    /// Whether the property is longer than what was asked for.
    let isCut: Bool
    private let bytes: UnsafeRawBufferPointer

    /// nil where the window is gone or has no such property. Valid as long as the batch it came from.
    init?(_ answer: cxp_answer) {
        guard answer.answered, answer.property.type != 0, let bytes = answer.property.bytes else {
            return nil
        }
        type = answer.property.type
        format = answer.property.format
        isCut = answer.property.remaining > 0
        let size = Int(answer.property.count) * Int(format / 8)
        self.bytes = UnsafeRawBufferPointer(start: bytes, count: size)
    }

    /// The items of a property of 32-bit values; nil where it is of another type or format.
    func words(_ wanted: UInt32) -> [UInt32]? {
        guard type == wanted, format == 32 else { return nil }
        return (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }

    /// The bytes of a property of text; nil where it is of another type or format. Of one that is longer
    /// than what was asked for, no part of a character of UTF-8 stands at the end.
    func text(_ wanted: UInt32...) -> [UInt8]? {
        guard wanted.contains(type), format == 8 else { return nil }
        return isCut ? Text.withoutPartialCharacter(Array(bytes)) : Array(bytes)
    }
}
