import CXPipeline
import CXlib
import Scenes

/// What is known about the value of _NET_ACTIVE_WINDOW on the root window.
private enum ActiveWindow {
    /// It is read.
    case read
    /// It was written since it was last read.
    case written
    /// A window manager that has ended wrote it.
    case leftBehind
}

/// Reads the screen and its window manager, mostly from properties of the root window.
package final class ScreenReader {
    /// The maximum number of windows to read of a client list.
    private static let mostClients: UInt32 = 131_072
    /// Desktops beyond this number have no names.
    private static let mostDesktops = 256

    private typealias Take = @Sendable (ScreenReader, Property?) -> Void

    /// The properties of the root window, each with the maximum length to read, in units of 32 bits.
    private static let properties: [(name: AtomName, words: UInt32, take: Take)] = [
        (.supportingCheck, 1, { $0.take(check: $1?.word(UInt32(XA_WINDOW)) ?? 0) }),
        (.clientList, mostClients, { $0.take(clients: $1?.words(UInt32(XA_WINDOW))) }),
        (.clientListStacking, mostClients, { $0.screen.stacking = $1?.words(UInt32(XA_WINDOW)) ?? [] }),
        // Some managers write a second item, so the first one counts.
        (
            .activeWindow, 1,
            {
                $0.screen.activeWindow =
                    $0.activeWindow == .leftBehind ? nil : $1?.word(UInt32(XA_WINDOW))
            }
        ),
        (.currentDesktop, 1, { $0.screen.currentDesktop = $1?.word(UInt32(XA_CARDINAL)) }),
        (.showingDesktop, 1, { $0.take(isShowingDesktop: $1?.word(UInt32(XA_CARDINAL)) == 1) }),
        (.desktopNames, mostClients, { $0.take(desktopNames: $1) }),
    ]

    private let mirror: Mirror
    private let windows: WindowReader
    private var stale: Set<AtomName> = []
    /// Whether the size and the monitors must be read.
    private var hasStaleBounds = true
    /// Whether to check if there is a window manager, and a compositor. No event reports this.
    private var mustCheck = true

    /// The owner of _NET_WM_CM_Sn.
    private var compositor: UInt32 = 0
    /// Whether the client list or the active window was written since the last window manager was detected.
    private var wasRewritten = false
    private var activeWindow = ActiveWindow.read
    /// The check window and its name, once verified.
    private var checkWindow: UInt32?
    private var checkName: String?
    /// Whether everything is read in the present reading.
    private var isReadWhole = false
    /// The atoms of the names of the monitors; empty before RandR 1.5.
    private var monitorAtoms: [UInt32] = []
    /// The monitors at the last call of `takeMonitorNews`; nil before the first.
    private var takenMonitors: [UInt32]?
    /// The names of monitors by their atoms.
    private var atomNames: [UInt32: String] = [:]
    private var desktopNames: [String] = []

    init(_ mirror: Mirror, _ windows: WindowReader) { (self.mirror, self.windows) = (mirror, windows) }

    private var screen: Scenes.Screen {
        _read { yield mirror.desktop.screen }
        _modify { yield &mirror.desktop.screen }
    }

    var isStale: Bool { !stale.isEmpty || hasStaleBounds || mustCheck }

    func markBounds() { hasStaleBounds = true }

    func markAll() {
        stale = Set(Self.properties.map(\.name))
        hasStaleBounds = true
    }

    /// The end of the window manager may have caused an event: the next reading checks.
    func suspectEnd(unlessChecked: Bool = false) {
        guard let manager = screen.manager else { return }
        // The end of a window manager with a check window destroys that, which is an event of its own.
        if !unlessChecked || manager.checkWindow == nil { mustCheck = true }
    }

    /// Marks the active window if it was written while it was not needed and is needed now.
    func lookAtActiveWindow() {
        if activeWindow == .written && needsActiveWindow { stale.insert(.activeWindow) }
    }

    /// Whether _NET_ACTIVE_WINDOW must be read: not while the input focus decides, nor without a window manager. A new
    /// window manager becomes trusted by writing it.
    private var needsActiveWindow: Bool {
        screen.manager != nil && !screen.isTrusted || mirror.desktop.asksActiveWindow
    }

    /// Marks the facts as stale that a property of the root window holds.
    func note(property: UInt32, isSent: Bool) {
        guard let name = mirror.atoms.name(of: property), Self.properties.contains(where: { $0.name == name })
        else { return }
        switch name {
        // Rewritten with every raise, but used only while the desktop is shown.
        case .clientListStacking where !screen.isShowingDesktop: return
        case .desktopNames where !mirror.details.contains(.locations): return
        case .clientList where !isSent: wasRewritten = true
        case .activeWindow:
            if activeWindow == .read || !isSent { activeWindow = .written }
            if !isSent { wasRewritten = true }
            guard needsActiveWindow else { return }
        default: break
        }
        stale.insert(name)
    }

    /// Asks for the stale facts, and in any case for what no event reports.
    func ask() {
        let display = mirror.display
        isReadWhole = stale.count == Self.properties.count
        if hasStaleBounds { askBounds() }
        if stale.contains(.activeWindow) && activeWindow == .written { activeWindow = .read }
        for row in Self.properties where stale.contains(row.name) {
            if row.name == .desktopNames && !mirror.details.contains(.locations) { continue }
            mirror.ask(row.name, of: mirror.root, words: row.words) { [unowned self] in row.take(self, $0) }
        }
        stale = []
        hasStaleBounds = false
        mustCheck = false
        display.ask(display.owner(of: mirror.atoms.compositor)) { [unowned self] in
            compositor = $0.selectionOwner
            screen.isComposited = compositor != 0
        }
        display.ask(display.owner(of: mirror.atoms.manager)) { [unowned self] in
            screen.selectionOwner = $0.selectionOwner
        }
        // Only a client that selects SubstructureRedirect on the root window manages it.
        display.ask(display.attributes(mirror.root)) { [unowned self] reply in
            guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
            hasManager = attributes.all_event_masks & UInt32(SubstructureRedirectMask) != 0
        }
    }

    private var hasManager = false

    private func askBounds() {
        let display = mirror.display
        display.ask(display.geometry(mirror.root)) { [unowned self] reply in
            guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
            screen.bounds = Rectangle(width: Int32(geometry.width), height: Int32(geometry.height))
        }
        guard let randr = mirror.extensions[.randr] else { return }
        display.ask(display.monitors(randr)) { [unowned self] in
            let monitors = $0.monitors
            screen.monitors = monitors?.map(\.area)
            monitorAtoms = monitors?.map(\.name) ?? []
            for atom in monitorAtoms where atomNames[atom] == nil {
                display.ask(display.atomName(atom)) { [unowned self] in atomNames[atom] = $0.atomName ?? "" }
            }
        }
    }

    /// The check window must name itself: the property on the root window outlives it, and IDs are reused.
    private func take(check: UInt32) {
        checkWindow = nil
        checkName = nil
        if check == 0 { return }
        mirror.ask(.supportingCheck, of: check, words: 1) { [unowned self] in
            if $0?.word(UInt32(XA_WINDOW)) == check { checkWindow = check }
        }
        mirror.ask(.netName, of: check, words: Text.limitInWords) { [unowned self] in
            let name = $0?.text(mirror.atoms[.utf8String], or: UInt32(XA_STRING))
            checkName = name.flatMap { Text.decode(Text.split($0).first).nonEmpty }
        }
    }

    private func take(isShowingDesktop isShown: Bool) {
        if isShown && !screen.isShowingDesktop { stale.insert(.clientListStacking) }
        screen.isShowingDesktop = isShown
    }

    private func take(desktopNames property: Property?) {
        let texts = property?.text(mirror.atoms[.utf8String])?.split(
            separator: 0, maxSplits: Self.mostDesktops, omittingEmptySubsequences: false)
        desktopNames = texts?.prefix(Self.mostDesktops).map { Text.decode($0) } ?? []
    }

    /// - Parameter list: Empty if the window manager has no clients; nil if the property is not set.
    private func take(clients list: [UInt32]?) {
        let (old, new) = (screen.clients ?? [], list.map { Set($0) })
        if new == screen.clients { return }
        screen.clients = new
        for window in list ?? [] where !old.contains(window) {
            windows.discover(window)
            mirror.edit(window) { $0.withdrewItself = false }
        }
        if screen.isTrusted { markManaged() }
    }

    private func markManaged() {
        for window in screen.clients ?? [] { mirror.edit(window) { $0.wasManaged = true } }
    }

    /// Updates the window manager, once everything is read. Returns whether windows count now that the former one did not
    /// manage.
    func findManager() -> Bool {
        guard hasManager else {
            let wasManaged = screen.manager != nil
            screen.manager = nil
            screen.wasRewritten = false
            screen.isOwnCompositor = false
            wasRewritten = false
            if wasManaged {
                activeWindow = .leftBehind
                screen.activeWindow = nil
            }
            return wasManaged
        }
        let old = screen.manager
        let isNew = old == nil || (old?.checkWindow != nil && old?.checkWindow != checkWindow)
        let client = checkWindow.map(mirror.display.client(of:))
        screen.manager = Scenes.Screen.Manager(checkWindow: checkWindow, client: client, name: checkName)
        if isNew && old != nil { wasRewritten = false }
        if old == nil && !isReadWhole { markAll() }
        // A check window already makes the new manager trusted.
        let wasTrusted = screen.isTrusted && !isNew
        screen.wasRewritten = wasRewritten
        if screen.isTrusted && !wasTrusted { markManaged() }
        screen.isOwnCompositor = compositor != 0 && client == mirror.display.client(of: compositor)
        return false
    }

    private var monitorNames: [String] { monitorAtoms.map { atomNames[$0] ?? "" } }

    /// Returns the names of the monitors if they are others than at the last call; nil if not, and at the first call.
    package func takeMonitorNews() -> [String]? {
        defer { takenMonitors = monitorAtoms }
        // Another mode or position may change the order.
        guard let old = takenMonitors, old != monitorAtoms, Set(old) != Set(monitorAtoms) else { return nil }
        return monitorNames
    }

    /// Sets the monitor and desktop names of all windows if they are wanted. They depend on the screen, too.
    package func nameLocations() {
        guard mirror.details.contains(.locations) else { return }
        let monitors = Array(zip(monitorNames, screen.monitors ?? []))
        for slot in Array(mirror.desktop.windows.usedSlots) {
            let window = mirror.desktop.windows.facts[slot]
            // The monitor with the largest part of the window.
            let shares = monitors.map { ($0, window.geometry.map($1.overlap(with:)) ?? 0) }
            let monitor = shares.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
            let desktop = window.desktop.flatMap {
                Int($0) < desktopNames.count ? desktopNames[Int($0)].nonEmpty : nil
            }
            let old = mirror.desktop.windows.text(slot)
            if monitor == old.monitor && desktop == old.desktopName { continue }
            mirror.desktop.windows.rename(slot) { ($0.monitor, $0.desktopName) = (monitor, desktop) }
        }
    }
}
