import CXPipeline
import Scenes

/// What extensions answer, which XCB has no types for without libraries of its own.
extension Reply {
    /// A part of the first 32 bytes, which every reply has.
    func value<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: Value.Type)
        -> Value?
    {
        start?.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Whether SHAPE's QueryExtents says that a bounding shape was set; nil where there is no reply.
    var isShaped: Bool? { value(at: 8, UInt8.self).map { $0 != 0 } }

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

    /// The monitors of RandR: the atom of the name, and where each is.
    var monitors: [(name: UInt32, area: Rectangle)] {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 12, UInt32.self) else {
            return []
        }
        // Behind each are its outputs.
        let list = UnsafeRawBufferPointer(start: start + Self.size, count: 4 * Int(length))
        var (place, found) = (0, [(name: UInt32, area: Rectangle)]())
        for _ in 0..<min(count, 64) where place + 24 <= list.count {
            func number<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: Value.Type)
                -> Int32
            {
                Int32(truncatingIfNeeded: list.loadUnaligned(fromByteOffset: place + offset, as: type))
            }
            let area = Rectangle(
                x: number(8, Int16.self), y: number(10, Int16.self), width: number(12, UInt16.self),
                height: number(14, UInt16.self))
            found.append((list.loadUnaligned(fromByteOffset: place, as: UInt32.self), area))
            place += 24 + 4 * Int(list.loadUnaligned(fromByteOffset: place + 6, as: UInt16.self))
        }
        return found
    }

    /// What GetAtomName answers.
    var atomName: String? {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 8, UInt16.self),
            Int(count) <= 4 * Int(length)
        else { return nil }
        return Text.decode(UnsafeRawBufferPointer(start: start + Self.size, count: Int(count)))
    }

    /// What MIT-SCREEN-SAVER says of the saver of a screen.
    var saver: DisplayFacts.Saver? {
        guard let state = value(at: 1, UInt8.self), let kind = value(at: 24, UInt8.self) else { return nil }
        return DisplayFacts.Saver(state: state, kind: kind)
    }

    /// How long ago, in milliseconds, MIT-SCREEN-SAVER says that the saver has come on by itself; nil where it did not, or
    /// nobody can tell. One that was forced on before its time seems to have come on later than it did.
    var saverAge: Int64? {
        guard value(at: 1, UInt8.self) == 1, let age = value(at: 12, UInt32.self),
            let idle = value(at: 16, UInt32.self)
        else { return nil }
        return age > 0 && age <= idle ? Int64(age) : nil
    }

    /// The process that X-Resource names; nil where the client is on another host.
    var process: Int32? {
        guard value(at: 8, UInt32.self) == 1, (value(at: 4, UInt32.self) ?? 0) >= 4,
            value(at: 40, UInt32.self) == 4
        else { return nil }
        return value(at: 44, Int32.self)
    }

    /// What DPMS says: 0 for a monitor that is on.
    var powerLevel: UInt16? { value(at: 8, UInt16.self) }

    /// The value of a counter of SYNC; nil for one that no time can be.
    var counterValue: Int64? {
        guard let high = value(at: 8, Int32.self), let low = value(at: 12, UInt32.self), high >= 0 else {
            return nil
        }
        return Int64(high) << 32 | Int64(low)
    }

    /// The id of the counter with a name among those that SYNC tells; nil where there is none.
    func counter(named name: String) -> UInt32? {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 8, UInt32.self) else {
            return nil
        }
        // Each has its id, its resolution, and its name with the length before it, padded to units of 32 bits.
        let list = UnsafeRawBufferPointer(start: start + Self.size, count: 4 * Int(length))
        var place = 0
        for _ in 0..<count {
            guard place + 14 <= list.count else { return nil }
            let id = list.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            let end = place + 14 + Int(list.loadUnaligned(fromByteOffset: place + 12, as: UInt16.self))
            guard end <= list.count else { return nil }
            if list[(place + 14)..<end].elementsEqual(name.utf8) { return id }
            place = (end + 3) / 4 * 4
        }
        return nil
    }
}
