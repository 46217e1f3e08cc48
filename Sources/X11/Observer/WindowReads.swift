import CXlib
import Scenes

/// What a window says of the process it belongs to.
struct ProcessClaim {
    var pid: Int32?
    var machine: String?
}

extension DesktopObserver {
    /// Asks for facts of one window.
    func ask(_ facts: Stale.WindowFacts, of xid: UInt32, in pass: inout ReadPass) {
        if facts.contains(.attributes) {
            pass.attributes(of: xid) { self.noteAttributes($0, of: xid) }
        }
        if facts.contains(.place) { askPlace(of: xid, in: &pass) }
        if facts.contains(.topLevel) { climb(from: xid, at: xid, in: &pass) }
        if facts.contains(.state) {
            askWords(.wmState, atoms[.wmState], of: xid, limit: 2, in: &pass) { window, words in
                window.state = words?.first.flatMap { WindowFacts.ManagedState(rawValue: $0) }
                if window.state == .normal || window.state == .iconic { window.wasManaged = true }
            }
        }
        if facts.contains(.states) {
            askWords(.netState, UInt32(XA_ATOM), of: xid, limit: 64, in: &pass) { window, words in
                window.states = self.states(words ?? [])
            }
        }
        if facts.contains(.desktop) {
            askWords(.netDesktop, UInt32(XA_CARDINAL), of: xid, limit: 1, in: &pass) { window, words in
                window.desktop = words?.first
            }
        }
        if facts.contains(.kind) {
            askWords(.netType, UInt32(XA_ATOM), of: xid, limit: 64, in: &pass) { window, words in
                window.kind = words?.lazy.compactMap { self.kind($0) }.first ?? .application
            }
        }
        if facts.contains(.transientFor) {
            askWords(.wmTransientFor, UInt32(XA_WINDOW), of: xid, limit: 1, in: &pass) { window, words in
                window.transientFor = words?.first
            }
        }
        askNames(facts, of: xid, in: &pass)
    }

    private func noteAttributes(_ attributes: Attributes?, of xid: UInt32) {
        guard let attributes else {
            forget(xid)
            return
        }
        desktop.windows[xid]?.mapState = attributes.mapState
        desktop.windows[xid]?.isOverrideRedirect = attributes.isOverrideRedirect
        desktop.windows[xid]?.isInputOnly = attributes.isInputOnly
    }

    private func askPlace(of xid: UInt32, in pass: inout ReadPass) {
        guard let screen = desktop.windows[xid]?.screen else { return }
        pass.position(of: xid, on: desktop.screens[screen].root) { position in
            guard let position else { return }
            let old = self.desktop.windows[xid]?.place ?? Rectangle(width: 1, height: 1)
            self.desktop.windows[xid]?.place = Rectangle(
                x: position.x, y: position.y, width: old.width, height: old.height)
        }
        pass.size(of: xid) { size in
            guard let size else { return }
            self.desktop.windows[xid]?.place?.width = size.width
            self.desktop.windows[xid]?.place?.height = size.height
        }
    }

    /// Looks one window further up for the child of the root window that a window is in.
    func climb(from xid: UInt32, at ancestor: UInt32, in pass: inout ReadPass) {
        pass.tree(of: ancestor) { tree in
            guard let tree, self.desktop.windows[xid] != nil else { return }
            if tree.parent == tree.root || tree.parent == 0 {
                self.settle(xid, in: ancestor)
            } else {
                self.stale.climbs[xid] = tree.parent
            }
        }
    }

    private func settle(_ xid: UInt32, in topLevel: UInt32) {
        if let old = desktop.windows[xid]?.topLevel { leave(frame: old, xid) }
        desktop.windows[xid]?.topLevel = topLevel
        if topLevel != xid { framed[topLevel, default: []].insert(xid) }
    }

    private func states(_ words: [UInt32]) -> WindowFacts.States {
        var states: WindowFacts.States = []
        for word in words {
            switch atoms.name(of: word) {
            case .stateHidden: states.insert(.hidden)
            case .stateShaded: states.insert(.shaded)
            case .stateSticky: states.insert(.sticky)
            default: break
            }
        }
        return states
    }

    /// nil for a type that is not known: clients list theirs by preference, and the first known one counts.
    private func kind(_ type: UInt32) -> WindowFacts.Kind? {
        switch atoms.name(of: type) {
        case .typeNormal, .typeDialog, .typeUtility, .typeToolbar: .application
        case .typeDesktop: .desktop
        case .typeDock, .typeSplash, .typeTooltip, .typeNotification, .typeMenu, .typeDropdownMenu,
            .typePopupMenu, .typeCombo, .typeDnd:
            .accessory
        default: nil
        }
    }

    func askWords(
        _ name: AtomName, _ type: UInt32, of xid: UInt32, limit: UInt32, in pass: inout ReadPass,
        _ absorb: @escaping (inout SeenWindow, [UInt32]?) -> Void
    ) {
        pass.property(atoms[name], of: xid, words: limit) { property in
            guard self.desktop.windows[xid] != nil else { return }
            let words = property?.words(type)
            self.desktop.windows[xid].mutate { absorb(&$0, words) }
        }
    }
}

extension Optional {
    fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
        guard var value = self else { return }
        change(&value)
        self = value
    }
}
