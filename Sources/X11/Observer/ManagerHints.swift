import CXlib

/// What the window manager of one screen says that it supports, and what stands on its root window.
package struct ManagerHints: Sendable {
    /// The names in _NET_SUPPORTED that xphase has a use for.
    package var supported: Set<String> = []
    /// The properties of the root window that are set, by whomever.
    package var set: Set<String> = []
    /// _NET_WM_PID of its check window.
    package var pid: Int32?

    /// The properties of a root window that tell of windows.
    package static let rootProperties = [
        AtomName.clientList, .clientListStacking, .activeWindow, .currentDesktop, .showingDesktop,
    ].map(\.rawValue)

    /// The atoms of a window's _NET_WM_STATE that the rule uses.
    package static let states = [AtomName.stateHidden, .stateShaded, .stateSticky].map(\.rawValue)
}

/// What there is to say of a server.
package struct ServerFacts: Sendable {
    package let display: String
    package let vendor: String
    package let release: Int
}

extension DesktopObserver {
    package var server: ServerFacts {
        ServerFacts(
            display: display.name,
            vendor: XServerVendor(display.pointer).map { String(cString: $0) } ?? "",
            release: Int(XVendorRelease(display.pointer)))
    }

    /// Reads the hints of each screen's window manager.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    package func managerHints() throws(DisplayError) -> [ManagerHints] {
        var hints = desktop.screens.map { _ in ManagerHints() }
        var pass = ReadPass(display)
        for (index, screen) in desktop.screens.enumerated() {
            pass.property(atoms[.supported], of: screen.root, words: 1024) {
                let words = $0?.words(UInt32(XA_ATOM)) ?? []
                hints[index].supported = Set(words.compactMap { self.atoms.name(of: $0)?.rawValue })
            }
            for name in ManagerHints.rootProperties {
                guard let atom = AtomName(rawValue: name) else { continue }
                pass.property(atoms[atom], of: screen.root, words: 1) {
                    if $0 != nil { hints[index].set.insert(name) }
                }
            }
            guard let check = screen.manager?.checkWindow else { continue }
            pass.property(atoms[.netPid], of: check, words: 1) {
                hints[index].pid = $0?.words(UInt32(XA_CARDINAL))?.first.flatMap { Int32(exactly: $0) }
            }
        }
        _ = try pass.run()
        return hints
    }
}
