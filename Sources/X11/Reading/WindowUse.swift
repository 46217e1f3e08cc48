import CXPipeline
import CXlib
import Scenes

/// Checks whether applications are in use while none of their windows is visible.
extension Display {
    /// The time limit for replies.
    private static let patience = Duration.seconds(4)
    private static let mostStates: UInt32 = 64
    private static let mostClients: UInt32 = 4096
    /// The maximum number of requests in flight.
    private static let batch = 1000

    /// Returns whether any of these windows is fullscreen.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func isFullscreen(anyOf windows: [UInt32]) throws(MonitorFailure) -> Bool {
        let atoms = try atoms(["_NET_WM_STATE", "_NET_WM_STATE_FULLSCREEN"])
        let states = try answers(for: windows) { window in
            cxp_get_property(connection, window, atoms[0], Self.mostStates)
        } reading: {
            $0.property?.words(UInt32(XA_ATOM))
        }
        return states.contains { $0?.contains(atoms[1]) ?? false }
    }

    /// Returns whether the client of one of these windows, or one of these processes, owns CLIPBOARD or PRIMARY.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func ownsSelection(
        anyOf windows: [UInt32], processes: Set<Int32>
    ) throws(MonitorFailure) -> Bool {
        let owners = try answers(for: atoms(["CLIPBOARD", "PRIMARY"])) { selection in
            cxp_get_selection_owner(connection, selection)
        } reading: {
            $0.fixed(xcb_get_selection_owner_reply_t.self)?.owner
        }
        return try !own(owners.compactMap(\.self).filter { $0 != 0 }, windows, processes).isEmpty
    }

    /// Returns what the application shows besides its scenes, such as `dock`; nil for nothing. It is an unmanaged window,
    /// or one of a type that no scene has. An unmanaged window that is off-screen or one pixel large exists only to grab
    /// the pointer and the keyboard, and counts only while either is grabbed. A window inside another client's window,
    /// such as a tray icon, does not count.
    ///
    /// - Parameters:
    ///   - windows: The known windows of the application.
    ///   - processes: All processes of the application.
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func accessory(
        ofClientOf windows: [UInt32], processes: Set<Int32>
    ) throws(MonitorFailure) -> String? {
        let atoms = try Atoms(self, within: Self.patience)
        let roots = [root]
        let top = try children(of: roots)
        // Managed windows may be inside frames. i3 lists no docks, and in KWin and IceWM the frames are deeper.
        let clients = try answers(for: roots) {
            cxp_get_property(connection, $0, atoms[.clientList], Self.mostClients)
        } reading: {
            $0.property?.words(UInt32(XA_WINDOW))
        }
        let candidates = try Set(top + children(of: top) + clients.compactMap(\.self).joined())
        let own = try own(Array(candidates), windows, processes)
        let types = try answers(for: own) {
            cxp_get_property(connection, $0, atoms[.netType], Self.mostStates)
        } reading: {
            $0.property?.words(UInt32(XA_ATOM))?.lazy.compactMap { atoms.name(of: $0) }.first
        }
        let isUnmanaged = try answers(for: own) {
            cxp_get_attributes(connection, $0)
        } reading: {
            $0.fixed(xcb_get_window_attributes_reply_t.self)
                .flatMap { Int32($0.map_state) == IsViewable ? $0.override_redirect != 0 : nil }
        }
        let (outer, popup) = (Set(top), "menu or popup")
        let kinds = zip(own, zip(isUnmanaged, types)).map { window, facts -> String? in
            guard let isUnmanaged = facts.0 else { return nil }
            return isUnmanaged ? outer.contains(window) ? popup : nil : facts.1?.accessory
        }
        let shown = zip(own, kinds).filter { $1 != nil }
        let places = try answers(for: shown.map(\.0) + roots) {
            cxp_get_geometry(connection, $0)
        } reading: {
            $0.fixed(xcb_get_geometry_reply_t.self)
        }
        let corners = try answers(for: shown.map(\.0)) {
            cxp_get_position(connection, $0, root)
        } reading: {
            $0.fixed(xcb_translate_coordinates_reply_t.self)
        }
        let screens = places.suffix(roots.count).compactMap(\.self)
        for (kind, (place, corner)) in zip(shown.map(\.1), zip(places, corners)) {
            guard let place, let corner, place.width > 1, place.height > 1 else { continue }
            if screens.contains(where: { $0.root == place.root && $0.shows(place, at: corner) }) {
                return kind
            }
        }
        guard kinds.contains(popup) else { return nil }
        return try isInputGrabbed() ? popup : nil
    }

    /// Returns the processes of the clients that manage or composite the windows of a screen: the owners of WM_Sn, of
    /// _NET_WM_CM_Sn, and of the window that _NET_SUPPORTING_WM_CHECK names.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func managers() throws(MonitorFailure) -> Set<Int32> {
        let selections = try atoms(["WM_S\(screen)", "_NET_WM_CM_S\(screen)"])
        let owners = try answers(for: selections) {
            cxp_get_selection_owner(connection, $0)
        } reading: {
            $0.fixed(xcb_get_selection_owner_reply_t.self)?.owner
        }
        let check = try atoms([AtomName.supportingCheck.text])[0]
        let windows = try answers(for: [root]) {
            cxp_get_property(connection, $0, check, 1)
        } reading: {
            $0.property?.word(UInt32(XA_WINDOW))
        }
        let resources = (owners + windows).compactMap(\.self).filter { $0 != 0 }
        return Set(try pids(of: resources).compactMap(\.self))
    }

    /// Returns whether a client has grabbed the pointer or the keyboard. Tries grabs that cannot succeed.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func isInputGrabbed() throws(MonitorFailure) -> Bool {
        let end = ContinuousClock.now + Self.patience
        let (pointer, keyboard) = (
            cxp_try_pointer(connection, root), cxp_try_keyboard(connection, root)
        )
        cxp_send(connection)
        let held = [UInt8(AlreadyGrabbed), UInt8(GrabFrozen)]
        let hasPointer = try reply(to: pointer, until: end).fixed(xcb_grab_pointer_reply_t.self)
            .map { held.contains($0.status) }
        let hasKeyboard = try reply(to: keyboard, until: end).fixed(xcb_grab_keyboard_reply_t.self)
            .map { held.contains($0.status) }
        return hasPointer ?? false || hasKeyboard ?? false
    }

    private func children(of windows: [UInt32]) throws(MonitorFailure) -> [UInt32] {
        let children = try answers(for: windows) {
            cxp_get_tree(connection, $0)
        } reading: {
            $0.tree?.children
        }
        return Array(children.compactMap(\.self).joined())
    }

    /// Returns the resources of clients that own one of these windows or belong to one of these processes. A process
    /// may have several connections.
    private func own(
        _ resources: [UInt32], _ windows: [UInt32], _ processes: Set<Int32>
    ) throws(MonitorFailure) -> [UInt32] {
        var clients = Set(windows.map(client))
        var seen = clients
        let others = resources.filter { seen.insert(client(of: $0)).inserted }
        for (other, pid) in zip(others, try pids(of: others)) where pid.map(processes.contains) ?? false {
            clients.insert(client(of: other))
        }
        return resources.filter { clients.contains(client(of: $0)) }
    }

    /// Returns the processes that own these resources, from X-Resource; empty if the server lacks it.
    private func pids(of resources: [UInt32]) throws(MonitorFailure) -> [Int32?] {
        let query = cxp_query_extension(connection, "X-Resource")
        cxp_send(connection)
        let found = try reply(to: query, until: .now + Self.patience)
            .fixed(xcb_query_extension_reply_t.self)
        guard let found, found.present != 0 else { return [] }
        return try answers(for: resources) {
            cxp_get_process(connection, found.major_opcode, $0)
        } reading: {
            $0.process
        }
    }

    private func atoms(_ names: [String]) throws(MonitorFailure) -> [UInt32] {
        let end = ContinuousClock.now + Self.patience
        let requests = names.map { cxp_intern_atom(connection, $0) }
        cxp_send(connection)
        var atoms: [UInt32] = []
        for request in requests {
            let reply = try reply(to: request, until: end).fixed(xcb_intern_atom_reply_t.self)
            atoms.append(reply?.atom ?? 0)
        }
        return atoms
    }

    /// Returns the server's answer for each resource; nil if the resource is gone.
    private func answers<Answer>(
        for resources: [UInt32], _ ask: (UInt32) -> UInt32, reading read: (Reply) -> Answer?
    ) throws(MonitorFailure) -> [Answer?] {
        let end = ContinuousClock.now + Self.patience
        var answers: [Answer?] = []
        for start in stride(from: 0, to: resources.count, by: Self.batch) {
            let requests = resources[start...].prefix(Self.batch).map(ask)
            cxp_send(connection)
            for request in requests { answers.append(read(try reply(to: request, until: end))) }
        }
        return answers
    }
}

extension xcb_get_geometry_reply_t {
    /// Returns whether any part of a window, including its border, is within this root window.
    ///
    /// - Parameter corner: The corner of the window within its border.
    fileprivate func shows(_ window: Self, at corner: xcb_translate_coordinates_reply_t) -> Bool {
        let (x, y, border) = (Int(corner.dst_x), Int(corner.dst_y), Int(window.border_width))
        return x - border < Int(width) && x + Int(window.width) + border > 0
            && y - border < Int(height) && y + Int(window.height) + border > 0
    }
}

extension AtomName {
    /// The kind of windows of this type; nil for a type of scenes.
    fileprivate var accessory: String? {
        switch self {
        case .typeDesktop: "desktop"
        case .typeDock: "dock"
        case .typeSplash: "splash screen"
        case .typeTooltip: "tooltip"
        case .typeNotification: "notification"
        case .typeMenu, .typeDropdownMenu, .typePopupMenu, .typeCombo, .typeDnd: "menu or popup"
        default: nil
        }
    }
}
