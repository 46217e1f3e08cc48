import CXPipeline
import CXlib
import Scenes

/// The window tree as far as it matters: the children of the root window in their order, and the windows that contain
/// the known ones.
final class WindowTree {
    private let mirror: Mirror
    private let events: EventSelection
    /// The windows around each known one that is not a child of the root window: its parent first, the child of the
    /// root window last. Empty until they are read.
    private var paths: [UInt32: [UInt32]] = [:]
    /// Whether windows became known or changed their position in the tree since `findContainers`.
    var hasNewPaths = false
    /// The windows of `paths` by the child of the root window that contains them: events must not search all windows.
    private var contents: [UInt32: Set<UInt32>] = [:]
    /// The windows that contain several known ones next to each other, such as tabs.
    private var shared: Set<UInt32> = []
    /// The shared windows in which the order of the known ones must be read.
    private var unordered: Set<UInt32> = []
    /// The children that are no known windows, such as frames, and whose opacity and shape must be read.
    private var undrawn: Set<UInt32> = []
    /// The frames whose input shape must be read.
    private var staleInput: Set<UInt32> = []
    /// The children that came out of another window: the event does not report their size.
    private var unmeasured: Set<UInt32> = []
    /// The request that read the order of the children; nil after the first later event.
    private var orderRead: UInt32?

    /// The maximum number of windows around a window. A client that nests its windows deeper has no known frame.
    private static let deepest = 256

    init(_ mirror: Mirror, _ events: EventSelection) { (self.mirror, self.events) = (mirror, events) }

    /// Returns whether a child of the root window contains known windows.
    func isFrame(_ child: UInt32) -> Bool { contents[child] != nil }

    /// Returns the known windows in a child of the root window.
    func windows(in frame: UInt32) -> Set<UInt32> { contents[frame] ?? [] }

    private func set(path: [UInt32]?, of window: UInt32) {
        if let frame = paths[window]?.last {
            contents[frame]?.remove(window)
            if windows(in: frame).isEmpty { contents[frame] = nil }
        }
        paths[window] = path
        if let frame = path?.last { contents[frame, default: []].insert(window) }
    }

    /// The windows that contain known ones directly, except for the root window.
    var parents: Set<UInt32> { Set(paths.values.compactMap(\.first)) }

    /// Asks for the windows around a window: its parent first, the child of the root window last; nil if the window is
    /// gone.
    func climb(from window: UInt32, _ path: [UInt32] = [], done: @escaping ([UInt32]?) -> Void) {
        if let last = path.last, mirror.isChild(last) { return done(path) }
        if path.count == Self.deepest { return done(nil) }
        let display = mirror.display
        display.ask(display.tree(path.last ?? window)) { [unowned self] reply in
            guard let tree = reply.tree else { return done(nil) }
            if tree.parent == tree.root || tree.parent == 0 { return done(path) }
            climb(from: window, path + [tree.parent], done: done)
        }
    }

    /// Asks for the child of the root window that contains a known window, unless it is one itself.
    func locate(_ window: UInt32) {
        if mirror.isChild(window) { return take(path: [], of: window) }
        climb(from: window) { [unowned self] path in if let path { take(path: path, of: window) } }
    }

    private func take(path: [UInt32], of window: UInt32) {
        guard let slot = mirror.desktop.windows.slot(of: window) else { return }
        set(path: path.isEmpty ? nil : path, of: window)
        mirror.desktop.windows.facts[slot].topLevel = path.last ?? window
        hasNewPaths = true
    }

    func forget(_ window: UInt32) { set(path: nil, of: window) }

    /// Sets the window that contains each known window, and finds those that share one. Call it once all paths are read.
    func findContainers() {
        hasNewPaths = false
        let parents = paths.values.compactMap(\.first)
        shared = Set(Dictionary(parents.map { ($0, 1) }, uniquingKeysWith: +).filter { $1 > 1 }.keys)
        unordered = shared
        for slot in mirror.desktop.windows.facts.indices where !mirror.desktop.windows.facts[slot].isGone {
            let path = paths[mirror.desktop.windows.facts[slot].id.xid]
            mirror.desktop.windows.facts[slot].container = path?.first(where: mirror.isKnown)
            if path.map({ shared.contains($0[0]) }) != true {
                mirror.desktop.windows.facts[slot].frameLevel = nil
            }
        }
    }

    var isStale: Bool {
        !unordered.isEmpty || !undrawn.isEmpty || !staleInput.isEmpty || !unmeasured.isEmpty
    }

    /// Asks for the geometry of a child, how an unknown one is drawn, whether a frame takes input, or the order of the known
    /// windows in a shared one. Returns false if there is nothing to ask for.
    func askNext() -> Bool {
        if let child = unmeasured.popFirst() {
            read(child) { _ in }
        } else if let child = undrawn.popFirst() {
            askDrawing(of: child)
        } else if let frame = staleInput.popFirst() {
            askInput(of: frame)
        } else if let parent = unordered.popFirst() {
            askOrder(in: parent)
        } else {
            return false
        }
        return true
    }

    private func askOrder(in parent: UInt32) {
        mirror.display.ask(mirror.display.tree(parent)) { [unowned self] reply in
            for (level, child) in (reply.tree?.children ?? []).enumerated() {
                mirror.edit(child) { $0.frameLevel = Int32(level) }
            }
        }
    }
}

/// The children of the root window.
extension WindowTree {
    /// Asks for the opacity and the shape of a child. The reader of windows asks for those of a known one.
    private func askDrawing(of child: UInt32) {
        if mirror.isKnown(child) { return }
        events.select(unknown: child)
        mirror.ask(.netOpacity, of: child, words: 1) { [unowned self] opacity in
            mirror.edit(child) { $0.isTranslucent = opacity?.isTranslucent ?? false }
        }
        guard let shape = mirror.extensions[.shape] else {
            return mirror.edit(child) { $0.isShaped = false }
        }
        mirror.display.select(shape: shape, of: child)
        mirror.display.ask(mirror.display.shape(shape, of: child)) { [unowned self] reply in
            mirror.edit(child) { $0.isShaped = reply.isShaped }
        }
    }

    /// Follows the input shapes of frames, if the window manager is its own compositor: KWin empties those of windows that
    /// it hides and leaves mapped. Call it once all paths are read.
    func followInput() {
        guard mirror.desktop.screen.isOwnCompositor, mirror.extensions[.shape] != nil else { return }
        for frame in contents.keys
        where mirror.isChild(frame) && mirror.desktop.facts(of: frame)?.takesInput == nil {
            staleInput.insert(frame)
        }
    }

    /// Asks whether a frame takes input. It does if no window in it does: it then has its shape from that window, which
    /// lets clicks through.
    private func askInput(of frame: UInt32) {
        guard let shape = mirror.extensions[.shape] else { return }
        let display = mirror.display
        mirror.edit(frame) { $0.takesInput = true }
        display.select(shape: shape, of: frame)
        display.ask(display.inputShape(shape, of: frame)) { [unowned self] reply in
            guard reply.takesInput == false else { return }
            for window in windows(in: frame) {
                display.ask(display.inputShape(shape, of: window)) { [unowned self] reply in
                    if reply.takesInput == true { mirror.edit(frame) { $0.takesInput = false } }
                }
            }
        }
    }

    func readChildren(_ done: @escaping ([UInt32]) -> Void) {
        let request = mirror.display.tree(mirror.root)
        mirror.display.ask(request) { [unowned self] reply in
            let children = reply.tree?.children ?? []
            mirror.desktop.stacking.replace(with: children)
            hasNewPaths = true
            orderRead = request
            done(children)
        }
    }

    /// Reads the geometry of an unknown child, and whether it is mapped.
    func read(_ child: UInt32, _ found: @escaping (xcb_get_window_attributes_reply_t) -> Void) {
        let display = mirror.display
        markDrawing(of: child)
        display.ask(display.attributes(child)) { [unowned self] reply in
            guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else { return }
            mirror.edit(child) {
                $0.isOverrideRedirect = attributes.override_redirect != 0
                $0.mapState = attributes.mapState
            }
            found(attributes)
        }
        display.ask(display.geometry(child)) { [unowned self] reply in
            guard let geometry = reply.fixed(xcb_get_geometry_reply_t.self) else { return }
            mirror.edit(child) { $0.geometry = Rectangle(outerOf: geometry) }
        }
    }

    func markDrawing(of child: UInt32) {
        if mirror.desktop.stacking.followsCovers && mirror.isChild(child) { undrawn.insert(child) }
    }

    func markInput(of frame: UInt32) {
        if mirror.desktop.facts(of: frame)?.takesInput != nil { staleInput.insert(frame) }
    }

    /// - Parameter geometry: nil if the event does not report it.
    func add(_ window: UInt32, isUnmanaged: Bool, at geometry: Rectangle? = nil, _ event: DisplayEvent) {
        // The server does not list its own windows, such as the overlay of a compositor, as children.
        guard mirror.display.client(of: window) != 0 else { return }
        if isAfterRead(event) {
            mirror.desktop.stacking.add(window)
            noteOrder()
        }
        // A window that was read, and forgotten because its creation is reported only now, has no facts.
        mirror.edit(window) {
            $0.isOverrideRedirect = isUnmanaged
            if let geometry { $0.geometry = geometry }
        }
    }

    func remove(_ window: UInt32, _ event: DisplayEvent) {
        guard isAfterRead(event) else { return }
        mirror.desktop.stacking.remove(window)
        noteOrder()
    }

    /// A child was put into another window.
    func noteFramed(_ window: UInt32, _ event: DisplayEvent) {
        remove(window, event)
        mirror.edit(window) { $0.topLevel = nil }
    }

    /// A window came out of another one. The reader of windows reads a known one.
    func noteUnframed(_ window: UInt32) {
        if mirror.isChild(window) && !mirror.isKnown(window) { unmeasured.insert(window) }
        take(path: [], of: window)
    }

    /// A child was mapped or unmapped.
    func noteMapping(of child: UInt32, isMapped: Bool) {
        noteOrder()
        if isMapped { markDrawing(of: child) }
    }

    /// - Parameter sibling: The sibling below; 0 for none.
    func noteOrder(of child: UInt32, above sibling: UInt32, _ event: DisplayEvent) {
        if isAfterRead(event) { mirror.desktop.stacking.move(child, above: sibling) }
        noteOrder()
    }

    func noteCirculation(of child: UInt32, toTop: Bool, _ event: DisplayEvent) {
        guard isAfterRead(event) else { return }
        if toTop {
            mirror.desktop.stacking.raise(child)
        } else {
            mirror.desktop.stacking.move(child, above: 0)
        }
        noteOrder()
    }

    func noteOrderInFrame(of window: UInt32) {
        if let parent = paths[window]?.first, shared.contains(parent) { unordered.insert(parent) }
    }

    /// The order matters only where it may show that windows are covered, or that the screen is locked.
    private func noteOrder() {
        let session = mirror.desktop.session
        let mayBeLocked = session.isKeyboardGrabbed == true || session.saverSince != nil
        if mirror.desktop.stacking.followsCovers || mayBeLocked { mirror.hasChanged = true }
    }

    /// Returns whether an event is newer than the last read of the order, which includes the older ones.
    private func isAfterRead(_ event: DisplayEvent) -> Bool {
        guard let read = orderRead else { return true }
        guard Int32(bitPattern: event.sequence &- read) >= 0 else { return false }
        orderRead = nil
        return true
    }
}
