import CXPipeline
import CXlib
import Glibc
import System

/// Why a display cannot be used, or not any longer.
package enum DisplayError: Error, Equatable {
    /// XOpenDisplay failed; the name is empty where DISPLAY is not set.
    case cannotOpen(String)
    /// Xlib's connection is not one of XCB, as far as can be reported.
    case noConnectionOfXCB(String)
    /// The server closed the connection.
    case connectionLost(String)
    /// The server did not answer in time.
    case noAnswer(String)
}

/// A connection to an X server. Xlib opens it, and XCB does all that follows.
///
/// Only one thread may use it and what is made with it.
package final class Display {
    /// The name it was opened by, `:0` say.
    package let name: String
    /// Xlib's Display. Only functions that ask the server nothing may use it.
    let pointer: OpaquePointer
    let connection: OpaquePointer
    /// Gives memory back after a storm of events: malloc_trim(3), which may make other threads wait.
    private let trimsMemory: Bool

    /// Opens a display.
    ///
    /// - Parameters:
    ///   - name: The display's name; nil for the one that DISPLAY names.
    ///   - sharesProcess: Others in this process may use Xlib as well.
    /// - Throws: `DisplayError.cannotOpen`, `.noConnectionOfXCB`. It has no timeout, and a server that dies while it is
    ///   opened ends the process through exit(3): Xlib knows no other way there.
    package init(_ name: String? = nil, sharesProcess: Bool = false) throws(DisplayError) {
        if sharesProcess {
            // Xlib before 1.8 does not do it by itself.
            XInitThreads()
        } else {
            // Without XKB's own set-up, opening is two round trips shorter; but it is off for every display.
            XkbIgnoreExtension(1)
        }
        let shown = name.flatMap(\.nonEmpty) ?? XDisplayName(nil).map { String(cString: $0) } ?? ""
        guard let pointer = XOpenDisplay(name) else { throw .cannotOpen(shown) }
        guard let connection = cxp_connect(pointer) else {
            XCloseDisplay(pointer)
            throw .noConnectionOfXCB(shown)
        }
        self.name = shown
        self.pointer = pointer
        self.connection = connection
        trimsMemory = !sharesProcess
    }

    deinit {
        cxp_close(connection)
    }

    /// The socket, for poll(2).
    package var fileDescriptor: Int32 { XConnectionNumber(pointer) }

    /// Whether events were read that nobody has taken: poll(2) cannot see them.
    package var hasQueuedEvents: Bool { cxp_has_event(connection) }

    /// Events that come by the hundred: more may be in the socket, and their memory is worth giving back.
    private static let manyEvents = 128
    private static let storm = 1024

    /// Takes the events that are there, at most `limit` of them, so that a storm cannot keep the caller for ever.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    func drain(limit: Int = 16_384, _ body: (cxp_event) -> Void) throws(DisplayError) {
        var event = cxp_event()
        var count = 0
        var read = 0
        repeat {
            read = 0
            while count < limit, cxp_next_event(connection, read == 0, &event) {
                body(event)
                read += 1
                count += 1
            }
        } while read >= Self.manyEvents && count < limit
        if count >= Self.storm && trimsMemory { cxp_give_back_memory() }
        try check()
    }

    /// Throws if the server is gone.
    func check() throws(DisplayError) {
        if cxp_is_broken(connection) { throw .connectionLost(name) }
    }

    /// Sleeps until something can be read.
    ///
    /// - Throws: `DisplayError.noAnswer` when nothing comes until `end`.
    package func wait(until end: ContinuousClock.Instant) throws(DisplayError) {
        var socket = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = end - .now
            if left < .zero { throw .noAnswer(name) }
            let found = poll(&socket, 1, Int32(clamping: left.milliseconds &+ 1))
            if found > 0 || (found < 0 && errno != EINTR) { return }
        }
    }

    /// Sleeps until something can be read, or until `end`; nil for without end.
    func sleep(until end: ContinuousClock.Instant?) throws(DisplayError) {
        if hasQueuedEvents { return }
        let milliseconds = end.map { Int32(clamping: max(.zero, $0 - .now).milliseconds + 1) } ?? -1
        var socket = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&socket, 1, milliseconds)
        try check()
    }

    /// Sleeps.
    func pause(_ time: Duration) throws(DisplayError) {
        poll(nil, 0, Int32(clamping: time.milliseconds))
        try check()
    }

    func root(of screen: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: XRootWindow(pointer, Int32(screen)))
    }

    var screenCount: Int { Int(XScreenCount(pointer)) }

    /// The client that owns a resource, as the bits outside of the resource mask.
    func client(of id: UInt32) -> UInt32 {
        id & ~cxp_resource_mask(connection)
    }
}
