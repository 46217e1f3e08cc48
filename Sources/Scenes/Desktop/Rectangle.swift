/// A rectangle on a root window, in pixels.
public struct Rectangle: Hashable, Sendable {
    public var x, y, width, height: Int32

    public init(x: Int32 = 0, y: Int32 = 0, width: Int32, height: Int32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public func intersects(_ other: Rectangle) -> Bool {
        x < other.x &+ other.width && other.x < x &+ width
            && y < other.y &+ other.height && other.y < y &+ height
    }

    public func contains(_ other: Rectangle) -> Bool {
        x <= other.x && y <= other.y
            && other.x &+ other.width <= x &+ width && other.y &+ other.height <= y &+ height
    }
}
