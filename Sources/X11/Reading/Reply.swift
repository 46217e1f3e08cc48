import CXPipeline
import CXlib
import Scenes

/// The reply to a request, valid until the next one is taken. `start` is nil if the requested resource is gone.
struct Reply {
    let start: UnsafeRawPointer?

    /// Returns the fixed-size part of the reply; nil if there is no reply, or if the reply is too short.
    func fixed<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        guard let start else { return nil }
        let more = start.loadUnaligned(as: xcb_generic_reply_t.self).length
        return MemoryLayout<Value>.size <= Self.size + 4 * Int(more) ? start.loadUnaligned(as: type) : nil
    }

    /// The requested property; nil if the window is gone or does not have it.
    var property: Property? { start.flatMap { Property($0) } }

    /// The window that owns a selection; 0 for none.
    var selectionOwner: UInt32 { fixed(xcb_get_selection_owner_reply_t.self)?.owner ?? 0 }

    /// The parent of a window (0 for a root window), its root, and its children, the lowest first.
    var tree: (parent: UInt32, root: UInt32, children: [UInt32])? {
        guard let start, let tree = fixed(xcb_query_tree_reply_t.self) else { return nil }
        let count = min(Int(tree.children_len), Int(tree.length))
        let words = UnsafeRawBufferPointer(start: start + Self.size, count: count * 4)
        return (tree.parent, tree.root, words.words)
    }

    /// The number of symbols per key, and the symbols, key by key.
    var keySymbols: (perKey: Int, symbols: [UInt32]) {
        guard let start, let keys = fixed(xcb_get_keyboard_mapping_reply_t.self) else { return (0, []) }
        let words = UnsafeRawBufferPointer(start: start + Self.size, count: Int(keys.length) * 4)
        return (Int(keys.keysyms_per_keycode), words.words)
    }

    /// The minimum size of a reply, in bytes.
    static let size = 32
}

extension UnsafeRawBufferPointer {
    /// The bytes as units of 32 bits.
    fileprivate var words: [UInt32] {
        (0..<count / 4).map { loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
}

/// A property as the server returned it. Its type and format must be checked before its value is used.
struct Property {
    let type: UInt32
    private let format: UInt8
    /// Whether the property is longer than the requested length.
    let isCut: Bool
    private let bytes: UnsafeRawBufferPointer

    init?(_ reply: UnsafeRawPointer) {
        let fixed = reply.loadUnaligned(as: xcb_get_property_reply_t.self)
        guard fixed.type != 0 else { return nil }
        type = fixed.type
        format = fixed.format
        isCut = fixed.bytes_after > 0
        let size = min(Int(fixed.value_len) * Int(fixed.format / 8), Int(fixed.length) * 4)
        bytes = UnsafeRawBufferPointer(start: reply + Reply.size, count: size)
    }

    /// Returns the items of a property of 32-bit values; nil if it has another type or format.
    func words(_ wanted: UInt32) -> [UInt32]? {
        type == wanted && format == 32 ? bytes.words : nil
    }

    /// Returns the first item of a property of 32-bit values; nil if it has another type or format, or no items.
    func word(_ wanted: UInt32) -> UInt32? {
        guard type == wanted, format == 32, bytes.count >= 4 else { return nil }
        return bytes.loadUnaligned(as: UInt32.self)
    }

    /// Returns the bytes of a text property; nil if it has another type or format. A truncated property loses a partial
    /// UTF-8 character at its end.
    func text(_ wanted: UInt32, or other: UInt32? = nil) -> UnsafeRawBufferPointer.SubSequence? {
        guard type == wanted || type == other, format == 8 else { return nil }
        return isCut ? Text.withoutPartialCharacter(bytes) : bytes[...]
    }
}
