/// The identity of a window. X reuses the IDs of destroyed windows; `generation` distinguishes them.
public struct WindowID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The X resource ID.
    public let xid: UInt32
    /// A number that is unique among the windows with this ID.
    public let generation: UInt32

    /// Creates the identity of a window from its X resource ID and its generation.
    public init(_ xid: UInt32, generation: UInt32 = 0) {
        (self.xid, self.generation) = (xid, generation)
    }

    /// The ID as xwininfo and wmctrl write it: `0x2c00007`.
    public var description: String { "0x" + String(xid, radix: 16) }

    /// Orders windows by their X resource IDs, then by their generations.
    public static func < (left: WindowID, right: WindowID) -> Bool {
        (left.xid, left.generation) < (right.xid, right.generation)
    }
}
