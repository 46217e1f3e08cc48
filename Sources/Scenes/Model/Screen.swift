/// The state of the display's default screen and its window manager.
package struct Screen: Hashable, Sendable, Codable {
    /// The window manager, identified by its check window.
    package struct Manager: Hashable, Sendable, Codable {
        /// The window that _NET_SUPPORTING_WM_CHECK names and that names itself; nil without EWMH.
        package var checkWindow: UInt32?
        /// The X client of the check window, as in `WindowFacts.client`.
        package var client: UInt32?
        package var name: String?

        package init(checkWindow: UInt32? = nil, client: UInt32? = nil, name: String? = nil) {
            (self.checkWindow, self.client, self.name) = (checkWindow, client, name)
        }
    }

    package var root: UInt32
    package var bounds = Rectangle(width: 1280, height: 800)
    /// The parts that the monitors show; empty if all monitors are off, nil if unknown, before RandR 1.5.
    package var monitors: [Rectangle]?
    /// The client with SubstructureRedirect on the root window; nil if there is none. Only this proves that a window
    /// manager is running: its properties stay on the root window after it exits.
    package var manager: Manager?
    /// The window that owns WM_Sn; 0 under window managers that do not acquire it.
    package var selectionOwner: UInt32 = 0
    /// Whether the client list or the active window was written since this window manager took over.
    package var wasRewritten = false
    /// _NET_CLIENT_LIST; nil if it is not set.
    package var clients: Set<UInt32>?
    /// _NET_CLIENT_LIST_STACKING, lowest first.
    package var stacking: [UInt32] = []
    /// _NET_ACTIVE_WINDOW: 0 for none, nil if it is not set.
    package var activeWindow: UInt32?
    /// _NET_CURRENT_DESKTOP.
    package var currentDesktop: UInt32?
    /// _NET_SHOWING_DESKTOP.
    package var isShowingDesktop = false
    /// Whether _NET_WM_CM_Sn has an owner.
    package var isComposited = false
    /// Whether the window manager owns _NET_WM_CM_Sn.
    package var isOwnCompositor = false

    package init(root: UInt32 = 0) { self.root = root }

    /// The parts that the monitors show. While all are off, and every window is hidden for that reason, it is everything.
    var parts: [Rectangle] { monitors.flatMap { $0.isEmpty ? nil : $0 } ?? [bounds] }

    /// Whether the window manager may hide windows without unmapping them, because it is its own compositor. Whose the
    /// compositor is cannot be known of a window manager without check window: a replaced mutter deletes that of the next.
    var mayHideMapped: Bool { isOwnCompositor || isComposited && manager?.checkWindow == nil }

    // A comparison of `manager` with nil would copy its name for each window.
    var hasManager: Bool { if case .some = manager { true } else { false } }

    /// Whether the running window manager wrote the properties of the root window.
    package var isTrusted: Bool {
        guard let manager else { return false }
        return manager.checkWindow != nil || wasRewritten
    }
}

/// A rectangle on a root window, in pixels.
package struct Rectangle: Hashable, Sendable {
    package var x, y, width, height: Int32

    package init(x: Int32 = 0, y: Int32 = 0, width: Int32, height: Int32) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package func intersects(_ other: Rectangle) -> Bool { intersection(other) != nil }

    package func overlap(with other: Rectangle) -> Int64 {
        intersection(other).map { Int64($0.width) * Int64($0.height) } ?? 0
    }

    package func hasCentre(of other: Rectangle) -> Bool {
        2 * x + width == 2 * other.x + other.width && 2 * y + height == 2 * other.y + other.height
    }

    package func contains(_ other: Rectangle) -> Bool {
        x <= other.x && y <= other.y && other.right <= right && other.bottom <= bottom
    }
}

/// Encodes a rectangle as `[x, y, width, height]`.
extension Rectangle: Codable {
    /// The limit of coordinates and sizes. No window is farther away or larger.
    private static let farthest: Int32 = 1 << 24

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        // Twice as fast as decoding an `[Int32]`.
        let numbers = [
            try list.decode(Int32.self), try list.decode(Int32.self), try list.decode(Int32.self),
            try list.decode(Int32.self),
        ]
        let (least, most) = (-Self.farthest, Self.farthest)
        guard list.isAtEnd, zip([least, least, 0, 0], numbers).allSatisfy({ $0...most ~= $1 }) else {
            throw DecodingError.dataCorruptedError(
                in: list, debugDescription: "A number of \(numbers) is out of range.")
        }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    package func encode(to encoder: any Encoder) throws { try [x, y, width, height].encode(to: encoder) }
}
