import CXPipeline
import CXlib
import Scenes

/// The reply to a request, valid until the next one is taken; none where what was asked about is gone.
struct Reply {
    let start: UnsafeRawPointer?

    /// The part of it that has always the same size.
    func fixed<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        guard let start else { return nil }
        let more = start.loadUnaligned(as: xcb_generic_reply_t.self).length
        return MemoryLayout<Value>.size <= Self.size + 4 * Int(more) ? start.loadUnaligned(as: type) : nil
    }

    /// The property that was asked for; nil where the window is gone or has none of that name.
    var property: Property? { start.flatMap { Property($0) } }

    /// The client window that owns a selection; 0 for none.
    var selectionOwner: UInt32 { fixed(xcb_get_selection_owner_reply_t.self)?.owner ?? 0 }

    /// The parent of a window, 0 for a root window, its root, and its children, the lowest first.
    var tree: (parent: UInt32, root: UInt32, children: [UInt32])? {
        guard let start, let tree = fixed(xcb_query_tree_reply_t.self) else { return nil }
        let count = min(Int(tree.children_len), Int(tree.length))
        let words = UnsafeRawBufferPointer(start: start + Self.size, count: count * 4)
        return (tree.parent, tree.root, words.words)
    }

    /// How many symbols each key has, and these, key by key.
    var keySymbols: (perKey: Int, symbols: [UInt32]) {
        guard let start, let keys = fixed(xcb_get_keyboard_mapping_reply_t.self) else { return (0, []) }
        let words = UnsafeRawBufferPointer(start: start + Self.size, count: Int(keys.length) * 4)
        return (Int(keys.keysyms_per_keycode), words.words)
    }

    /// How many bytes every reply has at least.
    static let size = 32
}

extension Display {
    /// Takes the reply to a request; nil if it has not come yet.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    func reply(to request: UInt32) throws(DisplayError) -> Reply? {
        var start: UnsafeRawPointer?
        guard cxp_take_reply(connection, request, &start) else { return nil }
        // On a lost connection there is no reply to anything.
        if start == nil { try check() }
        return Reply(start: start)
    }

    /// Waits for the reply to a request.
    ///
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer`.
    func reply(to request: UInt32, until end: ContinuousClock.Instant) throws(DisplayError) -> Reply {
        while true {
            if let reply = try reply(to: request) { return reply }
            try wait(until: end)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// What it is in units of 32 bits.
    fileprivate var words: [UInt32] {
        (0..<count / 4).map { loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
}

/// A property as the server gave it: nothing of it is true before its type and format were checked.
struct Property {
    let type: UInt32
    private let format: UInt8
    /// Whether the property is longer than what was asked for.
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

    /// The items of a property of 32-bit values; nil where it is of another type or format.
    func words(_ wanted: UInt32) -> [UInt32]? {
        type == wanted && format == 32 ? bytes.words : nil
    }

    /// The first item of a property of 32-bit values; nil where it is of another type or format, or has no item.
    func word(_ wanted: UInt32) -> UInt32? {
        guard type == wanted, format == 32, bytes.count >= 4 else { return nil }
        return bytes.loadUnaligned(as: UInt32.self)
    }

    /// The bytes of a property of text; nil where it is of another type or format. A property that was cut
    /// loses a partial UTF-8 character at its end.
    func text(_ wanted: UInt32, or other: UInt32? = nil) -> UnsafeRawBufferPointer.SubSequence? {
        guard type == wanted || type == other, format == 8 else { return nil }
        return isCut ? Text.withoutPartialCharacter(bytes) : bytes[...]
    }
}
