import CXlib
import Scenes

/// What is remembered of a screen between two reads of it.
struct ScreenNotes {
    /// What _NET_SUPPORTING_WM_CHECK names, true or not.
    var claimedCheck: UInt32 = 0
    var compositor: UInt32 = 0
    /// A list or the active window were written since the last window manager was noted.
    var wasRewritten = false
    /// The active window was written since it was last read.
    var wasActiveWindowWritten = false
    /// The active window was written by a window manager that has died since.
    var isActiveWindowStale = false
    /// The check window and name that were found to be true.
    var checkWindow: UInt32?
    var name: String?
}

extension DesktopObserver {
    /// The longest client list that is read, in windows.
    private static let listLimit: UInt32 = 131_072

    /// Asks for the stale facts of each screen, and for those that no event tells of.
    func askScreens(_ stale: [Int: Stale.ScreenFacts], in pass: inout ReadPass) {
        for index in desktop.screens.indices {
            let facts = stale[index] ?? []
            askRoot(facts, index, in: &pass)
            pass.owner(of: atoms.compositors[index]) { self.screenNotes[index].compositor = $0 }
            pass.owner(of: atoms.managers[index]) { self.desktop.screens[index].selectionOwner = $0 }
            // Last, since it judges what the others have found.
            pass.attributes(of: desktop.screens[index].root) { self.noteManager($0, screen: index) }
        }
    }

    private func askRoot(_ facts: Stale.ScreenFacts, _ index: Int, in pass: inout ReadPass) {
        let root = desktop.screens[index].root
        if facts.contains(.bounds) {
            pass.size(of: root) { size in
                guard let size else { return }
                self.desktop.screens[index].bounds = Rectangle(width: size.width, height: size.height)
            }
        }
        if facts.contains(.check) {
            askWord(.supportingCheck, XA_WINDOW, of: root, in: &pass) {
                self.screenNotes[index].claimedCheck = $0 ?? 0
                self.stale.screens[index, default: []].insert(.manager)
            }
        }
        if facts.contains(.clients) {
            askList(.clientList, of: root, in: &pass) { self.noteClients($0, screen: index) }
        }
        if facts.contains(.stacking) {
            askList(.clientListStacking, of: root, in: &pass) {
                self.desktop.screens[index].stacking = $0 ?? []
            }
        }
        if facts.contains(.activeWindow) {
            screenNotes[index].wasActiveWindowWritten = false
            // Some managers write a second item, so the first one counts.
            askWord(.activeWindow, XA_WINDOW, of: root, in: &pass) {
                self.desktop.screens[index].activeWindow =
                    self.screenNotes[index].isActiveWindowStale ? nil : $0
            }
        }
        if facts.contains(.currentDesktop) {
            askWord(.currentDesktop, XA_CARDINAL, of: root, in: &pass) {
                self.desktop.screens[index].currentDesktop = $0
            }
        }
        if facts.contains(.showingDesktop) {
            askWord(.showingDesktop, XA_CARDINAL, of: root, in: &pass) {
                self.desktop.screens[index].isShowingDesktop = $0 == 1
                if $0 == 1 { self.stale.screens[index, default: []].insert(.stacking) }
            }
        }
        if facts.contains(.manager) { askManager(index, in: &pass) }
    }

    /// The check window must name itself: the property on the root window outlives it, and ids are used
    /// again.
    private func askManager(_ index: Int, in pass: inout ReadPass) {
        let check = screenNotes[index].claimedCheck
        screenNotes[index].checkWindow = nil
        screenNotes[index].name = nil
        guard check != 0 else { return }
        askWord(.supportingCheck, XA_WINDOW, of: check, in: &pass) {
            if $0 == check { self.screenNotes[index].checkWindow = check }
        }
        pass.property(atoms[.netName], of: check, words: Text.limitInWords) {
            let name = $0?.text(self.atoms[.utf8String], UInt32(XA_STRING)).map { Text.split($0).first }
            self.screenNotes[index].name = name.map { Text.decode($0) }?.nonEmpty
        }
    }

    /// Only who holds SubstructureRedirect on the root window manages it.
    private func noteManager(_ attributes: Attributes?, screen index: Int) {
        guard let attributes else { return }
        let old = desktop.screens[index].manager
        let isManaged = attributes.allEvents & SubstructureRedirectMask != 0
        let notes = screenNotes[index]
        guard isManaged else {
            desktop.screens[index].manager = nil
            desktop.screens[index].wasRewritten = false
            desktop.screens[index].isOwnCompositor = false
            screenNotes[index].wasRewritten = false
            if old != nil {
                screenNotes[index].isActiveWindowStale = true
                desktop.screens[index].activeWindow = nil
            }
            return
        }
        let isNew = old == nil || (old?.checkWindow != nil && old?.checkWindow != notes.checkWindow)
        desktop.screens[index].manager = Screen.Manager(checkWindow: notes.checkWindow, name: notes.name)
        if isNew && old != nil { screenNotes[index].wasRewritten = false }
        if old == nil { stale.screens[index] = .all }
        let wasTrusted = desktop.screens[index].isTrusted && !isNew
        desktop.screens[index].wasRewritten = screenNotes[index].wasRewritten
        if desktop.screens[index].isTrusted && !wasTrusted {
            markManaged(desktop.screens[index].clients?.order ?? [])
        }
        desktop.screens[index].isOwnCompositor =
            notes.compositor != 0
            && notes.checkWindow.map { display.client(of: $0) == display.client(of: notes.compositor) }
                == true
    }

    private func noteClients(_ list: [UInt32]?, screen index: Int) {
        guard list != desktop.screens[index].clients?.order else { return }
        guard let list else {
            desktop.screens[index].clients = nil
            return
        }
        var clients = desktop.screens[index].clients ?? []
        desktop.screens[index].clients = nil
        let new = clients.replace(with: list)
        desktop.screens[index].clients = clients
        for xid in new { adopt(xid, screen: index) }
        if desktop.screens[index].isTrusted { markManaged(new) }
    }

    private func markManaged(_ clients: some Sequence<UInt32>) {
        for xid in clients { desktop.windows[xid]?.wasManaged = true }
    }

    private func askList(
        _ name: AtomName, of root: UInt32, in pass: inout ReadPass, _ absorb: @escaping ([UInt32]?) -> Void
    ) {
        pass.property(atoms[name], of: root, words: Self.listLimit) { absorb($0?.words(UInt32(XA_WINDOW))) }
    }

    private func askWord(
        _ name: AtomName, _ type: Atom, of window: UInt32, in pass: inout ReadPass,
        _ absorb: @escaping (UInt32?) -> Void
    ) {
        pass.property(atoms[name], of: window, words: 1) { absorb($0?.words(UInt32(type))?.first) }
    }
}
