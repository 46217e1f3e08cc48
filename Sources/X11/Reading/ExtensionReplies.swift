import CXPipeline
import Scenes

/// What extensions answer, which XCB has no types for without libraries of its own.
extension Reply {
    /// A part of the first 32 bytes, which every reply has.
    private func value<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: Value.Type)
        -> Value?
    {
        start?.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// The rectangles that XINERAMA's QueryScreens and SHAPE's GetRectangles tell; nil where there is no reply, or more of
    /// them than `limit`.
    func rectangles(atMost limit: Int) -> [Rectangle]? {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 8, UInt32.self),
            count <= limit, count <= length / 2
        else { return nil }
        return (0..<Int(count)).map {
            let each = start.loadUnaligned(fromByteOffset: Self.size + 8 * $0, as: xcb_rectangle_t.self)
            return Rectangle(
                x: Int32(each.x), y: Int32(each.y), width: Int32(each.width), height: Int32(each.height))
        }
    }
}
