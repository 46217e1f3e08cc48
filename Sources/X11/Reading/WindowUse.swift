import CXPipeline
import CXlib

/// What applications are in use for though none of their windows can be seen.
extension Display {
    /// How long the server may take.
    private static let patience = Duration.seconds(4)
    private static let mostStates: UInt32 = 64

    /// Whether one of these windows is fullscreen.
    ///
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer`.
    package func isFullscreen(anyOf windows: [UInt32]) throws(DisplayError) -> Bool {
        let atoms = try atoms(["_NET_WM_STATE", "_NET_WM_STATE_FULLSCREEN"])
        let requests = windows.map { cxp_get_property(connection, $0, atoms[0], Self.mostStates) }
        return try replies(to: requests).contains { $0.contains(atoms[1]) }
    }

    /// Whether CLIPBOARD or PRIMARY belongs to the client of one of these windows, or to one of these processes.
    ///
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer`.
    package func ownsSelection(
        anyOf windows: [UInt32], processes: Set<Int32>
    ) throws(DisplayError) -> Bool {
        let end = ContinuousClock.now + Self.patience
        let requests = try atoms(["CLIPBOARD", "PRIMARY"]).map { cxp_get_selection_owner(connection, $0) }
        let query = cxp_query_extension(connection, "X-Resource")
        cxp_send(connection)
        var owners: [UInt32] = []
        for request in requests {
            let reply = try reply(to: request, until: end).fixed(xcb_get_selection_owner_reply_t.self)
            if let owner = reply?.owner, owner != 0 { owners.append(owner) }
        }
        let found = try reply(to: query, until: end).fixed(xcb_query_extension_reply_t.self)
        let clients = Set(windows.map(client))
        if owners.contains(where: { clients.contains(client(of: $0)) }) { return true }
        guard let found, found.present != 0 else { return false }
        for owner in owners {
            let request = cxp_get_process(connection, found.major_opcode, owner)
            cxp_send(connection)
            if let pid = try reply(to: request, until: end).process, processes.contains(pid) { return true }
        }
        return false
    }

    private func atoms(_ names: [String]) throws(DisplayError) -> [UInt32] {
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

    /// The atoms in properties that were asked for.
    private func replies(to requests: [UInt32]) throws(DisplayError) -> [[UInt32]] {
        let end = ContinuousClock.now + Self.patience
        cxp_send(connection)
        var lists: [[UInt32]] = []
        for request in requests {
            lists.append(try reply(to: request, until: end).property?.words(UInt32(XA_ATOM)) ?? [])
        }
        return lists
    }
}
