import CXPipeline
import CXlib
import Scenes

/// The hints that the window manager supports, and the properties that are set on the root window.
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

    /// Reads the hints, one by one, and waits for them.
    fileprivate init(_ observer: DesktopObserver) throws(MonitorFailure) {
        let (display, atoms, root) = (observer.display, observer.mirror.atoms, observer.mirror.root)
        func read(_ name: AtomName, _ window: UInt32, _ words: UInt32) throws(MonitorFailure) -> Property? {
            try observer.reply(to: display.property(window, atoms[name], words: words)).property
        }
        let words = try read(.supported, root, 1024)?.words(UInt32(XA_ATOM)) ?? []
        supported = Set(words.compactMap { atoms.name(of: $0)?.text })
        for name in Self.propertyNames where try read(name, root, 1) != nil { set.insert(name.text) }
        reportsTerminal = try read(.hasTerminal, root, 1) != nil
        guard let check = observer.desktop.screen.manager?.checkWindow else { return }
        if let resource = observer.extensions[.resource] {
            pid = try observer.reply(to: display.process(resource, of: check)).process
        } else {
            pid = try read(.netPid, check, 1)?.word(UInt32(XA_CARDINAL)).flatMap { Int32(exactly: $0) }
        }
    }
}

extension DesktopObserver {
    package var server: (vendor: String, release: Int) {
        guard let setup = xcb_get_setup(display.connection) else { return ("", 0) }
        let vendor = UnsafeRawBufferPointer(
            start: xcb_setup_vendor(setup), count: Int(xcb_setup_vendor_length(setup)))
        return (String(decoding: vendor, as: UTF8.self), Int(setup.pointee.release_number))
    }

    /// Reads the hints of the window manager, and waits for them.
    package func managerHints() throws(MonitorFailure) -> ManagerHints { try ManagerHints(self) }
}
