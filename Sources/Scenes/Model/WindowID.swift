/// One window, for as long as it lives.
///
/// X gives the ids of destroyed windows to new ones; `generation` tells them apart.
public struct WindowID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The X resource id.
    public let xid: UInt32
    /// A number that no other window with this id has.
    public let generation: UInt32

    /// A window by its X resource id, and the number that tells it from others with that id.
    public init(_ xid: UInt32, generation: UInt32 = 0) {
        self.xid = xid
        self.generation = generation
    }

    /// The id as xwininfo and wmctrl write it: `0x2c00007`.
    public var description: String {
        "0x" + String(xid, radix: 16)
    }

    public static func < (left: WindowID, right: WindowID) -> Bool {
        (left.xid, left.generation) < (right.xid, right.generation)
    }
}
