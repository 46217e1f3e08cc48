import CXlib

extension TestClient {
    /// Sends a forged structure event, as any client can, to all clients that selected the events of a window or of
    /// its children.
    ///
    /// - Parameters:
    ///   - type: The event type, such as DestroyNotify.
    ///   - window: The window that the event describes.
    ///   - reported: The window in the event's `event` field.
    ///   - destination: The window that the event is sent to; nil for the root window.
    public func send(_ type: Int32, of window: Window, on reported: Window, to destination: Window? = nil) {
        var event = XEvent()
        event.type = type
        switch type {
        case CreateNotify:
            event.xcreatewindow.parent = reported
            event.xcreatewindow.window = window
        case ConfigureNotify:
            event.xconfigure.event = reported
            event.xconfigure.window = window
            (event.xconfigure.x, event.xconfigure.y) = (-5000, -5000)
            (event.xconfigure.width, event.xconfigure.height) = (1, 1)
        case ReparentNotify:
            event.xreparent.event = reported
            event.xreparent.window = window
            event.xreparent.parent = reported
        default:
            // The other events have these fields in the same places.
            event.xmap.event = reported
            event.xmap.window = window
        }
        XSendEvent(
            display, destination ?? root, 0, SubstructureNotifyMask | StructureNotifyMask, &event)
        sync()
    }

    /// Sends a forged FocusIn or FocusOut event to a window.
    public func sendFocus(_ type: Int32, to window: Window) {
        var event = XEvent()
        event.type = type
        event.xfocus.window = window
        event.xfocus.mode = NotifyNormal
        event.xfocus.detail = NotifyNonlinear
        XSendEvent(display, window, 0, FocusChangeMask, &event)
        sync()
    }

    /// Grabs the server: it processes no requests of other clients.
    public func grabServer() {
        XGrabServer(display)
        sync()
    }

    public func releaseServer() {
        XUngrabServer(display)
        sync()
    }
}
