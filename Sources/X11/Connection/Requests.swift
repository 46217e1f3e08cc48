import CXPipeline
import CXlib

/// Requests, each of which returns its sequence number, for `ask` and `reply`.
extension Display {
    func property(_ window: UInt32, _ property: UInt32, words: UInt32) -> UInt32 {
        xcb_get_property(connection, 0, window, property, UInt32(AnyPropertyType), 0, words).sequence
    }

    func attributes(_ window: UInt32) -> UInt32 { xcb_get_window_attributes(connection, window).sequence }
    func geometry(_ window: UInt32) -> UInt32 { xcb_get_geometry(connection, window).sequence }
    func tree(_ window: UInt32) -> UInt32 { xcb_query_tree(connection, window).sequence }
    func pointer(_ window: UInt32) -> UInt32 { xcb_query_pointer(connection, window).sequence }
    func focus() -> UInt32 { xcb_get_input_focus(connection).sequence }
    func atomName(_ atom: UInt32) -> UInt32 { xcb_get_atom_name(connection, atom).sequence }
    func owner(of selection: UInt32) -> UInt32 { xcb_get_selection_owner(connection, selection).sequence }

    /// The corner of a window, inside of its border, on the root window.
    func position(_ window: UInt32) -> UInt32 {
        xcb_translate_coordinates(connection, window, root, 0, 0).sequence
    }

    func intern(_ name: String) -> UInt32 {
        xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name).sequence
    }

    /// Whether the server has an extension.
    func query(extension name: String) -> UInt32 {
        xcb_query_extension(connection, UInt16(name.utf8.count), name).sequence
    }

    /// The symbols of all keys, from `firstKey` on.
    func keys() -> UInt32 {
        guard let setup = xcb_get_setup(connection)?.pointee else { return 0 }
        let count = setup.max_keycode - setup.min_keycode + 1
        return xcb_get_keyboard_mapping(connection, setup.min_keycode, count).sequence
    }

    var firstKey: UInt8 { xcb_get_setup(connection)?.pointee.min_keycode ?? 0 }

    /// Selects events of a window, replacing the previous selection. It has no reply.
    func select(_ window: UInt32, _ mask: Int) {
        var events = UInt32(mask)
        xcb_change_window_attributes(connection, window, UInt32(CWEventMask), &events)
    }
}

/// Requests of extensions: they name the major opcode of the extension, and must not be made if the server lacks it.
/// XCB's own functions for them are in libraries besides libxcb.
extension Display {
    /// RandR 1.5: the names, as atoms, and the rectangles of the active monitors.
    func monitors(_ randr: UInt8) -> UInt32 { ask(randr, X_RRGetMonitors, [root, 1]) }

    /// MIT-SCREEN-SAVER: the state of the saver, and the selection of its events, or of none.
    func saver(_ saver: UInt8) -> UInt32 { ask(saver, X_ScreenSaverQueryInfo, [root]) }
    func select(saver: UInt8, isWanted: Bool) {
        let events = isWanted ? ScreenSaverNotifyMask | ScreenSaverCycleMask : 0
        ask(saver, X_ScreenSaverSelectInput, [root, UInt32(events)], hasReply: false)
    }

    /// DPMS: the power level of the monitors.
    func power(_ dpms: UInt8) -> UInt32 { ask(dpms, X_DPMSInfo) }

    /// SHAPE: whether a window is shaped, the rectangles that take input, and the selection of its events.
    func shape(_ shape: UInt8, of window: UInt32) -> UInt32 { ask(shape, X_ShapeQueryExtents, [window]) }
    func inputShape(_ shape: UInt8, of window: UInt32) -> UInt32 {
        ask(shape, X_ShapeGetRectangles, [window, UInt32(ShapeInput)])
    }
    func select(shape: UInt8, of window: UInt32) {
        ask(shape, X_ShapeSelectInput, [window, 1], hasReply: false)
    }

    /// SYNC: the request that must come first, the counters of the server, and the value of one.
    func beginSync(_ sync: UInt8) -> UInt32 {
        ask(sync, X_SyncInitialize, [UInt32(SYNC_MAJOR_VERSION) | UInt32(SYNC_MINOR_VERSION) << 8])
    }
    func counters(_ sync: UInt8) -> UInt32 { ask(sync, X_SyncListSystemCounters) }
    func counter(_ sync: UInt8, _ counter: UInt32) -> UInt32 { ask(sync, X_SyncQueryCounter, [counter]) }

    /// SYNC: creates an alarm that fires each time that a counter crosses a value, rising or falling, and returns its ID. It
    /// does not fire at once if the counter is already past the value.
    func createAlarm(_ sync: UInt8, _ counter: UInt32, _ value: Int64, rises: Bool) -> UInt32 {
        let id = xcb_generate_id(connection)
        let fields =
            XSyncCACounter | XSyncCAValueType | XSyncCAValue | XSyncCATestType | XSyncCADelta | XSyncCAEvents
        // In the order of the bits: without a delta, the alarm stays active.
        let values: [UInt32] = [
            counter, UInt32(XSyncAbsolute.rawValue), UInt32(truncatingIfNeeded: value >> 32),
            UInt32(truncatingIfNeeded: value),
            (rises ? XSyncPositiveTransition : XSyncNegativeTransition).rawValue, 0, 0, 1,
        ]
        ask(sync, X_SyncCreateAlarm, [id, UInt32(fields)] + values, hasReply: false)
        return id
    }
    func destroyAlarm(_ sync: UInt8, _ alarm: UInt32) {
        ask(sync, X_SyncDestroyAlarm, [alarm], hasReply: false)
    }

    /// X-Resource: the process of the client that owns a window.
    func process(_ resource: UInt8, of window: UInt32) -> UInt32 {
        ask(resource, X_XResQueryClientIds, [1, window, UInt32(X_XResLocalClientPIDMask)])
    }

    /// RECORD: records the events that the server delivers to these clients, each identified by the ID bits outside
    /// the resource mask. The request then gets a stream of replies, and the server accepts no further request on this
    /// connection.
    func record(_ record: UInt8, _ clients: [UInt32]) -> UInt32 {
        let context = xcb_generate_id(connection)
        // One range: with several, X.Org's server (21.1.7) reports no event above 31. Of its 24 bytes, only the first
        // and the last type of delivered events are set, 16 and 17.
        let range = [0, 0, 0, 0, UInt32(KeyPress) | UInt32(GenericEvent) << 8, 0]
        ask(
            record, X_RecordCreateContext, [context, 0, UInt32(clients.count), 1] + clients + range,
            hasReply: false)
        return ask(record, X_RecordEnableContext, [context])
    }

    /// Sends a request with these fields after the header.
    @discardableResult
    private func ask(_ major: UInt8, _ minor: Int32, _ words: [UInt32] = [], hasReply: Bool = true) -> UInt32
    {
        // XCB sets the major opcode and the length.
        var request = [UInt32(minor) << 8] + words
        var kind = xcb_protocol_request_t(count: 1, ext: nil, opcode: major, isvoid: hasReply ? 0 : 1)
        return request.withUnsafeMutableBytes { bytes in
            // XCB may put a header into the two parts before the first one.
            var parts = [iovec](repeating: iovec(), count: 3)
            parts[2] = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return parts.withUnsafeMutableBufferPointer { parts in
                // Errors of requests without a reply arrive as events, which are dropped.
                let flags = hasReply ? Int32(XCB_REQUEST_CHECKED.rawValue) : 0
                return xcb_send_request(connection, flags, parts.baseAddress.map { $0 + 2 }, &kind)
            }
        }
    }
}

/// Grabs.
extension Display {
    private static let isAsynchronous = UInt8(GrabModeAsync)

    /// Grabs the pointer, for presses and releases of buttons. The cursor 0 is the present one.
    func grabPointer(_ window: UInt32, cursor: UInt32 = 0) -> UInt32 {
        let events = UInt16(ButtonPressMask | ButtonReleaseMask)
        return xcb_grab_pointer(
            connection, 0, window, events, Self.isAsynchronous, Self.isAsynchronous, 0, cursor,
            UInt32(CurrentTime)
        ).sequence
    }

    func grabKeyboard(_ window: UInt32) -> UInt32 {
        xcb_grab_keyboard(
            connection, 0, window, UInt32(CurrentTime), Self.isAsynchronous, Self.isAsynchronous
        ).sequence
    }

    /// Releases the pointer and the keyboard.
    func ungrab() {
        xcb_ungrab_pointer(connection, UInt32(CurrentTime))
        xcb_ungrab_keyboard(connection, UInt32(CurrentTime))
        send()
    }

    /// Tries to grab the keyboard, or the pointer, with an unmapped window. The server never grants that: it returns
    /// GrabNotViewable, or AlreadyGrabbed if another client has the grab.
    func tryKeyboard() -> UInt32 { withUnmappedWindow(grabKeyboard) }
    func tryPointer() -> UInt32 { withUnmappedWindow { grabPointer($0) } }

    private func withUnmappedWindow(_ grab: (UInt32) -> UInt32) -> UInt32 {
        let window = xcb_generate_id(connection)
        var isUnmanaged: UInt32 = 1
        xcb_create_window(
            connection, 0, window, root, 0, 0, 1, 1, 0, UInt16(InputOnly), 0, UInt32(CWOverrideRedirect),
            &isUnmanaged)
        defer { xcb_destroy_window(connection, window) }
        return grab(window)
    }

    /// Creates a crosshair from the standard cursor font.
    func makeCrosshair() -> UInt32 {
        let (font, cursor) = (xcb_generate_id(connection), xcb_generate_id(connection))
        let (name, crosshair) = ("cursor", UInt16(34))
        xcb_open_font(connection, font, UInt16(name.utf8.count), name)
        xcb_create_glyph_cursor(
            connection, cursor, font, font, crosshair, crosshair + 1, 0, 0, 0, .max, .max, .max)
        xcb_close_font(connection, font)
        return cursor
    }

    func discard(cursor: UInt32) { xcb_free_cursor(connection, cursor) }
}
