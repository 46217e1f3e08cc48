import CXPipeline
import CXlib
import Scenes

/// The server extensions that xphase uses: the major opcode of each that the server has.
package struct Extensions: Sendable {
    /// The extensions, by their names in the protocol.
    package enum Name: String, CaseIterable {
        case screenSaver = "MIT-SCREEN-SAVER"
        case dpms = "DPMS"
        case randr = "RANDR"
        case sync = "SYNC"
        case shape = "SHAPE"
        case resource = "X-Resource"
        case record = "RECORD"
        /// It has no requests that xphase uses. XWayland learns neither of locks nor of idle times of the session.
        case xwayland = "XWAYLAND"
    }

    private var opcodes: [Name: UInt8] = [:]

    /// Sends one request per extension.
    static func ask(_ display: Display) -> [UInt32] {
        Name.allCases.map { display.query(extension: $0.rawValue) }
    }

    /// Takes the replies to `ask`, and registers the event codes of the extensions.
    init(_ display: Display, _ requests: [UInt32], within limit: Duration) throws(MonitorFailure) {
        let end = ContinuousClock.now + limit
        for (name, request) in zip(Name.allCases, requests) {
            let reply = try display.reply(to: request, until: end).fixed(xcb_query_extension_reply_t.self)
            guard let reply, reply.present != 0 else { continue }
            opcodes[name] = reply.major_opcode
            switch name {
            case .screenSaver: display.eventCodes.saver = reply.first_event
            case .sync: display.eventCodes.alarm = reply.first_event &+ UInt8(XSyncAlarmNotify)
            case .shape: display.eventCodes.shape = reply.first_event &+ UInt8(ShapeNotify)
            default: break
            }
        }
    }

    package subscript(name: Name) -> UInt8? { opcodes[name] }
}
