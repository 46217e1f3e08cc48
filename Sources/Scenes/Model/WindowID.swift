/// The identity of a window.
///
/// X reuses the IDs of destroyed windows; `generation` distinguishes them.
public struct WindowID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The X resource ID.
    public let xid: UInt32
    /// A number that is unique among the windows with this ID.
    public let generation: UInt32

    /// Creates the identity of a window from its X resource ID and its generation.
    public init(_ xid: UInt32, generation: UInt32 = 0) {
        self.xid = xid
        self.generation = generation
    }

    /// The ID as xwininfo and wmctrl write it: `0x2c00007`.
    public var description: String {
        "0x" + String(xid, radix: 16)
    }

    public static func < (left: WindowID, right: WindowID) -> Bool {
        (left.xid, left.generation) < (right.xid, right.generation)
    }
}

/// The windows of _NET_CLIENT_LIST, with a set for `contains`.
package struct WindowList: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
    /// The windows in the order of the property.
    package let order: [UInt32]
    private let members: Set<UInt32>

    package init(_ order: [UInt32]) {
        self.order = order
        members = Set(order)
    }

    package init(arrayLiteral order: UInt32...) { self.init(order) }

    package init(from decoder: any Decoder) throws { self.init(try [UInt32](from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try order.encode(to: encoder) }

    package func contains(_ xid: UInt32) -> Bool { members.contains(xid) }

    package static func == (left: WindowList, right: WindowList) -> Bool { left.order == right.order }

    package func hash(into hasher: inout Hasher) { hasher.combine(order) }
}
