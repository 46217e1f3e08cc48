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

/// The windows of _NET_CLIENT_LIST, with a set for `contains`. Replacing a list by a similar one is cheap.
package struct WindowList: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
    /// The windows in the order of the property.
    package private(set) var order: [UInt32] = []
    private var members: Set<UInt32> = []

    package init(_ order: [UInt32]) {
        self.order = order
        members = Set(order)
    }

    package init(arrayLiteral order: UInt32...) {
        self.init(order)
    }

    package init(from decoder: any Decoder) throws {
        self.init(try [UInt32](from: decoder))
    }

    package func encode(to encoder: any Encoder) throws { try order.encode(to: encoder) }

    package func contains(_ xid: UInt32) -> Bool { members.contains(xid) }

    package static func == (left: WindowList, right: WindowList) -> Bool { left.order == right.order }

    package func hash(into hasher: inout Hasher) { hasher.combine(order) }

    /// Replaces the list.
    ///
    /// - Returns: The added windows.
    package mutating func replace(with list: [UInt32]) -> [UInt32] {
        let (old, new) = Self.differing(order, list)
        let came = list[new].filter { !members.contains($0) }
        for xid in order[old] { members.remove(xid) }
        for xid in list[new] { members.insert(xid) }
        let wasPlain = members.count == list.count
        order = list
        // A window that was listed twice may have lost one entry.
        if !wasPlain { members = Set(list) }
        return came
    }

    /// Returns the parts of two lists between their common start and common end.
    private static func differing(_ old: [UInt32], _ new: [UInt32]) -> (Range<Int>, Range<Int>) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        return (start..<old.count - end, start..<new.count - end)
    }
}
