import CXPipeline
import Scenes

/// The replies of extensions, as the headers of the protocols describe them. That of RandR cannot be imported: it defines
/// Bool.
extension Reply {
    /// The maximum number of monitors to read.
    private static let mostMonitors = 64

    /// Whether a bounding shape is set, from SHAPE's QueryExtents; nil if there is no reply.
    var isShaped: Bool? { fixed(xShapeQueryExtentsReply.self).map { $0.boundingShaped != 0 } }

    /// Whether a window takes input anywhere, from the rectangles of SHAPE; nil if there is no reply.
    var takesInput: Bool? { fixed(xShapeGetRectanglesReply.self).map { $0.nrects > 0 } }

    /// The monitors of RandR, each with the atom of its name; nil if there is no reply.
    var monitors: [(name: UInt32, area: Rectangle)]? {
        // A time precedes the count.
        guard let count = fixed(xGenericReply.self)?.data01 else { return nil }
        var (list, found) = (rest, [(name: UInt32, area: Rectangle)]())
        // Each entry is a name, two flags, the number of outputs, a rectangle, a size in millimetres, and the outputs.
        while found.count < min(Int(count), Self.mostMonitors), let name = list.take(UInt32.self),
            list.take(UInt16.self) != nil, let outputs = list.take(UInt16.self),
            let area = list.take(xcb_rectangle_t.self), list.take(UInt64.self) != nil
        {
            list.drop(4 * Int(outputs))
            found.append(
                (name, Rectangle(x: area.x, y: area.y, width: area.width, height: area.height, border: 0)))
        }
        return found
    }

    /// The saver of a screen, from MIT-SCREEN-SAVER.
    var saver: (state: UInt8, kind: UInt8)? {
        fixed(xScreenSaverQueryInfoReply.self).map { ($0.state, $0.kind) }
    }

    /// The milliseconds since the saver came on by itself, from MIT-SCREEN-SAVER; nil if it did not, or if the time is
    /// unknown. For a saver that was forced on early, the value is too low.
    var saverAge: Int64? {
        guard let saver = fixed(xScreenSaverQueryInfoReply.self), saver.state == 1 else { return nil }
        return saver.tilOrSince > 0 && saver.tilOrSince <= saver.idle ? Int64(saver.tilOrSince) : nil
    }

    /// The process ID that X-Resource reports; nil if the client is on another host.
    var process: Int32? {
        var list = rest
        guard fixed(xXResQueryClientIdsReply.self)?.numIds == 1,
            list.take(xXResClientIdValue.self)?.length == 4
        else { return nil }
        return list.take(Int32.self)
    }

    /// The power level of DPMS: 0 for a monitor that is on.
    var powerLevel: UInt16? { fixed(xDPMSInfoReply.self)?.power_level }

    /// The value of a SYNC counter; nil if it is negative, and so not a time.
    var counterValue: Int64? {
        guard let value = fixed(xSyncQueryCounterReply.self), value.value_hi >= 0 else { return nil }
        return Int64(value.value_hi) << 32 | Int64(value.value_lo)
    }

    /// Returns the ID of the SYNC counter with the given name; nil if there is none.
    func counter(named name: String) -> UInt32? {
        var (list, left) = (rest, fixed(xSyncListSystemCountersReply.self)?.nCounters ?? 0)
        // Each entry is an ID, a resolution, and a name after its length, padded to 32 bits.
        while left > 0, let id = list.take(UInt32.self), list.take(UInt64.self) != nil,
            let size = list.take(UInt16.self), size <= list.count
        {
            if list.prefix(Int(size)).elementsEqual(name.utf8) { return id }
            list.drop((Int(size) + 1) / 4 * 4 + 2)
            left -= 1
        }
        return nil
    }
}
