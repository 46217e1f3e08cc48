import CXPipeline
import CXlib
import Scenes

/// Checks whether applications are in use while none of their windows is visible.
extension Display {
    /// The time limit for replies.
    private static let patience = Duration.seconds(4)
    private static let mostStates: UInt32 = 64
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

    /// Returns whether the application shows an unmanaged window, such as a menu, which grabs pointer and keyboard. A
    /// window that is off-screen or one pixel large exists only for such a grab, and counts only while either is
    /// grabbed.
    ///
    /// - Parameters:
    ///   - windows: The known windows of the application.
    ///   - processes: All processes of the application.
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func hasMenu(
        ofClientOf windows: [UInt32], processes: Set<Int32>
    ) throws(MonitorFailure) -> Bool {
        let roots = (0..<screenCount).map(root)
        let children = try answers(for: roots) {
            cxp_get_tree(connection, $0)
        } reading: {
            $0.tree?.children
        }
        let own = try own(children.flatMap { $0 ?? [] }, windows, processes)
        let unmanaged = try answers(for: own) {
            cxp_get_attributes(connection, $0)
        } reading: {
            $0.fixed(xcb_get_window_attributes_reply_t.self)
                .map { $0.override_redirect != 0 && Int32($0.map_state) == IsViewable } ?? false
        }
        let popups = zip(own, unmanaged).filter { $1 ?? false }.map(\.0)
        if popups.isEmpty { return false }
        let places = try answers(for: popups + roots) {
            cxp_get_geometry(connection, $0)
        } reading: {
            $0.fixed(xcb_get_geometry_reply_t.self)
        }
        let screens = places.suffix(roots.count).compactMap(\.self)
        let isShown = places.prefix(popups.count).compactMap(\.self).contains { place in
            place.width > 1 && place.height > 1
                && screens.contains { $0.root == place.root && $0.shows(place) }
        }
        if isShown { return true }
        return try isInputGrabbed()
    }

    /// Returns the processes of the clients that manage or composite the windows of a screen: the owners of WM_Sn, of
    /// _NET_WM_CM_Sn, and of the window that _NET_SUPPORTING_WM_CHECK names.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func managers() throws(MonitorFailure) -> Set<Int32> {
        let screens = 0..<screenCount
        let selections = try atoms(
            ["WM_S", "_NET_WM_CM_S"].flatMap { name in screens.map { "\(name)\($0)" } })
        let owners = try answers(for: selections) {
            cxp_get_selection_owner(connection, $0)
        } reading: {
            $0.fixed(xcb_get_selection_owner_reply_t.self)?.owner
        }
        let check = try atoms([AtomName.supportingCheck.text])[0]
        let windows = try answers(for: screens.map(root)) {
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
            cxp_try_pointer(connection, root(of: 0)), cxp_try_keyboard(connection, root(of: 0))
        )
        cxp_send(connection)
        let held = [UInt8(AlreadyGrabbed), UInt8(GrabFrozen)]
        let hasPointer = try reply(to: pointer, until: end).fixed(xcb_grab_pointer_reply_t.self)
            .map { held.contains($0.status) }
        let hasKeyboard = try reply(to: keyboard, until: end).fixed(xcb_grab_keyboard_reply_t.self)
            .map { held.contains($0.status) }
        return hasPointer ?? false || hasKeyboard ?? false
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
    /// Returns whether any part of a child, including its border, is within this window.
    fileprivate func shows(_ child: Self) -> Bool {
        let border = 2 * Int(child.border_width)
        return child.x < Int(width) && Int(child.x) + Int(child.width) + border > 0
            && child.y < Int(height) && Int(child.y) + Int(child.height) + border > 0
    }
}
