import CXPipeline
import CXlib
import Scenes

/// The events that the server delivers to given clients, as RECORD reports them.
///
/// Uses a separate connection, on which the server accepts no other request. Another thread may make it: the server may be
/// far away, and the name of its host unknown. From then on, one thread alone may use it.
package final class DeliveredEvents: @unchecked Sendable {
    /// Opens a connection and begins, for the clients of these windows. It may wait long.
    package typealias Beginning = @Sendable (_ windows: Set<UInt32>) throws(MonitorFailure) -> DeliveredEvents

    /// The maximum number of clients. A request has room for them.
    private static let mostClients = 4096
    /// The maximum number of replies to read at once: others may cause events as fast as they are read. A reply has up to
    /// 32 events.
    package static let mostReplies = 512
    /// How long the server may take to begin.
    private static let patience = Duration.seconds(10)

    /// The event types ButtonPress and TouchBegin of XInput 2. The generic events of other extensions have lower types.
    private static let presses: Set<UInt16> = [4, 18]

    private let display: Display
    private let atoms: Atoms
    private let windows: Set<UInt32>
    private let request: UInt32
    /// Whether the server has begun to record: it refuses for clients that are gone.
    private let hasBegun: Bool
    /// Whether replies may be left to read, which poll(2) does not report.
    package private(set) var mayHaveMore = false

    /// Opens a display, and waits until the server has begun to record for clients, given by one or more windows of each:
    /// it reports nothing that is sent before.
    init(_ name: String, to windows: Set<UInt32>, _ atoms: Atoms, record: UInt8) throws(MonitorFailure) {
        let display = try Display(name)
        let clients = Array(Set(windows.map { display.client(of: $0) }).prefix(Self.mostClients))
        request = display.record(record, clients)
        let answer = try display.reply(to: request, until: .now + Self.patience)
        hasBegun = Self.category(answer) == XRecordStartOfData
        (self.display, self.atoms, self.windows) = (display, atoms, windows)
    }

    private static func category(_ reply: Reply) -> Int32? {
        reply.fixed(xRecordEnableContextReply.self).map { Int32($0.category) }
    }

    package var fileDescriptor: Int32 { display.fileDescriptor }

    /// Returns the given windows whose clients were asked to act since the last call, as far as it was read: by a message or
    /// a property on one of their windows, or by a click or a key that they have grabbed. Throws also if a client was gone
    /// before recording began, and if another client has ended the recording.
    ///
    /// - Parameters:
    ///   - most: The maximum number of replies to read.
    ///   - isManaged: Returns whether a window is a client of the window manager, which writes its properties.
    package func takeAddressed(
        most: Int = mostReplies, isManaged: (UInt32) -> Bool
    ) throws(MonitorFailure) -> Set<UInt32> {
        var clients: Set<UInt32> = []
        guard hasBegun else { throw .displayLost(display.name) }
        // Discards the events that every client gets, and detects the end of the connection.
        try display.drain { _ in }
        var count = 0
        defer { mayHaveMore = count == most }
        while count < most, let reply = try display.reply(to: request) {
            count += 1
            guard let category = Self.category(reply), category != XRecordEndOfData else {
                throw .displayLost(display.name)
            }
            if let client = client(addressedBy: reply, isManaged) { clients.insert(client) }
        }
        return windows.filter { clients.contains(display.client(of: $0)) }
    }

    func client(addressedBy reply: Reply, _ isManaged: (UInt32) -> Bool) -> UInt32? {
        guard let client = reply.fixed(xRecordEnableContextReply.self)?.idBase else { return nil }
        let events = reply.rest
        let starts = stride(from: 0, to: events.count - Reply.size + 1, by: Reply.size)
        let isAddressed = starts.contains { start in
            let window = events.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
            let isOwn = display.client(of: window) == client
            return switch Int32(events[start] & 0x7F) {
            case ButtonPress: true
            // A key that the client has grabbed on the root window. Any other key goes to the focused window: typed text,
            // and the modifier of a key that the window manager has grabbed.
            case KeyPress:
                display.client(of: events.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                    != client
            case GenericEvent:
                Self.presses.contains(events.loadUnaligned(fromByteOffset: start + 8, as: UInt16.self))
            // A broadcast names the root window.
            case ClientMessage: isOwn && isRequest(events, at: start)
            // A second instance of a program writes to a window that is not managed. On managed windows and their
            // dialogs, the window manager, the compositor and panels write properties, too.
            case PropertyNotify: isOwn && !isManaged(window)
            default: false
            }
        }
        return isAddressed ? client : nil
    }

    /// The messages by which a host, such as a tray, reports its own state to a window inside of it: that it is
    /// inside, that the host is active or not, that the focus leaves, and that the host shows a dialog or not.
    private static let embeddingNews: Set<UInt32> = [0, 1, 2, 5, 10, 11]

    /// Returns whether a message requests an action of its client. Others report actions of other programs.
    private func isRequest(_ events: UnsafeRawBufferPointer, at start: Int) -> Bool {
        func word(_ offset: Int) -> UInt32 {
            events.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
        }
        return switch atoms.name(of: word(8)) {
        // The compositor has drawn a frame, at every change of a window.
        case .frameDrawn, .frameTimings: false
        // The window manager is about to resize the window, and waits a second at most.
        case .protocols: word(12) != atoms[.syncRequest]
        case .embedding: !Self.embeddingNews.contains(word(16))
        // GTK 2 sends the news of a theme to each window.
        case .readSettings, .loadIcons: false
        // The input method has handled what was typed before.
        case .inputMethod, .inputMethodData: false
        default: true
        }
    }
}
