@testable import Scenes

extension Desktop {
    /// Returns one screen with an EWMH window manager and no windows.
    static func managed() -> Desktop {
        var screen = Screen()
        screen.manager = Screen.Manager(checkWindow: 0x400_0010, client: 0x400_0000, name: "openbox")
        screen.clients = []
        screen.activeWindow = 0
        screen.currentDesktop = 0
        return Desktop(screen: screen)
    }

    /// Adds a window, also to the client list if there is one, and to the children of the root window unless it is framed.
    mutating func add(_ window: SeenWindow) {
        windows[window.id.xid] = window
        screen.clients?.insert(window.id.xid)
        if (window.facts.topLevel ?? window.id.xid) == window.id.xid { stacking.add(window.id.xid) }
    }

    mutating func remove(_ xid: UInt32) {
        windows[xid] = nil
        stacking.remove(xid)
        screen.clients?.remove(xid)
    }

    /// Makes a window one of the children of the root window that are not known.
    mutating func forget(_ xid: UInt32) {
        let facts = windows.facts(of: xid)
        windows[xid] = nil
        stacking[xid] = facts
    }

    mutating func edit(_ xid: UInt32, _ edit: (inout SeenWindow) -> Void) {
        guard var window = windows[xid] else { return }
        edit(&window)
        windows[xid] = window
    }

    /// Adds or replaces an override-redirect window over the whole screen, like that of a locker.
    mutating func addLocker(_ xid: UInt32 = 0xF000, _ edit: (inout SeenWindow) -> Void = { _ in }) {
        var window = SeenWindow(WindowID(xid))
        window.mapState = .viewable
        window.isOverrideRedirect = true
        window.topLevel = xid
        window.geometry = screen.bounds
        edit(&window)
        windows[xid] = window
        stacking.add(xid)
    }

    /// Returns the phase of each scene by the id of its window.
    func phases(under policy: PhasePolicy = .focus) -> [UInt32: ScenePhase] {
        let phases = foundScenes(under: policy).compactMap { id, judgement in
            judgement.phase.map { (id.xid, $0) }
        }
        return Dictionary(uniqueKeysWithValues: phases)
    }
}

extension SeenWindow {
    /// Returns a window as most window managers show it: mapped, WM_STATE Normal, on the first desktop.
    static func client(_ id: WindowID) -> SeenWindow {
        var window = SeenWindow(id)
        // As of a server that gives its clients 21 bits.
        window.client = id.xid & ~0x1F_FFFF
        window.mapState = .viewable
        window.state = .normal
        window.wasManaged = true
        window.desktop = 0
        window.geometry = Rectangle(x: 100, y: 100, width: 200, height: 100)
        window.topLevel = id.xid
        return window
    }

    static func client(_ xid: UInt32, _ application: String = "App") -> SeenWindow {
        var window = client(WindowID(xid))
        window.className = application
        window.instanceName = application.lowercased()
        return window
    }

    /// Returns the window with edited facts.
    func with(_ edit: (inout SeenWindow) -> Void) -> SeenWindow {
        var window = self
        edit(&window)
        return window
    }
}

extension Desktop {
    /// Returns the scenes of the display by evaluating every window.
    func foundScenes(under policy: PhasePolicy) -> [WindowID: Judgement] {
        Dictionary(
            uniqueKeysWithValues: Rule(self, policy).scenes.map {
                (windows.facts[$0].id, Judgement(evaluation: $1, group: windows.groups[$0]))
            })
    }

    /// Returns the visibility of a window that is given with its strings.
    func visibility(of window: SeenWindow) -> Visibility {
        var desktop = self
        desktop.windows[window.id.xid] = window
        if !desktop.isManaged(window.facts) { return .gone }
        return Rule(desktop, .focus).hiding(of: window.facts).map { .background($0.cause) } ?? .visible
    }
}

/// Overlapping windows that are children of the root window, without frames.
extension Desktop {
    /// Returns a managed desktop on which covered windows are detected.
    static func judged(isComposited: Bool = false) -> Desktop {
        var desktop = Desktop.managed()
        desktop.stacking.followsCovers = true
        desktop.screen.isComposited = isComposited
        return desktop
    }

    /// Puts a known or new window above all others.
    mutating func putOnTop(
        _ xid: UInt32, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32,
        _ edit: (inout SeenWindow) -> Void = { _ in }
    ) {
        let geometry = Rectangle(x: x, y: y, width: width, height: height)
        if windows[xid] == nil { add(.client(xid)) }
        self.edit(xid) {
            ($0.geometry, $0.depth, $0.isShaped) = (geometry, 24, false)
            edit(&$0)
        }
        stacking.add(xid)
    }

    /// Returns the wholly covered windows.
    func covered() -> Set<UInt32> {
        let rule = Rule(self, .focus)
        return Set(windows.windows.filter { rule.isOccluded($0.facts) }.map(\.id.xid))
    }
}
