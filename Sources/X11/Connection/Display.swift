import CXPipeline
import CXlib
import Glibc
import Scenes
import System

/// A connection to an X server, opened by Xlib and then used through XCB.
///
/// Only one thread may use a display and the objects created with it.
package final class Display {
    /// The name by which the display was opened, such as `:0`.
    package let name: String
    /// Xlib's Display. Only functions that make no request may use it.
    let pointer: OpaquePointer
    let connection: OpaquePointer
    /// Whether to return memory to the kernel after a burst of events. malloc_trim(3) may block other threads.
    private let trimsMemory: Bool

    /// Opens a display.
    ///
    /// There is no timeout. If the server dies meanwhile, Xlib ends the process through exit(3).
    ///
    /// - Parameters:
    ///   - name: The display's name; nil for the one in DISPLAY.
    ///   - sharesProcess: Whether other code in this process may use Xlib, too.
    /// - Throws: `MonitorFailure.cannotOpenDisplay`, `.noConnectionOfXCB`.
    package init(_ name: String? = nil, sharesProcess: Bool = false) throws(MonitorFailure) {
        if sharesProcess {
            // Xlib before 1.8 does not call it by itself.
            XInitThreads()
        } else {
            // Skipping the set-up of XKB saves two round trips, but disables XKB for every display of the process.
            XkbIgnoreExtension(1)
        }
        let shown = name.flatMap(\.nonEmpty) ?? XDisplayName(nil).map { String(cString: $0) } ?? ""
        guard let pointer = XOpenDisplay(name) else { throw .cannotOpenDisplay(shown) }
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

    /// Whether events were read from the socket and not taken yet. poll(2) does not report them.
    package var hasQueuedEvents: Bool { cxp_has_event(connection) }

    /// If this many events were read, more may be in the socket.
    private static let manyEvents = 128
    /// From this many events on, their memory is worth returning to the kernel.
    private static let storm = 1024

    /// Passes the available events to `body`, at most `limit` of them, so that a burst cannot hold up the caller
    /// forever.
    ///
    /// - Throws: `MonitorFailure.displayLost`.
    func drain(limit: Int = 16_384, _ body: (cxp_event) -> Void) throws(MonitorFailure) {
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
    func check() throws(MonitorFailure) {
        if cxp_is_broken(connection) { throw .displayLost(name) }
    }

    /// Sleeps until the socket is readable.
    ///
    /// - Throws: `MonitorFailure.displaySilent` if nothing arrives before `end`.
    package func wait(until end: ContinuousClock.Instant) throws(MonitorFailure) {
        var socket = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = end - .now
            if left < .zero { throw .displaySilent(name) }
            let found = poll(&socket, 1, Int32(clamping: left.milliseconds &+ 1))
            if found > 0 || (found < 0 && errno != EINTR) { return }
        }
    }

    /// Sleeps until the socket is readable. Returns at once if events are queued.
    func sleep() throws(MonitorFailure) {
        if hasQueuedEvents { return }
        var socket = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&socket, 1, -1)
        try check()
    }

    func pause(_ time: Duration) throws(MonitorFailure) {
        poll(nil, 0, Int32(clamping: time.milliseconds))
        try check()
    }

    /// The number of the default screen. The others are not watched.
    var screen: Int32 { XDefaultScreen(pointer) }

    /// The root window of the default screen.
    var root: UInt32 { UInt32(truncatingIfNeeded: XDefaultRootWindow(pointer)) }

    /// Whether the display has screens besides the default one.
    package var hasOtherScreens: Bool { XScreenCount(pointer) > 1 }

    /// Returns the client that owns a resource, as the ID bits outside the resource mask.
    func client(of id: UInt32) -> UInt32 {
        id & ~cxp_resource_mask(connection)
    }
}
