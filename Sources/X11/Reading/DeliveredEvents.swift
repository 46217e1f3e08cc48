import CXPipeline
import CXlib

/// What the server delivers to some clients, as RECORD reports it.
///
/// It has a connection of its own, which takes no other request.
package final class DeliveredEvents {
    private static let patience = Duration.seconds(1)
    /// What one request has room for.
    private static let mostClients = 4096
    /// KeyPress and ButtonPress of XInput, by their numbers there.
    private static let presses: Set<UInt16> = [2, 4]

    private let display: Display
    private let windows: Set<UInt32>
    private let xinput: UInt8?
    private let request: UInt32

    /// Opens a display. Events are reported from then on.
    ///
    /// - Parameters:
    ///   - windows: One or more windows of each client.
    ///   - name: The name of the display.
    /// - Returns: nil where the server has no RECORD.
    /// - Throws: `DisplayError.cannotOpen`, `.connectionLost`, `.noAnswer`. XOpenDisplay has no time limit.
    package init?(to windows: Set<UInt32>, on name: String) throws(DisplayError) {
        let display = try Display(name)
        let queries = ["RECORD", "XInputExtension"].map { (name: String) in
            cxp_query_extension(display.connection, name)
        }
        cxp_send(display.connection)
        let end = ContinuousClock.now + Self.patience
        var opcodes: [UInt8?] = []
        for query in queries {
            let reply = try display.reply(to: query, until: end).fixed(xcb_query_extension_reply_t.self)
            opcodes.append(reply.flatMap { $0.present != 0 ? $0.major_opcode : nil })
        }
        guard let record = opcodes[0] else { return nil }
        let clients = Array(Set(windows.map { display.client(of: $0) }).prefix(Self.mostClients))
        request = cxp_record(display.connection, record, clients, clients.count)
        cxp_send(display.connection)
        (self.display, self.windows, xinput) = (display, windows, opcodes[1])
    }

    /// The socket, for poll(2).
    package var fileDescriptor: Int32 { display.fileDescriptor }

    /// The given windows whose clients got something since the last call that asks them to act: a message to a window of
    /// theirs, or a key or button that they have grabbed.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    package func takeAddressed() throws(DisplayError) -> Set<UInt32> {
        var clients: Set<UInt32> = []
        // Without a reply, one of the clients had gone when it was asked for.
        while let reply = try display.reply(to: request), reply.start != nil {
            if let client = client(addressedBy: reply) { clients.insert(client) }
        }
        return windows.filter { clients.contains(display.client(of: $0)) }
    }

    private func client(addressedBy reply: Reply) -> UInt32? {
        guard let start = reply.start, let words = reply.value(at: 4, UInt32.self),
            let client = reply.value(at: 12, UInt32.self)
        else { return nil }
        let events = UnsafeRawBufferPointer(start: start + Reply.size, count: 4 * Int(words))
        let places = stride(from: 0, to: events.count - Reply.size + 1, by: Reply.size)
        let isAddressed = places.contains { place in
            switch Int32(events[place] & 0x7F) {
            case KeyPress, ButtonPress: true
            // A broadcast has the root window.
            case ClientMessage:
                display.client(of: events.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)) == client
            case GenericEvent:
                events[place + 1] == xinput
                    && Self.presses.contains(
                        events.loadUnaligned(fromByteOffset: place + 8, as: UInt16.self))
            default: false
            }
        }
        return isAddressed ? client : nil
    }
}
