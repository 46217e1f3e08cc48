import CXPipeline
import CXlib
import Glibc

/// A connection to an X server.
///
/// Not for more than one thread: neither it nor what is made with it.
package final class Display {
    /// The name it was opened by, `:0` say.
    package let name: String
    let pointer: OpaquePointer
    /// Xlib's exit handler gets this as its argument, since it cannot capture.
    private let isBroken: UnsafeMutablePointer<Bool>
    private let errors: UnsafeMutableRawPointer?
    private let events: OpaquePointer

    /// Opens a display.
    ///
    /// - Parameters:
    ///   - name: The display's name; nil for the one that DISPLAY names.
    ///   - sharesProcess: Others in this process may use Xlib as well.
    /// - Throws: `DisplayError.cannotOpen`. It has no timeout, and a server that dies while it is opened ends
    ///   the process through exit(3): Xlib knows no other way there.
    package init(_ name: String? = nil, sharesProcess: Bool = false) throws(DisplayError) {
        if sharesProcess {
            // Xlib before 1.8 does not do it by itself.
            XInitThreads()
        } else {
            // Without XKB's own set-up, opening is two round trips shorter; but it is off for every display.
            XkbIgnoreExtension(1)
        }
        let wanted = name.map { XDisplayName($0) } ?? XDisplayName(nil)
        let shown = wanted.map { String(cString: $0) } ?? ""
        guard let pointer = XOpenDisplay(name) else { throw .cannotOpen(shown) }
        self.name = shown
        self.pointer = pointer
        isBroken = .allocate(capacity: 1)
        isBroken.initialize(to: false)
        errors = cxp_keep_errors(pointer)
        events = cxp_keep_events(pointer, !sharesProcess)
        XSetIOErrorExitHandler(
            pointer, { _, flag in flag?.assumingMemoryBound(to: Bool.self).pointee = true }, isBroken)
    }

    deinit {
        if isBroken.pointee {
            // Xlib frees nothing of a broken connection without reading from it.
            close(fileDescriptor)
        } else {
            XCloseDisplay(pointer)
        }
        isBroken.deallocate()
        free(errors)
    }

    /// The socket, for poll(2).
    package var fileDescriptor: Int32 { XConnectionNumber(pointer) }

    /// Whether events were read that nobody has taken: poll(2) cannot see them.
    package var hasQueuedEvents: Bool { cxp_event_count(events) > 0 }

    /// Takes the events that are there off the queue, at most `limit` of them, so that a storm cannot keep the
    /// caller for ever. Those that come meanwhile make the socket readable again.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    func drain(limit: Int = 16_384, _ body: (DisplayEvent) -> Void) throws(DisplayError) {
        XPending(pointer)
        var event = cxp_event()
        for _ in 0..<min(limit, cxp_event_count(events)) where cxp_next_event(events, &event) {
            if let event = DisplayEvent(event) { body(event) }
        }
        try check()
    }

    /// Throws if the server is gone. Every call into Xlib that waits must be followed by it.
    func check() throws(DisplayError) {
        if isBroken.pointee { throw .connectionLost(name) }
    }

    /// Asks for the events of a window, in place of those asked for before.
    func select(_ mask: Int, on window: UInt32) {
        XSelectInput(pointer, UInt(window), mask)
    }

    func root(of screen: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: XRootWindow(pointer, Int32(screen)))
    }

    var screenCount: Int { Int(XScreenCount(pointer)) }

    /// What the resources of one client have in common: the same bits outside of the mask.
    func client(of id: UInt32) -> UInt32 {
        id & ~UInt32(truncatingIfNeeded: cxp_resource_mask(pointer))
    }
}
