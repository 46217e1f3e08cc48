/// A rectangle on a root window, in pixels.
package struct Rectangle: Hashable, Sendable {
    package var x, y, width, height: Int32

    package init(x: Int32 = 0, y: Int32 = 0, width: Int32, height: Int32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package func intersects(_ other: Rectangle) -> Bool {
        x < other.x &+ other.width && other.x < x &+ width
            && y < other.y &+ other.height && other.y < y &+ height
    }

    package func contains(_ other: Rectangle) -> Bool {
        x <= other.x && y <= other.y
            && other.x &+ other.width <= x &+ width && other.y &+ other.height <= y &+ height
    }
}
