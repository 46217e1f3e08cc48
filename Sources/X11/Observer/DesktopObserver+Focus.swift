import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    private static let pointerRoot: UInt32 = 1

    /// Records a FocusIn event. A read would not return more. The last event of a series names the innermost known
    /// window that contains the focus.
    ///
    /// - Parameter isItself: Whether the focus is on the window itself, not on one inside it.
    func noteFocusCame(to xid: UInt32, isItself: Bool) {
        guard desktop.moveFocus(to: xid) else {
            stale.focus = .wanted
            return
        }
        stale.focus = .done
        // A new array would allocate memory for each move of the focus.
        focus.path.removeAll()
        if isItself { focus.path.append(xid) }
        news.hasChanged = true
    }

    /// Marks the active windows that were written while they were not needed and are needed now.
    func lookAtActiveWindows() {
        for screen in screenNotes.indices
        where screenNotes[screen].wasActiveWindowWritten && needsActiveWindow(of: screen) {
            stale.mark(.activeWindow, screen: screen)
        }
    }

    /// Returns whether _NET_ACTIVE_WINDOW of a screen must be read: not while the input focus decides, nor without a
    /// window manager. A new window manager becomes trusted by writing it.
    func needsActiveWindow(of screen: Int) -> Bool {
        if desktop.screen.manager != nil && !desktop.screen.isTrusted { return true }
        return desktop.asksActiveWindow
    }

    /// Handles the reply to GetInputFocus at the end of a pass.
    func absorbFocus(_ reply: Reply) {
        guard let focus = reply.fixed(xcb_get_input_focus_reply_t.self)?.focus else { return }
        let isSearched =
            reading.focusSearch != .done && reading.focusSearch != .wanted && reading.focusSearch != .left
        if focus == self.focus.path.first && (isSearched || reading.focusSearch == .done) { return }
        self.focus.path = [focus]
        // A search for the old focus would restore it.
        stale.focus = .done
        if focus == 0 {
            desktop.inputFocus = .none
        } else if focus == Self.pointerRoot {
            stale.focus = .pointer(screen: nil)
        } else if let screen = roots.firstIndex(of: focus) {
            // Until the pointer is known to be on the screen.
            desktop.inputFocus = .elsewhere(client: 0)
            stale.focus = .pointer(screen: screen)
        } else if desktop.windows.slot(of: focus) != nil {
            desktop.inputFocus = .window(focus)
        } else {
            stale.focus = .climbing(from: focus, at: focus)
        }
        if case .pointer = stale.focus { followPointer() }
    }

    /// Toolkits give the focus to a window inside their own, window managers to the frame around it.
    func absorbParentOfFocus(_ reply: Reply) {
        guard case .climbing(let focus, let ancestor) = reading.focusSearch else { return }
        if desktop.windows.slot(of: ancestor) != nil {
            desktop.inputFocus = .window(ancestor)
            return
        }
        guard let tree = reply.tree else {
            desktop.inputFocus = .none
            return
        }
        if tree.parent == 0 || tree.parent == tree.root {
            desktop.inputFocus = .elsewhere(client: display.client(of: focus))
        } else {
            self.focus.path.append(tree.parent)
            if desktop.windows.slot(of: tree.parent) != nil {
                desktop.inputFocus = .window(tree.parent)
            } else {
                stale.focus = .climbing(from: focus, at: tree.parent)
            }
        }
    }

    func absorbPointer(_ reply: Reply, of read: Read) {
        let screen = Int(read.place)
        guard let pointer = reply.fixed(xcb_query_pointer_reply_t.self), pointer.root == read.window else {
            return
        }
        screenNotes[screen].underPointer = pointer.child
        desktop.inputFocus = .underPointer(client(in: pointer.child))
    }

    /// Selects crossing events of all windows, once the pointer matters.
    private func followPointer() {
        guard !focus.followsPointer else { return }
        focus.followsPointer = true
        desktop.windows.usedSlots.forEach(askForEvents)
    }

    /// Searches for the focus again if windows were adopted since it was found under the pointer, in a frame or outside
    /// the known windows.
    func findFocusAmongAdopted() {
        guard news.hasAdopted else { return }
        news.hasAdopted = false
        switch desktop.inputFocus {
        case .none: break
        case .underPointer:
            guard let child = screenNotes[0].underPointer else { break }
            desktop.inputFocus = .underPointer(client(in: child))
        case .window(let frame) where known.framed[frame] == nil: break
        case .window, .elsewhere:
            if let known = focus.path.first(where: { desktop.windows.slot(of: $0) != nil }) {
                desktop.inputFocus = .window(known)
            } else if focus.path.isEmpty {
                stale.focus = .wanted
            }
        }
    }

    /// Returns the known window that a child of the root window is or contains.
    func client(in topLevel: UInt32) -> UInt32? {
        // A frame that is not override-redirect is a known window, too.
        let shown = known.framed[topLevel]?.filter { desktop.windows.facts(of: $0)?.mapState == .viewable }
        // The panel of fvwm reparents windows of other programs into its own.
        let client = shown?.first { desktop.windows.facts(of: $0).map(desktop.isManaged) ?? false }
        return client ?? shown?.first ?? desktop.windows.slot(of: topLevel).map { _ in topLevel }
    }
}
