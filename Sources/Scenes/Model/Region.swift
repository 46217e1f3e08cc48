/// A set of pixels, as rectangles that do not overlap.
struct Region: Sendable {
    private(set) var rectangles: [Rectangle] = []

    /// Creates the region of rectangles that may overlap.
    init(_ all: [Rectangle]) {
        for rectangle in all where !rectangle.isEmpty {
            var new = Region([])
            new.rectangles = [rectangle]
            for known in rectangles { new.subtract(known) }
            rectangles += new.rectangles
        }
    }

    var isEmpty: Bool { rectangles.isEmpty }

    var area: Int { rectangles.reduce(0) { $0 + Int($1.width) * Int($1.height) } }

    func intersects(_ rectangle: Rectangle) -> Bool { rectangles.contains(where: rectangle.intersects) }

    /// Removes the pixels of a rectangle, and returns whether the region contained any of them.
    @discardableResult
    mutating func subtract(_ hole: Rectangle) -> Bool {
        var hasMet = false
        var index = 0
        while index < rectangles.count {
            guard let common = rectangles[index].intersection(hole) else {
                index += 1
                continue
            }
            hasMet = true
            let old = rectangles[index]
            rectangles[index] = rectangles[rectangles.count - 1]
            rectangles.removeLast()
            // The remaining parts do not intersect the hole.
            rectangles += old.parts(around: common)
        }
        return hasMet
    }
}

extension Rectangle {
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    var right: Int32 { x &+ width }
    var bottom: Int32 { y &+ height }

    /// Returns the common part; nil if the rectangles have no pixel in common.
    func intersection(_ other: Rectangle) -> Rectangle? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(right, other.right), min(bottom, other.bottom))
        guard left < right, top < bottom else { return nil }
        return Rectangle(x: left, y: top, width: right &- left, height: bottom &- top)
    }

    func grown(by extents: WindowFacts.FrameExtents) -> Rectangle {
        Rectangle(
            x: x - extents.left, y: y - extents.top, width: width + extents.left + extents.right,
            height: height + extents.top + extents.bottom)
    }

    /// Creates the smallest rectangle around others; nil if there are none.
    init?(around all: [Rectangle]) {
        guard let left = all.map(\.x).min(), let top = all.map(\.y).min(),
            let right = all.map(\.right).max(), let bottom = all.map(\.bottom).max()
        else { return nil }
        self.init(x: left, y: top, width: right &- left, height: bottom &- top)
    }

    fileprivate func parts(around hole: Rectangle) -> [Rectangle] {
        var parts: [Rectangle] = []
        func add(_ left: Int32, _ top: Int32, _ right: Int32, _ bottom: Int32) {
            guard left < right, top < bottom else { return }
            parts.append(Rectangle(x: left, y: top, width: right &- left, height: bottom &- top))
        }
        add(x, y, right, hole.y)
        add(x, hole.bottom, right, bottom)
        add(x, hole.y, hole.x, hole.bottom)
        add(hole.right, hole.y, right, hole.bottom)
        return parts
    }
}
