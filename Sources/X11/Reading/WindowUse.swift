import CXPipeline
import CXlib
import Scenes

/// Checks whether applications are in use while none of their windows is visible.
package struct WindowUse {
    /// The time limit for replies.
    private static let patience = Duration.seconds(4)
    private static let mostStates: UInt32 = 64
    private static let mostClients: UInt32 = 4096
    /// The maximum number of requests in flight.
    private static let batch = 1000

    private let display: Display
    private let atoms: Atoms
    private let extensions: Extensions

    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package init(on display: Display) throws(MonitorFailure) {
        self.display = display
        let queries = Extensions.ask(display)
        atoms = try Atoms(display, within: Self.patience)
        extensions = try Extensions(display, queries, within: Self.patience)
    }

    /// Returns whether any of these windows is fullscreen.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func isFullscreen(anyOf windows: [UInt32]) throws(MonitorFailure) -> Bool {
        try words(.netState, of: windows).contains { $0.contains(atoms[.stateFullscreen]) }
    }

    /// Returns whether the client of one of these windows, or one of these processes, owns CLIPBOARD or PRIMARY.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func ownsSelection(
        anyOf windows: [UInt32], processes: Set<Int32>
    ) throws(MonitorFailure) -> Bool {
        let owners = try owners(of: [atoms[.clipboard], UInt32(XA_PRIMARY)])
        return try !own(owners, windows, processes).isEmpty
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
        // Managed windows may be inside frames. i3 lists no docks, and in KWin and IceWM the frames are deeper.
        let children = try children(of: [display.root])
        let listed = try words(.clientList, of: [display.root], atMost: Self.mostClients).joined()
        let own = try own(
            Array(Set(children).union(try self.children(of: children)).union(listed)), windows, processes)
        let isUnmanaged = try answers(for: own, display.attributes) {
            $0.fixed(xcb_get_window_attributes_reply_t.self)
                .flatMap { Int32($0.map_state) == IsViewable ? $0.override_redirect != 0 : nil }
        }
        let (outer, popup) = (Set(children), "menu or popup")
        let types = try words(.netType, of: own).map { $0.lazy.compactMap(atoms.name(of:)).first }
        let shown = zip(own, zip(isUnmanaged, types)).compactMap { window, facts -> (UInt32, String)? in
            guard let isUnmanaged = facts.0 else { return nil }
            let kind = isUnmanaged ? outer.contains(window) ? popup : nil : facts.1?.accessory
            return kind.map { (window, $0) }
        }
        let screen = try places(of: [display.root])[0]
        for ((_, kind), place) in zip(shown, try places(of: shown.map(\.0))) {
            guard let place, let screen, place.width > 1, place.height > 1 else { continue }
            if place.intersects(screen) { return kind }
        }
        guard shown.contains(where: { $0.1 == popup }) else { return nil }
        return try isInputGrabbed() ? popup : nil
    }

    /// Returns the processes of the clients that manage or composite the windows of the screen: the owners of WM_Sn, of
    /// _NET_WM_CM_Sn, and of the window that _NET_SUPPORTING_WM_CHECK names.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func managers() throws(MonitorFailure) -> Set<Int32> {
        let owners = try owners(of: [atoms.manager, atoms.compositor])
        let check = try words(.supportingCheck, of: [display.root], atMost: 1).joined()
        return Set(try pids(of: owners + check.filter { $0 != 0 }).compactMap(\.self))
    }

    /// Returns whether a client has grabbed the pointer or the keyboard. Tries grabs that cannot succeed.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func isInputGrabbed() throws(MonitorFailure) -> Bool {
        let end = ContinuousClock.now + Self.patience
        let (pointer, keyboard) = (display.tryPointer(), display.tryKeyboard())
        let held = [UInt8(AlreadyGrabbed), UInt8(GrabFrozen)]
        let hasPointer = try display.reply(to: pointer, until: end).fixed(xcb_grab_pointer_reply_t.self)
            .map { held.contains($0.status) }
        let hasKeyboard = try display.reply(to: keyboard, until: end).fixed(xcb_grab_keyboard_reply_t.self)
            .map { held.contains($0.status) }
        return hasPointer ?? false || hasKeyboard ?? false
    }

    /// Returns the resources of clients that own one of these windows or belong to one of these processes. A process
    /// may have several connections.
    private func own(
        _ resources: [UInt32], _ windows: [UInt32], _ processes: Set<Int32>
    ) throws(MonitorFailure) -> [UInt32] {
        var clients = Set(windows.map(display.client))
        var seen = clients
        let others = resources.filter { seen.insert(display.client(of: $0)).inserted }
        for (other, pid) in zip(others, try pids(of: others)) where pid.map(processes.contains) ?? false {
            clients.insert(display.client(of: other))
        }
        return resources.filter { clients.contains(display.client(of: $0)) }
    }

    /// Returns the processes that own these resources, from X-Resource; empty if the server lacks it.
    private func pids(of resources: [UInt32]) throws(MonitorFailure) -> [Int32?] {
        guard let resource = extensions.resource else { return [] }
        return try answers(for: resources) {
            display.process(resource, of: $0)
        } reading: {
            $0.process
        }
    }

    private func owners(of selections: [UInt32]) throws(MonitorFailure) -> [UInt32] {
        try answers(for: selections, display.owner(of:)) { $0.selectionOwner }.compactMap(\.self)
            .filter { $0 != 0 }
    }

    private func children(of windows: [UInt32]) throws(MonitorFailure) -> [UInt32] {
        Array(try answers(for: windows, display.tree) { $0.tree?.children }.compactMap(\.self).joined())
    }

    /// Returns the areas of windows with their borders, on the root window.
    private func places(of windows: [UInt32]) throws(MonitorFailure) -> [Rectangle?] {
        let sizes = try answers(for: windows, display.geometry) { $0.fixed(xcb_get_geometry_reply_t.self) }
        let corners = try answers(for: windows, display.position) {
            $0.fixed(xcb_translate_coordinates_reply_t.self)
        }
        return zip(sizes, corners).map { size, corner in
            guard let size, let corner else { return nil }
            var place = Rectangle(outerOf: size)
            place.x = Int32(corner.dst_x) - Int32(size.border_width)
            place.y = Int32(corner.dst_y) - Int32(size.border_width)
            return place
        }
    }

    /// Returns the items of a property of each window; none where it is not set.
    private func words(
        _ property: AtomName, of windows: [UInt32], atMost count: UInt32 = mostStates
    ) throws(MonitorFailure) -> [[UInt32]] {
        let type = UInt32([.clientList, .supportingCheck].contains(property) ? XA_WINDOW : XA_ATOM)
        return try answers(for: windows) {
            display.property($0, atoms[property], words: count)
        } reading: {
            $0.property?.words(type)
        }.map { $0 ?? [] }
    }

    /// Returns the server's answer for each resource; nil if the resource is gone.
    private func answers<Answer>(
        for resources: [UInt32], _ ask: (UInt32) -> UInt32, reading read: (Reply) -> Answer?
    ) throws(MonitorFailure) -> [Answer?] {
        let end = ContinuousClock.now + Self.patience
        var answers: [Answer?] = []
        for start in stride(from: 0, to: resources.count, by: Self.batch) {
            let requests = resources[start...].prefix(Self.batch).map(ask)
            for request in requests { answers.append(read(try display.reply(to: request, until: end))) }
        }
        return answers
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
