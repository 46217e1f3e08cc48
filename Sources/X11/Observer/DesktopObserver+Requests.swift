import CXPipeline
import CXlib
import Scenes

extension DesktopObserver {
    /// The longest client list that is read, in windows.
    private static let listLimit: UInt32 = 131_072
    /// The most states or types of one window that are read.
    private static let atomLimit: UInt32 = 64
    /// WM_CLASS holds two strings with a NUL each. Room for a first one that is longer than what is kept of
    /// it, so that the second one is found all the same.
    private static let classWords = 4 * Text.limitInWords

    /// Adds the reads of all that is stale, in an order in which one answer may judge those before it.
    func addReads(of stale: borrowing Stale, to pass: inout ReadPass) {
        for screen in roots.indices { addReads(of: stale.screens[screen], screen, to: &pass) }
        addReads(of: stale.session, to: &pass)
        for slot in stale.slots { addReads(inSlot: Int(slot), to: &pass) }
        for climb in stale.climbs {
            pass.add(
                Read(
                    fact: .parent, place: climb.slot, generation: climb.generation, window: climb.ancestor))
        }
        addReads(of: stale.found, hasClimbs: !stale.climbs.isEmpty, to: &pass)
        addReads(of: stale.surfaces, to: &pass)
        switch stale.focus {
        case .done, .wanted, .left: break
        case .climbing(_, let ancestor): pass.add(Read(fact: .focusParent, window: ancestor))
        case .pointer(let only):
            for (screen, root) in roots.enumerated() where screen == only ?? screen {
                pass.add(Read(fact: .pointer, place: Int32(screen), window: root))
            }
        }
        askedFocus = stale.focus
        pass.add(Read(fact: .focus))
    }

    private func addReads(of facts: StaleSessionFacts, to pass: inout ReadPass) {
        if facts.isEmpty { return }
        if facts.contains(.savers) {
            for (screen, root) in roots.enumerated() {
                pass.add(Read(fact: .saver, place: Int32(screen), window: root))
            }
        }
        if facts.contains(.power) { pass.add(Read(fact: .power)) }
        if facts.contains(.counters) {
            pass.add(Read(fact: .syncVersion))
            pass.add(Read(fact: .counters))
        }
        if facts.contains(.keyboard) { pass.add(Read(fact: .keyboard, window: roots[0])) }
        if facts.contains(.idle), let idleCounter { pass.add(Read(fact: .idle, window: idleCounter)) }
    }

    private func addReads(of facts: StaleScreenFacts, _ screen: Int, to pass: inout ReadPass) {
        func add(_ fact: Fact, of window: UInt32) {
            pass.add(Read(fact: fact, place: Int32(screen), window: window))
        }
        let root = roots[screen]
        screenNotes[screen].isReadWhole = facts == .all
        if facts.contains(.bounds) {
            add(.bounds, of: root)
            // Servers with several screens have no XINERAMA, or the first one is all of them.
            if screen == 0 && extensions.xinerama != nil { add(.monitors, of: root) }
        }
        if facts.contains(.check) { add(.check, of: root) }
        if facts.contains(.clients) { add(.clients, of: root) }
        if facts.contains(.stacking) { add(.stacking, of: root) }
        if facts.contains(.activeWindow) {
            screenNotes[screen].wasActiveWindowWritten = false
            add(.activeWindow, of: root)
        }
        if facts.contains(.currentDesktop) { add(.currentDesktop, of: root) }
        if facts.contains(.showingDesktop) { add(.showingDesktop, of: root) }
        let session = facts.intersection(wantedFacts)
        if session.contains(.terminal) { add(.terminal, of: root) }
        if session.contains(.saverStatus) { add(.saverStatus, of: root) }
        if facts.contains(.manager) {
            screenNotes[screen].checkWindow = nil
            screenNotes[screen].name = nil
            let check = screenNotes[screen].claimedCheck
            if check != 0 {
                add(.checkOfCheck, of: check)
                add(.checkName, of: check)
            }
        }
        // No event tells of these.
        add(.compositor, of: atoms.compositors[screen])
        add(.selectionOwner, of: atoms.managers[screen])
        add(.manager, of: root)
        if facts.contains(.topLevels) { add(.topLevels, of: root) }
    }

    private func addReads(inSlot slot: Int, to pass: inout ReadPass) {
        let facts = notes[slot].stale
        notes[slot].stale = []
        guard !facts.isEmpty else { return }
        touch(slot)
        // Before the first read, so that whatever changes after it is told.
        askForEvents(slot)
        let window = desktop.windows.facts[slot].id
        func add(_ fact: Fact) {
            pass.add(
                Read(fact: fact, place: Int32(slot), generation: window.generation, window: window.xid))
        }
        if facts.contains(.attributes) { add(.attributes) }
        if facts.contains(.place) {
            add(.geometry)
            // The geometry of a child of the root window says where it is on that.
            if desktop.windows.facts[slot].topLevel != window.xid { add(.position) }
            if desktop.windows.facts[slot].states.contains(.shaded),
                let frame = desktop.windows.facts[slot].topLevel
            {
                pass.add(
                    Read(fact: .frame, place: Int32(slot), generation: window.generation, window: frame))
            }
        }
        if facts.contains(.topLevel) { add(.parent) }
        if facts.contains(.state) { add(.state) }
        if facts.contains(.states) { add(.states) }
        if facts.contains(.desktop) { add(.desktop) }
        if facts.contains(.kind) { add(.kind) }
        if facts.contains(.transientFor) { add(.transientFor) }
        if facts.contains(.names) { add(.classes) }
        if facts.contains(.title) {
            add(.title)
            // After WM_NAME, since it counts before it.
            add(.netTitle)
        }
        if facts.contains(.process) {
            add(.pid)
            add(.machine)
        }
        if facts.contains(.client) { add(.client) }
    }

    /// Puts the request of a read into the buffer, and returns its number.
    func request(_ read: Read) -> UInt32 {
        let connection = display.connection
        func property(_ name: AtomName, _ words: UInt32) -> UInt32 {
            cxp_get_property(connection, read.window, atoms[name], words)
        }
        return switch read.fact {
        case .attributes, .manager, .foundAttributes: cxp_get_attributes(connection, read.window)
        case .geometry, .frame, .bounds, .foundGeometry: cxp_get_geometry(connection, read.window)
        case .monitors: cxp_get_screens(connection, extensions.xinerama ?? 0)
        case .saver: cxp_get_saver(connection, extensions.screenSaver ?? 0, read.window)
        case .power: cxp_get_power(connection, extensions.dpms ?? 0)
        case .syncVersion: cxp_begin_sync(connection, extensions.sync ?? 0)
        case .counters: cxp_get_counters(connection, extensions.sync ?? 0)
        case .keyboard: cxp_try_keyboard(connection, read.window)
        case .idle: cxp_get_counter(connection, extensions.sync ?? 0, read.window)
        case .position: cxp_get_position(connection, read.window, roots[screen(ofSlot: Int(read.place))])
        case .parent, .focusParent, .topLevels, .foundChildren: cxp_get_tree(connection, read.window)
        case .compositor, .selectionOwner: cxp_get_selection_owner(connection, read.window)
        case .focus: cxp_get_focus(connection)
        case .pointer: cxp_get_pointer(connection, read.window)
        case .surfaceAttributes, .surfaceGeometry, .surfaceIsShaped, .surfaceShape, .opacity, .opaqueRegion,
            .frameExtents, .shadowExtents:
            surfaceRequest(read)

        case .state, .foundState: property(.wmState, 2)
        case .states: property(.netState, Self.atomLimit)
        case .desktop: property(.netDesktop, 1)
        case .kind: property(.netType, Self.atomLimit)
        case .transientFor: property(.wmTransientFor, 1)
        case .classes: property(.wmClass, Self.classWords)
        case .title: property(.wmName, Text.limitInWords)
        case .netTitle, .checkName: property(.netName, Text.limitInWords)
        case .pid: property(.netPid, 1)
        case .machine: property(.wmClientMachine, Text.limitInWords)
        case .client: cxp_get_process(connection, extensions.resource ?? 0, read.window)

        case .check, .checkOfCheck: property(.supportingCheck, 1)
        case .clients: property(.clientList, Self.listLimit)
        case .stacking: property(.clientListStacking, Self.listLimit)
        // Some managers write a second item, so the first one counts.
        case .activeWindow: property(.activeWindow, 1)
        case .currentDesktop: property(.currentDesktop, 1)
        case .showingDesktop: property(.showingDesktop, 1)
        // One word more than expected, to recognize a longer property.
        case .terminal: property(.hasTerminal, 2)
        case .saverStatus: property(.saverStatus, 2)
        }
    }

    private func screen(ofSlot slot: Int) -> Int { Int(desktop.windows.facts[slot].screen) }

    /// Asks for those events of a window that its facts depend on and that are not asked for yet.
    func askForEvents(_ slot: Int) {
        let window = desktop.windows.facts[slot]
        var events = PropertyChangeMask | FocusChangeMask
        // The root window tells of its children.
        let hasFrame = window.topLevel != window.id.xid
        if hasFrame { events |= StructureNotifyMask }
        if window.states.contains(.hidden) && !window.states.contains(.shaded) {
            events |= VisibilityChangeMask
        }
        if followsPointer { events |= EnterWindowMask | LeaveWindowMask }
        let mask = UInt32(events)
        guard notes[slot].events != mask else { return }
        // Without the event, the last one is out of date.
        if (notes[slot].events ^ mask) & UInt32(VisibilityChangeMask) != 0 {
            desktop.windows.facts[slot].visibility = nil
        }
        notes[slot].events = mask
        cxp_select(display.connection, window.id.xid, mask)
    }
}
