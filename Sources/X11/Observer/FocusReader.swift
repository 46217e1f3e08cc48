import CXPipeline
import CXlib
import Scenes

/// Finds the window with the input focus.
final class FocusReader {
    /// Where the focus was found last.
    private enum Found {
        case none
        /// In the child of the root window under the pointer; 0 for none.
        case underPointer(UInt32)
        /// In a window, and the windows around it up to the child of the root window.
        case inside(UInt32, path: [UInt32])
        /// In a known window or in one inside it, as an event reported.
        case within(UInt32)
    }

    private static let pointerRoot: UInt32 = 1

    private let mirror: Mirror
    private let events: EventSelection
    private let tree: WindowTree
    private let windows: WindowReader
    private(set) var isStale = true
    private var found = Found.none
    /// The window that an answer or an event named last.
    private var holder: UInt32?

    init(_ mirror: Mirror, _ events: EventSelection, _ tree: WindowTree, _ windows: WindowReader) {
        (self.mirror, self.events, self.tree, self.windows) = (mirror, events, tree, windows)
    }

    func markStale() { isStale = true }

    /// Records a move of the focus, which an event of a window reports.
    func note(_ window: UInt32, isIn: Bool, _ mode: Int32, _ detail: Int32) {
        guard Self.isMove(mode, detail) else { return }
        guard isIn && mirror.isKnown(window) else { return markStale() }
        // A read would not return more. The last event of a series names the innermost known window that contains the focus.
        holder = window
        isStale = false
        take(.within(window))
        mirror.hasChanged = true
    }

    func noteSent(_ mode: Int32, _ detail: Int32) { if Self.isMove(mode, detail) { markStale() } }

    func noteCrossing() { if case .underPointer = found { markStale() } }

    /// A grab takes the keys, not the focus. NotifyInferior moves the focus within the window. NotifyPointer concerns the
    /// window under the pointer.
    private static func isMove(_ mode: Int32, _ detail: Int32) -> Bool {
        (mode == NotifyNormal || mode == NotifyWhileGrabbed) && detail != NotifyInferior
            && detail != NotifyPointer
    }

    /// Asks for the focus. Call it after the requests that select events of new windows.
    func ask() {
        let wasStale = isStale
        isStale = false
        mirror.display.ask(mirror.display.focus()) { [unowned self] reply in
            guard let focus = reply.fixed(xcb_get_input_focus_reply_t.self)?.focus else { return }
            if focus != holder || wasStale { find(focus) }
        }
    }

    private func find(_ focus: UInt32) {
        holder = focus
        if focus == 0 {
            take(.none)
        } else if focus == Self.pointerRoot || focus == mirror.root {
            if !events.includesPointer {
                windows.followPointer()
                // The pointer is asked for once its events are selected.
                return markStale()
            }
            mirror.display.ask(mirror.display.pointer(mirror.root)) { [unowned self] in
                // A later answer may have found the focus elsewhere.
                guard let pointer = $0.fixed(xcb_query_pointer_reply_t.self), holder == focus else { return }
                take(.underPointer(pointer.child))
            }
        } else if mirror.isKnown(focus) {
            take(.within(focus))
        } else {
            // Toolkits give the focus to a window inside their own, window managers to the frame around it.
            tree.climb(from: focus) { [unowned self] in
                guard holder == focus else { return }
                take($0.map { .inside(focus, path: $0) } ?? .none)
                if case .elsewhere = mirror.desktop.inputFocus { followOut(of: focus) }
            }
        }
    }

    /// Selects the focus events of a window that no known one contains. Otherwise, no event would report that the focus
    /// moves on to another such window.
    private func followOut(of window: UInt32) {
        let former = events.lastOutside
        events.lastOutside = window
        for window in [former, window].compactMap(\.self) { events.select(unknown: window) }
        // It may have moved on before.
        mirror.display.ask(mirror.display.focus()) { [unowned self] in
            let focus = $0.fixed(xcb_get_input_focus_reply_t.self)?.focus
            // A new round, since a client may move it without end.
            if let focus, focus != holder { markStale() }
        }
    }

    /// Reads the window with the focus if nothing else reads it: it may be transient for a scene, or a dialog. Neither are
    /// windows of the window manager. Call it once everything else is read.
    func discoverHolder() {
        guard case .elsewhere(let client) = mirror.desktop.inputFocus,
            case .inside(let focus, let path) = found,
            client != 0, client != mirror.desktop.screen.manager?.client
        else { return }
        let own = ([focus] + path).last { mirror.display.client(of: $0) == client }
        if let own, !tree.isFrame(own) { windows.discover(own) }
    }

    private func take(_ new: Found) {
        found = new
        settle()
    }

    /// Finds the known window that has the focus where it was found last. Call it again after windows became known: it may
    /// be in one of them.
    func settle() {
        switch found {
        case .none: mirror.desktop.inputFocus = .none
        case .underPointer(let child):
            let client = mirror.desktop.client(inChild: child, mirror.desktop.clientsInChildren)
            mirror.desktop.inputFocus = .underPointer(client?.id.xid)
        case .within(let window): mirror.desktop.inputFocus = .window(window)
        case .inside(let window, let path):
            let known = ([window] + path).first(where: mirror.isKnown)
            mirror.desktop.inputFocus =
                known.map { .window($0) } ?? .elsewhere(client: mirror.display.client(of: window))
        }
    }
}
