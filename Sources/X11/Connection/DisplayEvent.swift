import CXPipeline
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
    case visibilityChanged(UInt32, WindowFacts.VisibilityState)
    /// `isItself`: the focus is on the window, and not on one inside of it.
    case focusCame(UInt32, isItself: Bool)
    case focusWent
    case pointerCrossed

    init?(_ event: cxp_event) {
        switch Int32(event.type) {
        case CreateNotify:
            self = .created(event.window, on: event.value, isOverrideRedirect: event.override_redirect)
        case DestroyNotify:
            self = .destroyed(event.window)
        case MapNotify where !event.is_synthetic:
            self = .mapped(event.window, on: event.value, isOverrideRedirect: event.override_redirect)
        case UnmapNotify:
            self = .unmapped(event.window, isSynthetic: event.is_synthetic)
        case ReparentNotify where !event.is_synthetic:
            self = .reparented(event.window, to: event.value, isOverrideRedirect: event.override_redirect)
        case ConfigureNotify, GravityNotify:
            self = .configured(event.window)
        case PropertyNotify:
            self = .propertyChanged(event.window, atom: event.value)
        case VisibilityNotify:
            guard let visibility = WindowFacts.VisibilityState(event.value) else { return nil }
            self = .visibilityChanged(event.window, visibility)
        case FocusIn, FocusOut:
            guard Self.isMoveOfFocus(event) else { return nil }
            let isVirtual = [NotifyVirtual, NotifyNonlinearVirtual].contains(Int32(event.detail))
            self =
                Int32(event.type) == FocusOut
                ? .focusWent : .focusCame(event.window, isItself: !isVirtual)
        case EnterNotify, LeaveNotify:
            self = .pointerCrossed
        default:
            return nil
        }
    }

    /// A grab takes the keys, not the focus; Inferior moves it inside the window; Pointer tells of the
    /// window under the pointer.
    private static func isMoveOfFocus(_ event: cxp_event) -> Bool {
        let (mode, detail) = (Int32(event.mode), Int32(event.detail))
        guard mode == NotifyNormal || mode == NotifyWhileGrabbed else { return false }
        return detail != NotifyInferior && detail != NotifyPointer
    }
}

extension WindowFacts.VisibilityState {
    fileprivate init?(_ state: UInt32) {
        switch Int32(bitPattern: state) {
        case VisibilityUnobscured: self = .unobscured
        case VisibilityPartiallyObscured: self = .partiallyObscured
        case VisibilityFullyObscured: self = .fullyObscured
        default: return nil
        }
    }
}
