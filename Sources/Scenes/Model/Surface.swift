/// What decides which pixels a window hides and shows: depth, shape, opacity, borders. Read for children of root
/// windows and for the clients in them.
package struct Surface: Hashable, Sendable, Codable {
    /// What a window has at its edges.
    package struct Margins: Hashable, Sendable {
        package var left, right, top, bottom: Int32

        package static let none = Margins(left: 0, right: 0, top: 0, bottom: 0)

        package init(left: Int32, right: Int32, top: Int32, bottom: Int32) {
            (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
        }
    }

    /// Bits of a pixel; nil until it was read.
    package var depth: UInt8?
    package var isInputOnly = false
    package var border: Int32 = 0
    /// Its bounding shape was changed, or that is not known yet.
    package var isShaped = true
    /// The rectangles of its shape, from the corner inside of the border; nil where they are not known.
    package var shape: [Rectangle]?
    /// _NET_WM_WINDOW_OPACITY says that what is below shines through.
    package var isTranslucent = false
    /// _NET_WM_OPAQUE_REGION, from the corner inside of the border; nil where it is not set.
    package var opaqueRegion: [Rectangle]?
    /// _NET_FRAME_EXTENTS.
    package var frame = Margins.none
    /// _GTK_FRAME_EXTENTS: what is only shadow.
    package var shadow = Margins.none

    package init() {}

    /// Its pixels have an alpha value.
    var hasAlpha: Bool { depth == nil || depth == 32 }

    /// The rectangles of its shape on the root window; nil where they are not known.
    ///
    /// - Parameter place: Where it is, with its border.
    func shape(at place: Rectangle) -> [Rectangle]? {
        isShaped ? shape?.compactMap { onRoot($0, at: place) } : [place]
    }

    /// The rectangles in which no pixel of it lets others shine through, whatever its opacity; nil where they are not known.
    func opaque(at place: Rectangle) -> [Rectangle]? {
        hasAlpha ? opaqueRegion?.compactMap { onRoot($0, at: place) } : shape(at: place)
    }

    private func onRoot(_ rectangle: Rectangle, at place: Rectangle) -> Rectangle? {
        rectangle.moved(x: place.x &+ border, y: place.y &+ border).intersection(place)
    }
}

/// As `[left, right, top, bottom]`.
extension Surface.Margins: Codable {
    package init(from decoder: any Decoder) throws {
        let numbers = try decoder.fourNumbers(0...65_535, 0...65_535)
        self.init(left: numbers[0], right: numbers[1], top: numbers[2], bottom: numbers[3])
    }

    package func encode(to encoder: any Encoder) throws {
        try [left, right, top, bottom].encode(to: encoder)
    }
}

extension Rectangle {
    func grown(by margins: Surface.Margins) -> Rectangle {
        Rectangle(
            x: x &- margins.left, y: y &- margins.top, width: width &+ margins.left &+ margins.right,
            height: height &+ margins.top &+ margins.bottom)
    }

    /// Without its margins; whole where these leave nothing of it.
    func shrunk(by margins: Surface.Margins) -> Rectangle {
        let inner = Rectangle(
            x: x &+ margins.left, y: y &+ margins.top, width: width &- margins.left &- margins.right,
            height: height &- margins.top &- margins.bottom)
        return inner.isEmpty ? self : inner
    }
}
