import CXPipeline
import CXlib
import Scenes

/// Reads the facts of windows. An event makes a window stale, which is then read whole.
package final class WindowReader {
    /// The parts of a window that are read by themselves.
    struct Facts: OptionSet {
        let rawValue: UInt8

        /// All but the others.
        static let own = Facts(rawValue: 1)
        /// The windows around it.
        static let path = Facts(rawValue: 2)
        static let title = Facts(rawValue: 4)
        /// Nothing to read: only its events are to be selected.
        static let selection = Facts(rawValue: 8)
        static let all: Facts = [.own, .path, .title]
    }

    private let mirror: Mirror
    private let events: EventSelection
    private let tree: WindowTree
    private let names: WindowNames

    /// The withdrawn windows whose WM_STATE was not written since. Some window managers leave it unchanged.
    private var withdrawn: Set<UInt32> = []
    /// The windows that were put into a frame since their WM_STATE was read.
    private var framed: Set<UInt32> = []
    /// The windows whose titles have changed.
    private var retitled: Set<UInt32> = []
    /// The known windows with stale facts.
    private var stale: [UInt32: Facts] = [:]
    /// The windows that are not known yet.
    private var found: Set<UInt32> = []
    /// How many of these the present reading may still read.
    var room = Int.max
    private var lastGeneration: UInt32 = 0

    init(_ mirror: Mirror, _ events: EventSelection, _ tree: WindowTree, _ names: WindowNames) {
        (self.mirror, self.events, self.tree, self.names) = (mirror, events, tree, names)
    }

    private var windows: WindowTable {
        _read { yield mirror.desktop.windows }
        _modify { yield &mirror.desktop.windows }
    }

    /// Whether facts must be read.
    var isStale: Bool { !stale.isEmpty || !found.isEmpty }

    /// Whether `askNext` has facts to ask for.
    var isAsking: Bool { !stale.isEmpty || room > 0 && !found.isEmpty }

    /// Reads a window, and follows it from then on if it exists.
    package func discover(_ window: UInt32) {
        if !mirror.isKnown(window) && window != mirror.root { found.insert(window) }
    }

    func forget(_ window: UInt32) {
        stale[window] = nil
        found.remove(window)
        retitled.remove(window)
        withdrawn.remove(window)
        framed.remove(window)
        tree.forget(window)
        names.forget(window)
        if windows.remove(window) != nil { mirror.hasChanged = true }
    }

    func mark(_ facts: Facts, _ window: UInt32) { stale[window, default: []].formUnion(facts) }

    func markAll(_ facts: Facts = .all) {
        for slot in windows.usedSlots { mark(facts, windows.facts[slot].id.xid) }
    }

    /// Whether titles have changed that `readTitles` would read. Clients may write them at any rate, so the caller, which
    /// has a clock, decides when to read them.
    package var hasNewTitles: Bool { !retitled.isEmpty }

    package func readTitles() {
        for window in retitled { mark(.title, window) }
        retitled = []
    }

    /// Marks facts of a known window as stale, and those of the windows in it if it is a frame.
    func markKnown(_ window: UInt32, _ facts: Facts = .own) {
        if mirror.isKnown(window) { mark(facts, window) }
        markContents(of: window, facts)
    }

    private func markContents(of frame: UInt32, _ facts: Facts = .own) {
        for inner in tree.windows(in: frame) { mark(facts, inner) }
    }

    /// Asks for the stale facts of one window. Returns false if there are none.
    func askNext() -> Bool {
        if let (window, facts) = stale.popFirst() {
            ask(facts, of: window)
            return true
        }
        guard room > 0, let window = found.popFirst() else { return false }
        room -= 1
        // A set never shrinks: a forged list may have filled it.
        if found.isEmpty { found = [] }
        ask(.all, of: window)
        return true
    }

    private func ask(_ facts: Facts, of window: UInt32) {
        let display = mirror.display
        let isUnmanaged = mirror.isUnmanaged(window)
        if facts.contains(.own) {
            // Events are selected before the first read, so that later changes are reported.
            events.select(window)
            if !mirror.isKnown(window) { events.unanswered.insert(window) }
            display.ask(display.attributes(window)) { [unowned self] in take(attributes: $0, of: window) }
        }
        if facts.contains(.selection) && !facts.contains(.own) {
            events.select(window)
            // The reply bounds what is sent.
            display.ask(display.focus()) { _ in }
        }
        if facts.contains(.path) { tree.locate(window) }
        if facts.contains(.own) {
            askGeometry(of: window)
            // Later changes of the shape are reported.
            if isUnmanaged || followsCovers, let shape = mirror.extensions[.shape] {
                display.select(shape: shape, of: window)
                ask(display.shape(shape, of: window), window) { $0.windows.facts[$2].isShaped = $1.isShaped }
            }
        }
        for row in Self.properties where facts.contains(row.facts) {
            if isUnmanaged && !row.isOfUnmanaged {
                // They may be left from a time when the window was managed.
                if let slot = windows.slot(of: window) { row.take(self, nil, slot) }
                continue
            }
            if row.facts == .title && !names.needsTitle(window) { continue }
            if Self.ofCovers.contains(row.name) && !followsCovers { continue }
            ask(display.property(window, mirror.atoms[row.name], words: row.words), window) {
                row.take($0, $1.property, $2)
            }
        }
        if facts.contains(.own) { names.askProcess(of: window) }
    }

    /// Selects crossing events of all windows, once the pointer matters.
    func followPointer() {
        events.includesPointer = true
        markAll(.selection)
    }

    private func ask(
        _ request: UInt32, _ window: UInt32, _ take: @escaping (WindowReader, Reply, _ slot: Int) -> Void
    ) {
        mirror.display.ask(request) { [unowned self] reply in
            if let slot = windows.slot(of: window) { take(self, reply, slot) }
        }
    }

    private func take(attributes reply: Reply, of window: UInt32) {
        events.unanswered.remove(window)
        guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else {
            return forget(window)
        }
        let slot = windows.slot(of: window) ?? add(window)
        windows.facts[slot].mapState = attributes.mapState
        windows.facts[slot].isOverrideRedirect = attributes.override_redirect != 0
        windows.facts[slot].isInputOnly = Int32(attributes._class) == InputOnly
        // A client unmaps a window before it reports the withdrawal (ICCCM 4.1.4).
        if attributes.mapState != .unmapped { windows.facts[slot].withdrewItself = false }
    }

    /// Asks for the area of a window with its border.
    private func askGeometry(of window: UInt32) {
        let (display, isChild) = (mirror.display, mirror.isChild(window))
        var size: xcb_get_geometry_reply_t?
        ask(display.geometry(window), window) {
            size = $1.fixed(xcb_get_geometry_reply_t.self)
            guard let size else { return }
            $0.windows.facts[$2].depth = size.depth
            if isChild { $0.windows.facts[$2].geometry = Rectangle(outerOf: size) }
        }
        // The geometry of a child of the root window already gives its position there.
        if isChild { return }
        ask(display.position(window), window) {
            guard let size, let corner = $1.fixed(xcb_translate_coordinates_reply_t.self) else { return }
            $0.windows.facts[$2].geometry = Rectangle(outerOf: size, at: corner)
        }
    }

    private var followsCovers: Bool { mirror.desktop.stacking.followsCovers }

    private func add(_ window: UInt32) -> Int {
        lastGeneration &+= 1
        var facts = WindowFacts(WindowID(window, generation: lastGeneration))
        facts.client = mirror.display.client(of: window)
        if mirror.extensions[.shape] == nil { facts.isShaped = false }
        if mirror.isChild(window) { facts.topLevel = window }
        tree.hasNewPaths = true
        mirror.desktop.stacking[window] = nil
        return windows.add(facts)
    }
}

/// Properties.
extension WindowReader {
    private typealias Take = @Sendable (WindowReader, Property?, _ slot: Int) -> Void

    /// The maximum number of states or types to read of one window.
    private static let mostAtoms: UInt32 = 64

    /// The properties that matter only while covers are followed.
    private static let ofCovers: Set<AtomName> = [.netOpacity, .netFrameExtents]

    /// The properties, each with the maximum length to read, in units of 32 bits.
    private static let properties:
        [(name: AtomName, facts: Facts, isOfUnmanaged: Bool, words: UInt32, take: Take)] = [
            (.wmState, .own, false, 2, { $0.take(state: $1, $2) }),
            (.netState, .own, false, mostAtoms, { $0.windows.facts[$2].states = $0.mirror.atoms.states($1) }),
            (.netDesktop, .own, false, 1, { $0.windows.facts[$2].desktop = $1?.word(UInt32(XA_CARDINAL)) }),
            (
                .netType, .own, true, mostAtoms,
                { $0.windows.facts[$2].kind = $0.mirror.atoms.kind($1, of: $0.windows.facts[$2]) }
            ),
            (
                .wmTransientFor, .own, true, 1,
                { $0.windows.facts[$2].transientFor = $1?.word(UInt32(XA_WINDOW)) }
            ),
            (.netOpacity, .own, true, 1, { $0.windows.facts[$2].isTranslucent = $1?.isTranslucent ?? false }),
            (.netFrameExtents, .own, false, 4, { $0.windows.facts[$2].frameExtents = $1?.frameExtents }),
            (.wmClass, .own, true, WindowNames.classWords, { $0.take(class: $1, $2) }),
            (.wmWindowRole, .own, false, Text.limitInWords, { $0.names.take(role: $1, $2) }),
            (.wmName, .title, true, Text.limitInWords, { $0.names.take(title: $1, $2) }),
            // After WM_NAME, which it overrides.
            (.netName, .title, true, Text.limitInWords, { $0.names.take(netTitle: $1, $2) }),
        ]

    /// Marks the facts as stale that a property of a known window holds.
    func note(property: UInt32, of window: UInt32, isSent: Bool) {
        guard let name = mirror.atoms.name(of: property) else { return }
        if name == .wmClass { markLed(by: window) }
        guard mirror.isKnown(window) else { return }
        switch name {
        case .wmName, .netName: if names.needsTitle(window) { retitled.insert(window) }
        case _ where Self.ofCovers.contains(name) && !followsCovers: break
        case .netPid, .wmClientMachine: mark(.own, window)
        case .wmHints: if names.needsLeader(window) { mark(.own, window) }
        default:
            if !Self.properties.contains(where: { $0.name == name }) { return }
            if name == .wmState && !isSent { withdrawn.remove(window) }
            mark(.own, window)
        }
    }

    private func markLed(by leader: UInt32) {
        for window in names.windows(ledBy: leader) { mark(.own, window) }
    }

    private func take(class property: Property?, _ slot: Int) {
        names.take(class: property, slot)
        let window = windows.facts[slot].id.xid
        if !mirror.details.readTitles && names.needsTitle(window) { mark(.title, window) }
    }

    private func take(state property: Property?, _ slot: Int) {
        let state = property?.word(mirror.atoms[.wmState]).flatMap { WindowFacts.ManagedState(rawValue: $0) }
        let (former, mapState) = (windows.facts[slot].state, windows.facts[slot].mapState)
        let isFramedAnew = framed.remove(windows.facts[slot].id.xid) != nil
        // lwm keeps the frame of a window that its program unmaps. i3 reports the windows that it hides as withdrawn, but
        // hides them by their frames, also those that it puts into a frame while it hides them.
        if state == .withdrawn && mapState == .unmapped && (former == .normal || former == .iconic)
            && !isFramedAnew
        {
            windows.facts[slot].withdrewItself = true
        }
        windows.facts[slot].state = state
        guard state == .normal || state == .iconic else { return }
        windows.facts[slot].wasManaged = true
        // The window may be managed now. Then it gets the keys while the pointer is in its frame.
        if case .underPointer = mirror.desktop.inputFocus { tree.hasNewPaths = true }
        if !withdrawn.contains(windows.facts[slot].id.xid) { windows.facts[slot].withdrewItself = false }
    }
}

/// Events.
extension WindowReader {
    /// Records whether a window is override-redirect. Discovers a child of the root window that is not, and reads a known
    /// window that no longer is.
    func note(_ window: UInt32, isUnmanaged: Bool, on parent: UInt32) {
        if let facts = windows.facts(of: window) {
            if facts.isOverrideRedirect && !isUnmanaged { mark(.all, window) }
            if isUnmanaged && facts.isShaped == nil { mark(.own, window) }
        } else if !isUnmanaged && parent == mirror.root {
            discover(window)
        }
        mirror.edit(window) { $0.isOverrideRedirect = isUnmanaged }
    }

    func noteEnd(of window: UInt32) {
        forget(window)
        markLed(by: window)
    }

    /// A window was mapped or unmapped. For a child of the root window, the event is enough. Whether any other window is
    /// viewable depends on the windows around it.
    func note(_ window: UInt32, isMapped: Bool) {
        if isMapped { mirror.edit(window) { $0.withdrewItself = false } }
        guard mirror.isChild(window) else { return markKnown(window) }
        mirror.edit(window) { $0.mapState = isMapped ? .viewable : .unmapped }
        markContents(of: window)
    }

    /// A window was put into another one.
    func noteFramed(_ window: UInt32) {
        markKnown(window, [.own, .path])
        if mirror.isKnown(window) { framed.insert(window) }
        mirror.edit(window) { $0.withdrewItself = false }
        // The root window no longer reports its end.
        markLed(by: window)
    }

    /// A child of the root window has moved, or only its order has changed.
    func noteMove(ofChild window: UInt32, to geometry: Rectangle) {
        if mirror.desktop.facts(of: window)?.geometry != geometry { markContents(of: window) }
        mirror.edit(window) { $0.geometry = geometry }
    }

    func noteShape(of window: UInt32) {
        if let facts = windows.facts(of: window), facts.isOverrideRedirect || followsCovers {
            mark(.own, window)
        }
    }

    /// A client withdraws a window by sending UnmapNotify to the root window (ICCCM 4.1.4), after unmapping it. The map
    /// state is read. Window managers send UnmapNotify to the client itself when they hide a window.
    func noteWithdrawal(of window: UInt32, on parent: UInt32) {
        if parent == mirror.root && mirror.isKnown(window) {
            withdrawn.insert(window)
            mirror.edit(window) { $0.withdrewItself = true }
        }
        markKnown(window)
    }
}
