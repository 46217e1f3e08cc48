import CXPipeline
import CXlib
import Scenes

/// Finds windows that no event announces: those that are there before the watch begins, and unmanaged ones that may
/// belong to a screen locker.
final class ClientSearch {
    /// The maximum nesting depth of clients in frames.
    private static let deepest = 4
    /// The window of a locker covers at least an eighth of the screen.
    private static let smallestPart: Int64 = 8

    private let mirror: Mirror
    private let tree: WindowTree
    private let windows: WindowReader
    private var isStale = false
    /// What is to be asked for next, from the end on.
    private var visits: [Visit] = []
    /// The children that may be frames of clients.
    private var unsearched: [UInt32] = []

    private enum Visit {
        /// Reads a child of the root window.
        case read(UInt32)
        /// Searches a window for clients. The depth of a child of the root window is 1.
        case search(UInt32, depth: Int)
        /// Searches a frame of known windows for further clients.
        case searchBeside(UInt32)
    }

    init(_ mirror: Mirror, _ tree: WindowTree, _ windows: WindowReader) {
        (self.mirror, self.tree, self.windows) = (mirror, tree, windows)
    }

    /// Whether there is something to ask for at once.
    var isAsking: Bool { isStale || !visits.isEmpty }

    /// Looks through all children of the root window once more.
    func begin() { isStale = true }

    /// Asks for the children of the root window, or for what the next visit needs. Returns false if there is nothing to ask
    /// for.
    func askNext() -> Bool {
        if isStale {
            isStale = false
            tree.readChildren { [unowned self] in visits = $0.map { .read($0) } }
            return true
        }
        switch visits.popLast() {
        case .read(let child): read(child)
        case .search(let window, let depth): search(window, depth: depth)
        case .searchBeside(let frame): searchBeside(frame)
        case nil: return false
        }
        return true
    }

    private func read(_ child: UInt32) {
        tree.markInput(of: child)
        // The reader of windows reads those that are known.
        if mirror.isKnown(child) { return }
        tree.read(child) { [unowned self] attributes in
            // Of the windows outside the client list, only viewable ones may be clients.
            let screen = mirror.desktop.screen
            let isListed = screen.isTrusted && screen.clients != nil
            if !isListed || attributes.mapState == .viewable { unsearched.append(child) }
        }
    }

    /// Searches the children that are no frames of known windows, once everything else is read: only then the frames are
    /// known. Returns whether there is something to read.
    func searchFrames() -> Bool {
        if unsearched.isEmpty { return false }
        let children = unsearched
        unsearched = []
        for child in children where !mirror.isKnown(child) && !tree.isFrame(child) {
            if mirror.desktop.screen.manager == nil {
                // Without a window manager there are no frames.
                if !mirror.isUnmanaged(child) { windows.discover(child) }
            } else {
                visits.append(.search(child, depth: 1))
            }
        }
        for parent in tree.parents where !mirror.isKnown(parent) { visits.append(.searchBeside(parent)) }
        return windows.isAsking || isAsking
    }

    /// Searches a frame of known windows for further clients, which are children of other clients than the frame: pekwm's
    /// list lacks the tabs behind others.
    private func searchBeside(_ frame: UInt32) {
        let display = mirror.display
        display.ask(display.tree(frame)) { [unowned self] reply in
            for child in reply.tree?.children ?? []
            where !mirror.isKnown(child) && display.client(of: child) != display.client(of: frame) {
                mirror.ask(.wmState, of: child, words: 2) { [unowned self] in
                    if $0?.word(mirror.atoms[.wmState]) != nil { windows.discover(child) }
                }
            }
        }
    }

    /// Searches a window for clients. Only WM_STATE identifies a client.
    private func search(_ window: UInt32, depth: Int) {
        let display = mirror.display
        var isClient = false
        mirror.ask(.wmState, of: window, words: 2) { [unowned self] in
            isClient = $0?.word(mirror.atoms[.wmState]) != nil
            if isClient { windows.discover(window) }
        }
        display.ask(display.tree(window)) { [unowned self] reply in
            // A client contains no other client.
            if isClient { return }
            let children = reply.tree?.children ?? []
            if depth < Self.deepest {
                for child in children where !mirror.isKnown(child) {
                    visits.append(.search(child, depth: depth + 1))
                }
            }
            // It may be managed later.
            if depth == 1 && !mirror.isUnmanaged(window) { windows.discover(window) }
        }
    }

    /// Reads the unmanaged windows that are large enough for a screen locker, and those of their clients: one may be a
    /// dialog over a faded screen. Reads all mapped ones while covers are followed. Returns whether there is something to
    /// read. Call it once everything else is read.
    func findUnmanaged() -> Bool {
        let display = mirror.display
        let stacking = mirror.desktop.stacking
        let manager = mirror.desktop.screen.manager?.client
        func matters(_ child: WindowFacts) -> Bool {
            stacking.followsCovers && child.mapState == .viewable || isLarge(child)
        }
        let unknown = stacking.unknown.values.filter(\.isOverrideRedirect)
        let candidates = unknown.filter {
            let client = display.client(of: $0.id.xid)
            // A window manager can have many frames and hints.
            return client != 0 && (client != manager || matters($0)) && !tree.isFrame($0.id.xid)
        }
        if candidates.isEmpty { return false }
        let known = mirror.desktop.windows.facts.filter {
            $0.isOverrideRedirect && $0.topLevel == $0.id.xid && !$0.isGone
        }
        let clients = Set((unknown + known).filter(isLarge).map { display.client(of: $0.id.xid) })
        for child in candidates where matters(child) || clients.contains(display.client(of: child.id.xid)) {
            windows.discover(child.id.xid)
        }
        return windows.isAsking
    }

    private func isLarge(_ child: WindowFacts) -> Bool {
        guard let geometry = child.geometry else { return false }
        let bounds = mirror.desktop.screen.bounds
        return Self.smallestPart * Int64(geometry.width) * Int64(geometry.height)
            >= Int64(bounds.width) * Int64(bounds.height)
    }
}
