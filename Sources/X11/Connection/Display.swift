import CXPipeline
import CXlib
import Glibc
import Scenes
import System

/// A connection to an X server through XCB.
///
/// Xlib waits for each reply, and ends the process if the server dies while it opens a display. Here, requests are sent
/// together, and each reply goes to its handler once it has arrived.
///
/// Only one thread may use a display and the objects created with it. What reads throws `displayLost`, and what waits until
/// an end throws `displaySilent`, too.
package final class Display {
    /// A request whose reply has not been handled.
    private struct Awaited {
        let request: UInt32
        /// nil once it was called.
        var take: ((Reply) -> Void)?
    }

    /// The name by which the display was opened, such as `:0`.
    package let name: String
    let connection: OpaquePointer
    /// Whether to return memory to the kernel after a burst of events. malloc_trim(3) may block other threads.
    private let trimsMemory: Bool
    /// The number of the default screen, and its root window. The other screens are not watched.
    let screen: Int32
    let root: UInt32
    /// The codes that the server assigned to the events of extensions.
    var eventCodes = DisplayEvent.Codes()

    /// In the order of the requests, which is that of the replies.
    private var awaited: [Awaited] = []
    /// How many of `awaited` are handled.
    private var handledCount = 0
    /// The last reply that was taken.
    private var lastReply: UnsafeMutableRawPointer?
    /// An event that was read to learn whether there is one.
    private var nextEvent: UnsafeMutablePointer<xcb_generic_event_t>?

    /// Opens a display, or the one in DISPLAY. There is no timeout. Throws `cannotOpenDisplay`
    /// and `displayFull`.
    package init(_ name: String? = nil, sharesProcess: Bool = false) throws(MonitorFailure) {
        let shown = name.flatMap(\.nonEmpty) ?? getenv("DISPLAY").map { String(cString: $0) } ?? ""
        var screen: Int32 = 0
        // It is an object even after a failure.
        guard let connection = xcb_connect(name, &screen) else { throw .cannotOpenDisplay(shown) }
        guard xcb_connection_has_error(connection) == 0, let root = cxp_root(connection, screen)?.pointee.root
        else {
            xcb_disconnect(connection)
            throw ServerRefusal.isFull(shown) ? .displayFull(shown) : .cannotOpenDisplay(shown)
        }
        self.name = shown
        self.connection = connection
        (self.screen, self.root) = (screen, root)
        trimsMemory = !sharesProcess
        // XCB writes only while poll(2) reports room, which is while a quarter of the buffer is not filled.
        var size: Int32 = 1 << 20
        setsockopt(fileDescriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
    }

    deinit {
        free(lastReply)
        free(nextEvent)
        xcb_disconnect(connection)
    }

    package var fileDescriptor: Int32 { xcb_get_file_descriptor(connection) }

    /// Whether the display has screens besides the default one.
    package var hasOtherScreens: Bool { xcb_get_setup(connection)?.pointee.roots_len ?? 1 > 1 }

    /// Returns the client that owns a resource, as the ID bits outside the resource mask; 0 for the server.
    func client(of id: UInt32) -> UInt32 {
        id & ~(xcb_get_setup(connection)?.pointee.resource_id_mask ?? 0)
    }

    /// Throws if the server is gone.
    func check() throws(MonitorFailure) {
        if xcb_connection_has_error(connection) != 0 { throw .displayLost(name) }
    }
}

/// Requests and replies.
extension Display {
    /// The number of requests in flight up to which more may be sent. This many fit into a socket, so that sending
    /// never blocks: with those that have no reply, they are less than 100 KiB.
    static let mostAwaited = 3072

    /// The number of requests in flight.
    var awaitedCount: Int { awaited.count - handledCount }

    /// Passes the reply to a request to a handler, once it has arrived.
    func ask(_ request: UInt32, _ take: @escaping (Reply) -> Void) {
        awaited.append(Awaited(request: request, take: take))
    }

    /// Sends the buffered requests. It may read replies and events, which poll(2) then no longer reports.
    func send() { xcb_flush(connection) }

    /// Handles the replies that have arrived, at most `limit`, and returns how many.
    func takeReplies(limit: Int) throws(MonitorFailure) -> Int {
        var count = 0
        while handledCount < awaited.count, count < limit {
            guard let reply = try reply(to: awaited[handledCount].request) else { break }
            let take = awaited[handledCount].take
            awaited[handledCount].take = nil
            handledCount += 1
            count += 1
            take?(reply)
        }
        if handledCount == awaited.count { (awaited, handledCount) = ([], 0) }
        return count
    }

    /// Takes the reply to a request. Returns nil if it has not arrived yet.
    func reply(to request: UInt32) throws(MonitorFailure) -> Reply? {
        var (reply, error): (UnsafeMutableRawPointer?, UnsafeMutablePointer<xcb_generic_error_t>?)
        guard xcb_poll_for_reply(connection, request, &reply, &error) != 0 else { return nil }
        free(error)
        free(lastReply)
        lastReply = reply
        // After the connection is lost, no request gets a reply.
        if reply == nil { try check() }
        return Reply(start: reply)
    }

    /// Waits for the reply to a request.
    func reply(to request: UInt32, until end: ContinuousClock.Instant) throws(MonitorFailure) -> Reply {
        send()
        while true {
            if let reply = try reply(to: request) { return reply }
            try wait(until: end)
        }
    }
}

/// Events.
extension Display {
    /// If this many events were read, more may be in the socket.
    private static let manyEvents = 128
    /// From this many events on, their memory is worth returning to the kernel: each event is an allocation.
    private static let storm = 1024

    /// Whether events were read from the socket and not taken yet. poll(2) does not report them.
    package var hasQueuedEvents: Bool {
        if nextEvent == nil { nextEvent = xcb_poll_for_queued_event(connection) }
        return nextEvent != nil
    }

    /// Passes the available events to `body`, at most `limit` of them, so that a burst cannot hold up the caller
    /// forever.
    func drain(limit: Int = 16_384, _ body: (DisplayEvent) -> Void) throws(MonitorFailure) {
        var count = 0
        var read = 0
        repeat {
            read = 0
            while count < limit, let event = takeEvent(reads: read == 0) {
                defer { free(event) }
                if let event = DisplayEvent(event, eventCodes) { body(event) }
                read += 1
                count += 1
            }
        } while read >= Self.manyEvents && count < limit
        if count >= Self.storm && trimsMemory { malloc_trim(0) }
        try check()
    }

    /// Reads from the socket only on demand.
    private func takeEvent(reads: Bool) -> UnsafeMutablePointer<xcb_generic_event_t>? {
        if hasQueuedEvents {
            defer { nextEvent = nil }
            return nextEvent
        }
        return reads ? xcb_poll_for_event(connection) : nil
    }

    /// Sleeps until the socket is readable. Throws `displaySilent` if nothing arrives before `end`.
    package func wait(until end: ContinuousClock.Instant) throws(MonitorFailure) {
        var socket = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = end - .now
            if left < .zero { throw .displaySilent(name) }
            let time = Int32(clamping: left.milliseconds &+ 1)
            // After a failure, the caller finds out whether the connection is lost.
            if (try? SystemError.check("poll", poll(&socket, 1, time))) != 0 { return }
        }
    }
}
