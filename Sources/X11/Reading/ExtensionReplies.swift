import CXPipeline
import Scenes

/// The replies of extensions. XCB has types for them only in separate libraries.
extension Reply {
    /// Returns the integer at an offset; nil if there is no reply. Beyond the 32 bytes that every reply has, the caller
    /// must check the length.
    func value<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: Value.Type)
        -> Value?
    {
        start?.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Whether a bounding shape is set, from SHAPE's QueryExtents; nil if there is no reply.
    var isShaped: Bool? { value(at: 8, UInt8.self).map { $0 != 0 } }

    /// Returns the rectangles in a reply to XINERAMA's QueryScreens; nil if there is no reply, or if it has more than
    /// `limit` rectangles.
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

    /// The monitors of RandR, each with the atom of its name.
    var monitors: [(name: UInt32, area: Rectangle)] {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 12, UInt32.self) else {
            return []
        }
        // The outputs of each monitor follow it.
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

    /// The name in a reply to GetAtomName.
    var atomName: String? {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 8, UInt16.self),
            Int(count) <= 4 * Int(length)
        else { return nil }
        return Text.decode(UnsafeRawBufferPointer(start: start + Self.size, count: Int(count)))
    }

    /// The saver state of a screen, from MIT-SCREEN-SAVER.
    var saver: ScreenSaver? {
        guard let state = value(at: 1, UInt8.self), let kind = value(at: 24, UInt8.self) else { return nil }
        return ScreenSaver(state: state, kind: kind)
    }

    /// The milliseconds since the saver came on by itself, from MIT-SCREEN-SAVER; nil if it did not, or if the time is
    /// unknown. For a saver that was forced on early, the value is too low.
    var saverAge: Int64? {
        guard value(at: 1, UInt8.self) == 1, let age = value(at: 12, UInt32.self),
            let idle = value(at: 16, UInt32.self)
        else { return nil }
        return age > 0 && age <= idle ? Int64(age) : nil
    }

    /// The process ID that X-Resource reports; nil if the client is on another host.
    var process: Int32? {
        guard value(at: 8, UInt32.self) == 1, (value(at: 4, UInt32.self) ?? 0) >= 4,
            value(at: 40, UInt32.self) == 4
        else { return nil }
        return value(at: 44, Int32.self)
    }

    /// The power level of DPMS: 0 for a monitor that is on.
    var powerLevel: UInt16? { value(at: 8, UInt16.self) }

    /// The value of a SYNC counter; nil if it is negative, and so not a time.
    var counterValue: Int64? {
        guard let high = value(at: 8, Int32.self), let low = value(at: 12, UInt32.self), high >= 0 else {
            return nil
        }
        return Int64(high) << 32 | Int64(low)
    }

    /// Returns the ID of the SYNC counter with the given name; nil if there is none.
    func counter(named name: String) -> UInt32? {
        guard let start, let length = value(at: 4, UInt32.self), let count = value(at: 8, UInt32.self) else {
            return nil
        }
        // Each entry is an ID, a resolution, and a name after its length, padded to 32 bits.
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
