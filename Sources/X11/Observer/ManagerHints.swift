import CXPipeline
import CXlib
import Scenes

/// The hints that the window manager of one screen supports, and the properties that are set on the root window.
package struct ManagerHints: Sendable {
    /// The names in _NET_SUPPORTED that xphase uses.
    package var supported: Set<String> = []
    /// The properties that are set on the root window, by any client.
    package var set: Set<String> = []
    /// The process of the check window: the one that X-Resource reports, else _NET_WM_PID.
    package var pid: Int32?
    /// Whether the server reports on the root window if its virtual terminal is shown.
    package var reportsTerminal = false

    private static let propertyNames = [
        AtomName.clientList, .clientListStacking, .activeWindow, .currentDesktop, .showingDesktop,
    ]

    /// The properties of a root window that describe windows.
    package static let rootProperties = propertyNames.map(\.text)

    /// The atoms of a window's _NET_WM_STATE that the rule uses.
    package static let states = [AtomName.stateHidden, .stateShaded, .stateSticky].map(\.text)

    /// Reads the hints of one screen.
    ///
    /// - Parameter resource: The major opcode of X-Resource; nil if the server lacks it.
    fileprivate init(
        _ screen: Scenes.Screen, _ display: Display, _ atoms: Atoms, resource: UInt8?
    ) throws(MonitorFailure) {
        let end = ContinuousClock.now + DesktopObserver.patience
        func read(_ name: AtomName, _ window: UInt32, _ words: UInt32) throws(MonitorFailure) -> Property? {
            let request = cxp_get_property(display.connection, window, atoms[name], words)
            cxp_send(display.connection)
            return try display.reply(to: request, until: end).property
        }
        let words = try read(.supported, screen.root, 1024)?.words(UInt32(XA_ATOM)) ?? []
        supported = Set(words.compactMap { atoms.name(of: $0)?.text })
        for name in Self.propertyNames where try read(name, screen.root, 1) != nil { set.insert(name.text) }
        reportsTerminal = try read(.hasTerminal, screen.root, 1) != nil
        if let check = screen.manager?.checkWindow {
            if let resource {
                let request = cxp_get_process(display.connection, resource, check)
                cxp_send(display.connection)
                pid = try display.reply(to: request, until: end).process
            } else {
                pid = try read(.netPid, check, 1)?.word(UInt32(XA_CARDINAL)).flatMap { Int32(exactly: $0) }
            }
        }
    }
}

extension DesktopObserver {
    package var server: (vendor: String, release: Int) {
        let vendor = XServerVendor(display.pointer).map { String(cString: $0) }
        return (vendor ?? "", Int(XVendorRelease(display.pointer)))
    }

    /// Reads the hints of each screen's window manager, one by one, and waits for them.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package func managerHints() throws(MonitorFailure) -> [ManagerHints] {
        var hints: [ManagerHints] = []
        for screen in [desktop.screen] {
            hints.append(try ManagerHints(screen, display, atoms, resource: extensions.resource))
        }
        return hints
    }
}
