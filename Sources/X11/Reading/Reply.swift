import CXPipeline
import CXlib
import Scenes

/// The reply to a request, valid until the next one is taken. `start` is nil if the requested resource is gone.
struct Reply {
    let start: UnsafeRawPointer?

    /// The minimum size of a reply, in bytes.
    static let size = 32

    /// Returns the fixed-size part of the reply; nil if there is no reply, or if the reply is too short.
    func fixed<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        MemoryLayout<Value>.size <= Self.size + rest.count ? start?.loadUnaligned(as: type) : nil
    }

    /// The bytes after the minimum size; empty if there is no reply.
    var rest: UnsafeRawBufferPointer {
        guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let words = start.loadUnaligned(as: xcb_generic_reply_t.self).length
        return UnsafeRawBufferPointer(start: start + Self.size, count: 4 * Int(words))
    }

    /// The requested property; nil if the window is gone or does not have it.
    var property: Property? { Property(self) }

    /// The window that owns a selection; 0 for none.
    var selectionOwner: UInt32 { fixed(xcb_get_selection_owner_reply_t.self)?.owner ?? 0 }

    /// The parent of a window (0 for a root window), its root, and its children, the lowest first.
    var tree: (parent: UInt32, root: UInt32, children: [UInt32])? {
        fixed(xcb_query_tree_reply_t.self).map {
            ($0.parent, $0.root, Array(rest.words.prefix(Int($0.children_len))))
        }
    }

    /// The number of symbols per key, and the symbols, key by key.
    var keySymbols: (perKey: Int, symbols: [UInt32]) {
        let perKey = fixed(xcb_get_keyboard_mapping_reply_t.self)?.keysyms_per_keycode ?? 0
        return (Int(perKey), perKey > 0 ? rest.words : [])
    }

    var atomName: String? {
        guard let size = fixed(xcb_get_atom_name_reply_t.self)?.name_len, size <= rest.count else {
            return nil
        }
        return Text.decode(rest.prefix(Int(size)))
    }
}

extension xcb_get_window_attributes_reply_t {
    var mapState: WindowFacts.MapState {
        switch Int32(map_state) {
        case IsViewable: .viewable
        case IsUnmapped: .unmapped
        default: .unviewable
        }
    }
}

/// Lists in replies are read value by value.
extension UnsafeRawBufferPointer {
    /// The bytes as units of 32 bits.
    fileprivate var words: [UInt32] {
        (0..<count / 4).map { loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }

    /// Returns the first value and drops it; nil if fewer bytes are left.
    mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        guard MemoryLayout<Value>.size <= count else { return nil }
        defer { drop(MemoryLayout<Value>.size) }
        return loadUnaligned(as: type)
    }

    mutating func drop(_ size: Int) { self = Self(rebasing: dropFirst(size)) }
}

/// A property as the server returned it. Its type and format must be checked before its value is used.
struct Property {
    let type: UInt32
    private let format: UInt8
    /// Whether the property is longer than the requested length.
    let isCut: Bool
    private let bytes: UnsafeRawBufferPointer

    init?(_ reply: Reply) {
        guard let fixed = reply.fixed(xcb_get_property_reply_t.self), fixed.type != 0 else { return nil }
        (type, format, isCut) = (fixed.type, fixed.format, fixed.bytes_after > 0)
        let size = Int(fixed.value_len) * Int(fixed.format / 8)
        bytes = UnsafeRawBufferPointer(rebasing: reply.rest.prefix(size))
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

    /// Whether the opacity in _NET_WM_WINDOW_OPACITY is less than full.
    var isTranslucent: Bool { (word(UInt32(XA_CARDINAL)) ?? .max) != .max }

    /// The widths in _NET_FRAME_EXTENTS; nil if the property has another type or fewer items.
    var frameExtents: WindowFacts.FrameExtents? {
        guard let widths = words(UInt32(XA_CARDINAL)), widths.count >= 4 else { return nil }
        return WindowFacts.FrameExtents(left: widths[0], right: widths[1], top: widths[2], bottom: widths[3])
    }

    /// Returns the bytes of a text property; nil if it has another type or format. A truncated property loses a partial
    /// UTF-8 character at its end.
    func text(_ wanted: UInt32, or other: UInt32? = nil) -> UnsafeRawBufferPointer.SubSequence? {
        guard type == wanted || type == other, format == 8 else { return nil }
        return isCut ? Text.withoutPartialCharacter(bytes) : bytes[...]
    }
}
