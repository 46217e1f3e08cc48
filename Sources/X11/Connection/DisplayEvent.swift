import CXlib
import Scenes

/// What an X event says, as far as phases can depend on it.
enum DisplayEvent {
    /// `on`, here and below: the root window that the event was told on, or the window itself.
    case created(UInt32, on: UInt32, isOverrideRedirect: Bool)
    case destroyed(UInt32)
    case mapped(UInt32, on: UInt32, isOverrideRedirect: Bool)
    /// `isSynthetic`: sent by the client to say that it withdrew the window (ICCCM 4.1.4).
    case unmapped(UInt32, isSynthetic: Bool)
    case reparented(UInt32, to: UInt32, isOverrideRedirect: Bool)
    case configured(UInt32)
    case propertyChanged(UInt32, atom: UInt32)
    case visibilityChanged(UInt32, SeenWindow.Visibility)
    /// `isItself`: the focus is on the window, and not on one inside of it.
    case focusCame(UInt32, isItself: Bool)
    case focusWent
    case pointerCrossed

    init?(_ event: XEvent) {
        switch event.type {
        case CreateNotify:
            self = .created(
                UInt32(truncatingIfNeeded: event.xcreatewindow.window),
                on: UInt32(truncatingIfNeeded: event.xcreatewindow.parent),
                isOverrideRedirect: event.xcreatewindow.override_redirect != 0)
        case DestroyNotify:
            self = .destroyed(UInt32(truncatingIfNeeded: event.xdestroywindow.window))
        case MapNotify where event.xany.send_event == 0:
            self = .mapped(
                UInt32(truncatingIfNeeded: event.xmap.window),
                on: UInt32(truncatingIfNeeded: event.xmap.event),
                isOverrideRedirect: event.xmap.override_redirect != 0)
        case UnmapNotify:
            self = .unmapped(
                UInt32(truncatingIfNeeded: event.xunmap.window), isSynthetic: event.xany.send_event != 0)
        case ReparentNotify where event.xany.send_event == 0:
            self = .reparented(
                UInt32(truncatingIfNeeded: event.xreparent.window),
                to: UInt32(truncatingIfNeeded: event.xreparent.parent),
                isOverrideRedirect: event.xreparent.override_redirect != 0)
        case ConfigureNotify, GravityNotify:
            self = .configured(UInt32(truncatingIfNeeded: event.xconfigure.window))
        case PropertyNotify:
            self = .propertyChanged(
                UInt32(truncatingIfNeeded: event.xproperty.window),
                atom: UInt32(truncatingIfNeeded: event.xproperty.atom))
        case VisibilityNotify:
            guard let visibility = SeenWindow.Visibility(event.xvisibility.state) else { return nil }
            self = .visibilityChanged(UInt32(truncatingIfNeeded: event.xvisibility.window), visibility)
        case FocusIn, FocusOut:
            guard Self.isMoveOfFocus(event.xfocus) else { return nil }
            let isVirtual = [NotifyVirtual, NotifyNonlinearVirtual].contains(event.xfocus.detail)
            self =
                event.type == FocusOut
                ? .focusWent
                : .focusCame(UInt32(truncatingIfNeeded: event.xfocus.window), isItself: !isVirtual)
        case EnterNotify, LeaveNotify:
            self = .pointerCrossed
        default:
            return nil
        }
    }

    /// A grab takes the keys, not the focus; Inferior moves it inside the window; Pointer tells of the
    /// window under the pointer.
    private static func isMoveOfFocus(_ event: XFocusChangeEvent) -> Bool {
        guard event.mode == NotifyNormal || event.mode == NotifyWhileGrabbed else { return false }
        return event.detail != NotifyInferior && event.detail != NotifyPointer
    }
}

extension SeenWindow.Visibility {
    fileprivate init?(_ state: Int32) {
        switch state {
        case VisibilityUnobscured: self = .unobscured
        case VisibilityPartiallyObscured: self = .partiallyObscured
        case VisibilityFullyObscured: self = .fullyObscured
        default: return nil
        }
    }
}
