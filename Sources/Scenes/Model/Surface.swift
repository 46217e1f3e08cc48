/// The properties that determine which pixels a window hides and shows: depth, shape, opacity, borders. They are read
/// for children of root windows and for the clients inside them.
package struct Surface: Hashable, Sendable, Codable {
    /// Widths along the four edges of a window.
    package struct Margins: Hashable, Sendable {
        package var left, right, top, bottom: Int32

        package static let none = Margins(left: 0, right: 0, top: 0, bottom: 0)

        package init(left: Int32, right: Int32, top: Int32, bottom: Int32) {
            (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
        }
    }

    /// The depth in bits; nil until it is read.
    package var depth: UInt8?
    package var isInputOnly = false
    package var border: Int32 = 0
    /// Whether a bounding shape is set, or not known yet.
    package var isShaped = true
    /// The rectangles of the shape, relative to the corner inside the border; nil if unknown.
    package var shape: [Rectangle]?
    /// Whether _NET_WM_WINDOW_OPACITY makes the window translucent.
    package var isTranslucent = false
    /// _NET_WM_OPAQUE_REGION, relative to the corner inside the border; nil if it is not set.
    package var opaqueRegion: [Rectangle]?
    /// _NET_FRAME_EXTENTS.
    package var frame = Margins.none
    /// _GTK_FRAME_EXTENTS: the widths of the shadow.
    package var shadow = Margins.none

    package init() {}

    /// Whether the pixels have an alpha channel, or the depth is unknown.
    var hasAlpha: Bool { depth == nil || depth == 32 }

    /// Returns the rectangles of the shape on the root window; nil if unknown.
    ///
    /// - Parameter place: The rectangle of the window, including the border.
    func shape(at place: Rectangle) -> [Rectangle]? {
        isShaped ? shape?.compactMap { onRoot($0, at: place) } : [place]
    }

    /// Returns the rectangles in which every pixel is opaque, ignoring the window opacity; nil if unknown.
    func opaque(at place: Rectangle) -> [Rectangle]? {
        hasAlpha ? opaqueRegion?.compactMap { onRoot($0, at: place) } : shape(at: place)
    }

    private func onRoot(_ rectangle: Rectangle, at place: Rectangle) -> Rectangle? {
        rectangle.moved(x: place.x &+ border, y: place.y &+ border).intersection(place)
    }
}

/// Encodes margins as `[left, right, top, bottom]`.
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

    /// Returns the rectangle without its margins, or the whole rectangle if nothing would remain.
    func shrunk(by margins: Surface.Margins) -> Rectangle {
        let inner = Rectangle(
            x: x &+ margins.left, y: y &+ margins.top, width: width &- margins.left &- margins.right,
            height: height &- margins.top &- margins.bottom)
        return inner.isEmpty ? self : inner
    }
}
