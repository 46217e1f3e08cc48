import CXlib

extension TestClient {
    /// Forges a structure event, as any client can, for all clients that watch a window or its children.
    ///
    /// - Parameters:
    ///   - type: DestroyNotify, say.
    ///   - window: The window that the event describes.
    ///   - reported: The window in its event field.
    ///   - destination: The window that it is sent to; nil for the root window.
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
        case VisibilityNotify:
            event.xvisibility.window = window
            event.xvisibility.state = VisibilityFullyObscured
        default:
            // These have the same fields.
            event.xmap.event = reported
            event.xmap.window = window
        }
        let mask =
            type == VisibilityNotify ? VisibilityChangeMask : SubstructureNotifyMask | StructureNotifyMask
        XSendEvent(display, destination ?? root, 0, mask, &event)
        sync()
    }

    /// Sends a window an event that says that the focus came or went.
    public func sendFocus(_ type: Int32, to window: Window) {
        var event = XEvent()
        event.type = type
        event.xfocus.window = window
        event.xfocus.mode = NotifyNormal
        event.xfocus.detail = NotifyNonlinear
        XSendEvent(display, window, 0, FocusChangeMask, &event)
        sync()
    }

    /// Keeps the server from answering any other client.
    public func grabServer() {
        XGrabServer(display)
        sync()
    }

    public func releaseServer() {
        XUngrabServer(display)
        sync()
    }
}
