import CXPipeline
import CXlib
import Scenes

/// Reads the facts of windows.
package final class WindowReader {
    /// The facts of one window. Those of a group are read together.
    struct Facts: OptionSet {
        let rawValue: UInt16

        static let attributes = Facts(rawValue: 1 << 0)
        static let place = Facts(rawValue: 1 << 1)
        /// The windows around it.
        static let path = Facts(rawValue: 1 << 2)
        static let state = Facts(rawValue: 1 << 3)
        static let states = Facts(rawValue: 1 << 4)
        static let desktop = Facts(rawValue: 1 << 5)
        static let kind = Facts(rawValue: 1 << 6)
        static let transientFor = Facts(rawValue: 1 << 7)
        static let names = Facts(rawValue: 1 << 8)
        static let process = Facts(rawValue: 1 << 9)
        static let title = Facts(rawValue: 1 << 10)
        static let role = Facts(rawValue: 1 << 11)
        /// Whether an unmanaged window is shaped.
        static let shape = Facts(rawValue: 1 << 12)

        /// The facts that mapping, unmapping and reparenting change.
        static let mapping: Facts = [.attributes, .place]
        static let all = Facts(rawValue: (1 << 12) - 1)
        /// The facts that are used of an unmanaged window.
        static let ofUnmanaged: Facts = [
            .attributes, .place, .path, .shape, .kind, .names, .process, .title,
        ]
    }

    private let mirror: Mirror
    private let tree: WindowTree
    private let places: WindowPlaces
    private let names: WindowNames
    private let events: EventSelection

    /// The withdrawn windows whose WM_STATE was not written since. Some window managers leave it unchanged.
    private var withdrawn: Set<UInt32> = []
    private var stale: [UInt32: Facts] = [:]
    private var lastGeneration: UInt32 = 0

    init(
        _ mirror: Mirror, _ tree: WindowTree, _ places: WindowPlaces, _ names: WindowNames,
        _ events: EventSelection
    ) {
        (self.mirror, self.tree, self.places, self.names, self.events) = (mirror, tree, places, names, events)
    }

    private var windows: WindowTable {
        _read { yield mirror.desktop.windows }
        _modify { yield &mirror.desktop.windows }
    }

    /// Whether facts must be read.
    var isStale: Bool { !stale.isEmpty }

    /// Reads a window that may exist, and follows it from then on if it does.
    func discover(_ window: UInt32) {
        if !mirror.isKnown(window) && window != mirror.root { mark(.all, window) }
    }

    /// Forgets a window that no longer exists, and everything recorded about it.
    func forget(_ window: UInt32) {
        stale[window] = nil
        withdrawn.remove(window)
        places.forget(window)
        tree.forget(window)
        names.forget(window)
        events.forget(window)
        if windows.remove(window) != nil { mirror.hasChanged = true }
    }

    /// Marks facts of a window as stale.
    func mark(_ facts: Facts, _ window: UInt32) { stale[window, default: []].formUnion(facts) }

    /// Marks facts of all windows as stale.
    func markAll(_ facts: Facts = .all) {
        for slot in windows.usedSlots { mark(facts, windows.facts[slot].id.xid) }
    }

    /// Marks facts of a known window as stale, and those of the windows in it if it is a frame.
    func markKnown(_ facts: Facts, _ window: UInt32) {
        if mirror.isKnown(window) { mark(facts, window) }
        for inner in tree.windows(in: window) { mark(facts, inner) }
    }

    /// Asks for the stale facts of one window. Returns false if there are none.
    func askNext() -> Bool {
        guard let (window, facts) = stale.popFirst() else { return false }
        // A dictionary never shrinks: a forged list may have filled it.
        if stale.isEmpty { stale = [:] }
        ask(facts, of: window)
        return true
    }

    private func ask(_ facts: Facts, of window: UInt32) {
        let display = mirror.display
        // Events are selected before the first read, so that later changes are reported.
        events.select(of: window)
        let isUnmanaged = windows.facts(of: window)?.isOverrideRedirect ?? tree.unmanaged.contains(window)
        var facts = isUnmanaged ? facts.intersection(.ofUnmanaged) : facts
        if isUnmanaged && facts.contains(.attributes) { facts.insert(.shape) }
        if !mirror.isKnown(window) { facts.insert([.attributes, .place, .path]) }
        if facts.contains(.attributes) {
            display.ask(display.attributes(window)) { [unowned self] in take(attributes: $0, of: window) }
        }
        if facts.contains(.path) { tree.locate(window) }
        if facts.contains(.place) { places.ask(window) }
        // Later changes of the shape are reported.
        if facts.contains(.shape), let shape = mirror.extensions.shape {
            display.select(shape: shape, of: window)
            ask(display.shape(shape, of: window), window) { $0.windows.facts[$2].isShaped = $1.isShaped }
        }
        for row in Self.properties where facts.contains(row.facts) {
            if row.facts == .title && !names.needsTitle(window) { continue }
            ask(display.property(window, mirror.atoms[row.name], words: row.words), window) {
                row.take($0, $1.property, $2)
            }
        }
        if facts.contains(.process) { names.askProcess(of: window) }
    }

    private func ask(
        _ request: UInt32, _ window: UInt32, _ take: @escaping (WindowReader, Reply, _ slot: Int) -> Void
    ) {
        mirror.display.ask(request) { [unowned self] reply in
            if let slot = windows.slot(of: window) { take(self, reply, slot) }
        }
    }

    private func take(attributes reply: Reply, of window: UInt32) {
        guard let attributes = reply.fixed(xcb_get_window_attributes_reply_t.self) else {
            return forget(window)
        }
        let slot = windows.slot(of: window) ?? add(window)
        let isMapped = Int32(attributes.map_state) != IsUnmapped
        windows.facts[slot].mapState =
            Int32(attributes.map_state) == IsViewable ? .viewable : isMapped ? .unviewable : .unmapped
        windows.facts[slot].isOverrideRedirect = attributes.override_redirect != 0
        windows.facts[slot].isInputOnly = Int32(attributes._class) == InputOnly
        // A client unmaps a window before it reports the withdrawal (ICCCM 4.1.4).
        if isMapped { windows.facts[slot].withdrewItself = false }
        if attributes.override_redirect != 0 { mirror.hasLockers = true }
    }

    private func add(_ window: UInt32) -> Int {
        lastGeneration &+= 1
        var facts = WindowFacts(WindowID(window, generation: lastGeneration))
        facts.client = mirror.display.client(of: window)
        if tree.isChild(window) { facts.topLevel = window }
        mirror.hasNewPaths = true
        return windows.add(facts)
    }
}

/// Properties.
extension WindowReader {
    private typealias Take = @Sendable (WindowReader, Property?, _ slot: Int) -> Void

    /// The maximum number of states or types to read of one window.
    private static let mostAtoms: UInt32 = 64

    /// The properties, each with the maximum length to read, in units of 32 bits.
    private static let properties: [(name: AtomName, facts: Facts, words: UInt32, take: Take)] = [
        (.wmState, .state, 2, { $0.take(state: $1, $2) }),
        (.netState, .states, mostAtoms, { $0.take(states: $1, $2) }),
        (.netDesktop, .desktop, 1, { $0.windows.facts[$2].desktop = $1?.word(UInt32(XA_CARDINAL)) }),
        (.netType, .kind, mostAtoms, { $0.take(types: $1, $2) }),
        (
            .wmTransientFor, .transientFor, 1,
            { $0.windows.facts[$2].transientFor = $1?.word(UInt32(XA_WINDOW)) }
        ),
        (.wmClass, .names, WindowNames.classWords, { $0.take(class: $1, $2) }),
        (.wmWindowRole, .role, Text.limitInWords, { $0.names.take(role: $1, $2) }),
        (.wmName, .title, Text.limitInWords, { $0.names.take(title: $1, $2) }),
        // After WM_NAME, which it overrides.
        (.netName, .title, Text.limitInWords, { $0.names.take(netTitle: $1, $2) }),
    ]

    /// Marks the facts as stale that a property of a known window holds.
    func note(property: UInt32, of window: UInt32, isSent: Bool) {
        guard mirror.isKnown(window), let name = mirror.atoms.name(of: property) else { return }
        switch name {
        case .netPid, .wmClientMachine: mark(.process, window)
        case .wmName, .netName: names.noteTitle(of: window)
        default:
            guard let row = Self.properties.first(where: { $0.name == name }) else { return }
            if row.facts == .state && !isSent { withdrawn.remove(window) }
            mark(row.facts, window)
        }
    }

    /// Marks the titles that have changed as stale.
    package func readTitles() {
        for window in names.takeRetitled() { mark(.title, window) }
    }

    private func take(class property: Property?, _ slot: Int) {
        names.take(class: property, slot)
        let window = windows.facts[slot].id.xid
        if !mirror.wants.titles && names.needsTitle(window) { mark(.title, window) }
    }

    private func take(state property: Property?, _ slot: Int) {
        let state = property?.word(mirror.atoms[.wmState]).flatMap { WindowFacts.ManagedState(rawValue: $0) }
        windows.facts[slot].state = state
        guard state == .normal || state == .iconic else { return }
        windows.facts[slot].wasManaged = true
        // The window may be managed now. Then it gets the keys while the pointer is in its frame.
        if case .underPointer = mirror.desktop.inputFocus { mirror.hasNewPaths = true }
        if !withdrawn.contains(windows.facts[slot].id.xid) { windows.facts[slot].withdrewItself = false }
    }

    /// Combines numbers: the operations that an option set of another module inherits are not specialized here, and
    /// cost a hundred times as much.
    private func take(states property: Property?, _ slot: Int) {
        typealias States = WindowFacts.States
        var states: UInt8 = 0
        for atom in property?.words(UInt32(XA_ATOM)) ?? [] {
            switch mirror.atoms.name(of: atom) {
            case .stateHidden: states |= States.hidden.rawValue
            case .stateShaded: states |= States.shaded.rawValue
            case .stateSticky: states |= States.sticky.rawValue
            case .stateFullscreen: states |= States.fullscreen.rawValue
            case .stateMaximizedVertically: states |= States.maximizedVertically.rawValue
            case .stateMaximizedHorizontally: states |= States.maximizedHorizontally.rawValue
            default: break
            }
        }
        let wasShaded = windows.facts[slot].states.contains(.shaded)
        windows.facts[slot].states = States(rawValue: states)
        if wasShaded != windows.facts[slot].states.contains(.shaded) { windows.facts[slot].visibility = nil }
    }

    /// Clients list types by preference, and the first known one counts.
    private func take(types property: Property?, _ slot: Int) {
        let types = property?.words(UInt32(XA_ATOM)) ?? []
        let kind = types.lazy.compactMap { [mirror] in mirror.atoms.name(of: $0)?.kind }.first ?? .application
        let isDialog =
            types.first == mirror.atoms[.typeDialog] && windows.facts[slot].isOverrideRedirect
        windows.facts[slot].kind = isDialog ? .unmanagedDialog : kind
    }
}

extension AtomName {
    /// The kind of windows of this type; nil if it is no known type.
    fileprivate var kind: WindowFacts.Kind? {
        switch self {
        case .typeNormal, .typeDialog, .typeUtility, .typeToolbar: .application
        case .typeDesktop: .desktop
        case .typeDock, .typeSplash, .typeTooltip, .typeNotification, .typeMenu, .typeDropdownMenu,
            .typePopupMenu, .typeCombo, .typeDnd:
            .accessory
        default: nil
        }
    }
}

/// Events.
extension WindowReader {
    /// Updates the facts from an event that the server reports. Must come before the tree is updated.
    func note(_ event: DisplayEvent) {
        let window = event.window
        switch event.kind {
        case .created(let parent, _, let isUnmanaged):
            // The ID of a window whose destruction was not reported may be reused.
            forget(window)
            if parent == mirror.root && !isUnmanaged { discover(window) }
        case .destroyed: forget(window)
        case .mapped(let parent, let isUnmanaged):
            if !isUnmanaged { adopt(window, on: parent) }
            mirror.edit(window) {
                $0.withdrewItself = false
                $0.isOverrideRedirect = isUnmanaged
            }
            if isUnmanaged, windows.facts(of: window).map({ $0.isShaped == nil }) ?? false {
                mark(.shape, window)
            }
            note(.viewable, of: window)
        case .unmapped: note(.unmapped, of: window)
        case .reparented(let parent, let isUnmanaged):
            if !isUnmanaged { adopt(window, on: parent) }
            markKnown(parent == mirror.root ? .mapping : [.mapping, .path], window)
        case .configured(let parent, let place, _, _, _) where parent == mirror.root:
            if !places.note(place, of: window, event) { markKnown(.place, window) }
        case .configured, .moved: markKnown(.place, window)
        case .shape where windows.facts(of: window)?.isOverrideRedirect == true: mark(.shape, window)
        default: break
        }
    }

    /// Adopts a child of the root window that is not override-redirect. Reads all facts of a known window that was
    /// override-redirect before.
    private func adopt(_ window: UInt32, on parent: UInt32) {
        guard let facts = windows.facts(of: window) else {
            if parent == mirror.root { discover(window) }
            return
        }
        guard facts.isOverrideRedirect else { return }
        mirror.edit(window) { $0.isOverrideRedirect = false }
        mark(.all, window)
    }

    /// Records that a window was mapped or unmapped. For a child of the root window that is not a frame, the event is
    /// enough. Whether any other window is viewable depends on the windows around it, and is read.
    private func note(_ state: WindowFacts.MapState, of window: UInt32) {
        guard tree.isPlainChild(window) else { return markKnown(.mapping, window) }
        mirror.edit(window) { $0.mapState = state }
    }

    /// A client withdraws a window by sending UnmapNotify to the root window (ICCCM 4.1.4), after unmapping it. The map
    /// state is read. Window managers send UnmapNotify to the client itself when they hide a window.
    func noteWithdrawal(of window: UInt32, on parent: UInt32) {
        if parent == mirror.root && mirror.isKnown(window) {
            withdrawn.insert(window)
            mirror.edit(window) { $0.withdrewItself = true }
        }
        markKnown(.mapping, window)
    }
}
