import CXPipeline
import CXlib
import Scenes

/// An event, with the fields that xphase uses.
struct DisplayEvent {
    enum Kind {
        case created(Rectangle, isUnmanaged: Bool)
        case destroyed(on: UInt32)
        case mapped(on: UInt32, isUnmanaged: Bool)
        case unmapped(on: UInt32)
        case reparented(to: UInt32, isUnmanaged: Bool)
        case configured(on: UInt32, Rectangle, above: UInt32)
        case circulated(on: UInt32, toTop: Bool)
        /// The size of the parent has changed, and with it the position.
        case moved
        case property(UInt32)
        case message(UInt32)
        case focus(isIn: Bool, mode: Int32, detail: Int32)
        case crossing
        case input(Input)
        /// The state and the kind, as in MIT-SCREEN-SAVER.
        case saver(UInt8, UInt8)
        case alarm
        /// The bounding shape has changed.
        case shape
        case inputShape
    }

    /// A button or a key.
    struct Input {
        enum Kind { case press, release, key }
        let kind: Kind
        let number: UInt8
        /// The root window under the pointer, its child, and the position on it.
        let root, child: UInt32
        let x, y: Int32
    }

    /// The codes of extension events; 0 if the server lacks the extension.
    struct Codes {
        var saver: UInt8 = 0
        var alarm: UInt8 = 0
        var shape: UInt8 = 0
    }

    /// The window that the event concerns; for an alarm, its ID.
    let window: UInt32
    let kind: Kind
    /// The sequence number of the last request that the server had processed.
    var sequence: UInt32 = 0
    /// Whether a client sent the event with SendEvent. Such an event proves nothing.
    var isSent = false

    init(_ kind: Kind, of window: UInt32) {
        (self.kind, self.window) = (kind, window)
    }

    /// Returns nil for an error, or an event that xphase does not use.
    init?(_ event: UnsafePointer<xcb_generic_event_t>, _ codes: Codes) {
        func read<Event: BitwiseCopyable>(_ type: Event.Type) -> Event {
            UnsafeRawPointer(event).loadUnaligned(as: type)
        }
        let code = event.pointee.response_type
        switch Int32(code & 0x7F) {
        case CreateNotify:
            let it = read(xcb_create_notify_event_t.self)
            let geometry = Rectangle(
                x: it.x, y: it.y, width: it.width, height: it.height, border: it.border_width)
            let kind = Kind.created(geometry, isUnmanaged: it.override_redirect != 0)
            self.init(kind, of: it.window)
        case DestroyNotify:
            let it = read(xcb_destroy_notify_event_t.self)
            self.init(.destroyed(on: it.event), of: it.window)
        case MapNotify:
            let it = read(xcb_map_notify_event_t.self)
            self.init(.mapped(on: it.event, isUnmanaged: it.override_redirect != 0), of: it.window)
        case UnmapNotify:
            let it = read(xcb_unmap_notify_event_t.self)
            self.init(.unmapped(on: it.event), of: it.window)
        case ReparentNotify:
            let it = read(xcb_reparent_notify_event_t.self)
            self.init(.reparented(to: it.parent, isUnmanaged: it.override_redirect != 0), of: it.window)
        case ConfigureNotify:
            let it = read(xcb_configure_notify_event_t.self)
            let geometry = Rectangle(
                x: it.x, y: it.y, width: it.width, height: it.height, border: it.border_width)
            self.init(.configured(on: it.event, geometry, above: it.above_sibling), of: it.window)
        case CirculateNotify:
            let it = read(xcb_circulate_notify_event_t.self)
            self.init(.circulated(on: it.event, toTop: Int32(it.place) == PlaceOnTop), of: it.window)
        case GravityNotify: self.init(.moved, of: read(xcb_gravity_notify_event_t.self).window)
        case PropertyNotify:
            let it = read(xcb_property_notify_event_t.self)
            self.init(.property(it.atom), of: it.window)
        case ClientMessage:
            // The data, a union, is of no use.
            let it = UnsafeRawPointer(event).load(as: xcb_client_message_event_t.self)
            self.init(.message(it.type), of: it.window)
        case FocusIn, FocusOut:
            let it = read(xcb_focus_in_event_t.self)
            let isIn = Int32(code & 0x7F) == FocusIn
            self.init(.focus(isIn: isIn, mode: Int32(it.mode), detail: Int32(it.detail)), of: it.event)
        case EnterNotify, LeaveNotify: self.init(.crossing, of: read(xcb_enter_notify_event_t.self).event)
        case KeyPress, ButtonPress, ButtonRelease:
            let it = read(xcb_button_press_event_t.self)
            let kinds = [KeyPress: Input.Kind.key, ButtonPress: .press]
            let input = Input(
                kind: kinds[Int32(code & 0x7F)] ?? .release, number: it.detail, root: it.root,
                child: it.child, x: Int32(it.root_x), y: Int32(it.root_y))
            self.init(.input(input), of: it.event)
        case 64... where code & 0x7F == codes.saver:
            let it = read(xScreenSaverNotifyEvent.self)
            self.init(.saver(it.state, it.kind), of: it.root)
        case 64... where code & 0x7F == codes.alarm:
            self.init(.alarm, of: read(xSyncAlarmNotifyEvent.self).alarm)
        case 64... where code & 0x7F == codes.shape:
            let it = read(xShapeNotifyEvent.self)
            switch Int32(it.kind) {
            case ShapeBounding: self.init(.shape, of: it.window)
            case ShapeInput: self.init(.inputShape, of: it.window)
            default: return nil
            }
        default: return nil
        }
        sequence = event.pointee.full_sequence
        isSent = code & 0x80 != 0
    }
}

extension Rectangle {
    /// Creates the area of a window with its border.
    init(x: Int16, y: Int16, width: UInt16, height: UInt16, border: UInt16) {
        self.init(
            x: Int32(x), y: Int32(y), width: Int32(width) + 2 * Int32(border),
            height: Int32(height) + 2 * Int32(border))
    }

    init(outerOf geometry: xcb_get_geometry_reply_t) {
        self.init(
            x: geometry.x, y: geometry.y, width: geometry.width, height: geometry.height,
            border: geometry.border_width)
    }

    /// - Parameter corner: The corner inside of the border, on the root window.
    init(outerOf geometry: xcb_get_geometry_reply_t, at corner: xcb_translate_coordinates_reply_t) {
        self.init(outerOf: geometry)
        (x, y) = (Int32(corner.dst_x), Int32(corner.dst_y))
        x -= Int32(geometry.border_width)
        y -= Int32(geometry.border_width)
    }
}
