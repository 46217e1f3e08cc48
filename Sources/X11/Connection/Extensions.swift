import CXPipeline
import CXlib
import Scenes

/// The server extensions that xphase uses: the major opcode of each, nil if the server lacks it.
package struct Extensions: Sendable {
    /// MIT-SCREEN-SAVER.
    package let screenSaver: UInt8?
    package let dpms: UInt8?
    package let xinerama: UInt8?
    package let sync: UInt8?
    package let shape: UInt8?
    /// X-Resource.
    package let resource: UInt8?
    package let record: UInt8?
    package let randr: UInt8?
    /// Whether the server is XWayland, which learns neither of locks nor of idle times of the session.
    package let isXWayland: Bool

    private static let names = [
        "MIT-SCREEN-SAVER", "DPMS", "XINERAMA", "SYNC", "SHAPE", "X-Resource", "RECORD", "RANDR",
        "XWAYLAND",
    ]

    /// Buffers one request per extension.
    ///
    /// - Returns: The sequence numbers of the requests.
    static func ask(_ display: Display) -> [UInt32] {
        names.map(display.query(extension:))
    }

    /// Takes the replies to `ask`, and registers the event codes of the extensions.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent` after `limit`.
    init(_ display: Display, _ requests: [UInt32], within limit: Duration) throws(MonitorFailure) {
        let end = ContinuousClock.now + limit
        var found: [xcb_query_extension_reply_t?] = []
        for request in requests {
            let reply = try display.reply(to: request, until: end)
            found.append(reply.fixed(xcb_query_extension_reply_t.self).flatMap { $0.present != 0 ? $0 : nil })
        }
        let opcodes = found.map { $0?.major_opcode }
        (screenSaver, dpms, xinerama, sync, shape, resource, record, randr) = (
            opcodes[0], opcodes[1], opcodes[2], opcodes[3], opcodes[4], opcodes[5], opcodes[6],
            opcodes[7]
        )
        isXWayland = found[8] != nil
        display.eventCodes = DisplayEvent.Codes(
            saver: found[0]?.first_event ?? 0,
            alarm: found[3].map { $0.first_event &+ UInt8(XSyncAlarmNotify) } ?? 0,
            shape: found[4].map { $0.first_event &+ UInt8(ShapeNotify) } ?? 0)
    }
}
