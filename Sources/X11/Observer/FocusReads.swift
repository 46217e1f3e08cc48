import Scenes

extension DesktopObserver {
    private static let pointerRoot: UInt32 = 1
    /// No id that a window can have: the focus is inside of a known window.
    private static let unknown = UInt32.max

    /// Takes in that the focus came to a window: no read could tell more. The last one that is told is the
    /// innermost known window with the focus in it.
    func noteFocusCame(to xid: UInt32, isItself: Bool) {
        guard desktop.windows[xid] != nil else {
            stale.focus = .wanted
            return
        }
        stale.focus = .done
        lastFocus = isItself ? xid : Self.unknown
        desktop.inputFocus = .window(xid)
        hasChanged = true
    }

    /// Marks the active windows that were written and have not been needed before.
    func lookAtActiveWindows() {
        for screen in desktop.screens.indices
        where screenNotes[screen].wasActiveWindowWritten && needsActiveWindow(of: screen) {
            stale.screens[screen, default: []].insert(.activeWindow)
        }
    }

    /// Whether the active window of a screen is worth a read: not as long as the input focus tells who has it,
    /// or nobody runs who could have written it. Who has just begun to run becomes trusted by writing it.
    func needsActiveWindow(of screen: Int) -> Bool {
        if desktop.screens[screen].manager != nil && !desktop.screens[screen].isTrusted { return true }
        return desktop.asksActiveWindow(of: screen)
    }

    /// Asks where keys go, as far as the answer that every pass brings is not enough.
    func askFocus(_ search: Stale.FocusSearch, in pass: inout ReadPass) {
        switch search {
        case .done, .wanted, .left: break
        case .climbing(let focus, let ancestor): climbFocus(from: focus, at: ancestor, in: &pass)
        case .pointer(let only):
            for (index, screen) in desktop.screens.enumerated() where index == only ?? index {
                pass.pointer(on: screen.root) { child in
                    guard let child else { return }
                    self.desktop.inputFocus = .underPointer(screen: index, window: self.client(in: child))
                }
            }
        }
    }

    /// Notes what XGetInputFocus said at the end of a pass.
    func noteFocus(_ focus: UInt32, asked: Stale.FocusSearch) {
        let isSearched = asked != .done && asked != .wanted && asked != .left
        if focus == lastFocus && (isSearched || asked == .done) { return }
        lastFocus = focus
        // A search for the old one would put it back.
        stale.focus = .done
        if focus == 0 {
            desktop.inputFocus = .none
        } else if focus == Self.pointerRoot {
            stale.focus = .pointer(screen: nil)
        } else if let screen = rootIndex[focus] {
            // Until the pointer is known to be there.
            desktop.inputFocus = .elsewhere(screen: screen)
            stale.focus = .pointer(screen: screen)
        } else if desktop.windows[focus] != nil {
            desktop.inputFocus = .window(focus)
        } else {
            stale.focus = .climbing(from: focus, at: focus)
        }
    }

    /// Toolkits give the focus to a window inside of theirs, managers to the frame around it.
    private func climbFocus(from focus: UInt32, at ancestor: UInt32, in pass: inout ReadPass) {
        if desktop.windows[ancestor] != nil {
            desktop.inputFocus = .window(ancestor)
            return
        }
        pass.tree(of: ancestor) { tree in
            guard let tree else {
                self.desktop.inputFocus = .none
                return
            }
            if tree.parent == 0 || tree.parent == tree.root {
                self.desktop.inputFocus = .elsewhere(screen: self.rootIndex[tree.root] ?? 0)
            } else {
                self.stale.focus = .climbing(from: focus, at: tree.parent)
            }
        }
    }

    /// Whether the window with the focus was looked for before the windows around it were known.
    var mayHaveMissedFocus: Bool {
        switch desktop.inputFocus {
        case .elsewhere, .underPointer(_, nil): true
        case .window(let window), .underPointer(_, .some(let window)): framed[window] != nil
        case .none: false
        }
    }

    /// The known window that a child of the root window is, or holds.
    private func client(in topLevel: UInt32) -> UInt32? {
        // A frame that is not override-redirect is known too.
        if let client = framed[topLevel]?.first(where: { desktop.windows[$0]?.mapState == .viewable }) {
            return client
        }
        return desktop.windows[topLevel].map { _ in topLevel }
    }
}
