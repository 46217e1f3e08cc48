import CXPipeline
import CXlib
import Scenes

/// The facts of a window in a slot, ordered so that a reply can build on those before it.
extension StaleFacts {
    private typealias Row = FactRow<StaleFacts>

    /// The maximum number of states or types to read of one window.
    private static let mostAtoms: UInt32 = 64
    /// WM_CLASS holds two NUL-terminated strings. This leaves room for a first one beyond the stored length, so that
    /// the second one is found.
    private static let classWords = 4 * Text.limitInWords
    private static let hintWords: UInt32 = 9

    static let table: [FactRow<StaleFacts>] = [
        Row(.attributes, by: cxp_get_attributes) { $0.absorbAttributes($1, $2.slot) },
        Row(.place, by: cxp_get_geometry) { $0.absorbGeometry($1, $2.slot) },
        // The geometry of a child of the root window already gives its position there.
        Row(
            .place, of: { $0.isChildOfRoot($1.slot) ? nil : $1.window },
            { cxp_get_position($0.display.connection, $1.window, $0.root(ofSlot: $1.slot)) },
            absorb: { $0.absorbPosition($1, $2.slot) }),
        Row(
            .place, of: { $0.shadedFrame($1.slot) }, by: cxp_get_geometry,
            absorb: { $0.absorbFrame($1, $2.slot) }),
        // Later changes of the shape are reported.
        Row(
            .shape, of: { $0.extensions.shape == nil ? nil : $1.window },
            {
                cxp_select_shape($0.display.connection, $0.extensions.shape ?? 0, $1.window)
                return cxp_get_shape_extents($0.display.connection, $0.extensions.shape ?? 0, $1.window)
            }, absorb: { $0.desktop.windows.facts[$2.slot].isShaped = $1.isShaped }),
        Row(.topLevel, .parent),
        Row(.state, .wmState, 2) { $0.absorbState($1.property, $2.slot) },
        Row(.states, .netState, mostAtoms) { $0.absorbStates($1.property, $2.slot) },
        Row(.desktop, .netDesktop, 1) {
            $0.desktop.windows.facts[$2.slot].desktop = $1.property?.word(UInt32(XA_CARDINAL))
        },
        Row(.kind, .netType, mostAtoms) { $0.absorbKind($1.property, $2.slot) },
        Row(.transientFor, .wmTransientFor, 1) {
            $0.desktop.windows.facts[$2.slot].transientFor = $1.property?.word(UInt32(XA_WINDOW))
        },
        Row(.names, .wmClass, classWords) { $0.absorbClasses($1.property, $2.slot) },
        Row(
            .leader,
            Fact(property: .wmHints, hintWords) { this, reply, read in
                guard let words = reply.property?.words(this.atoms[.wmHints]), words.count == hintWords,
                    words[0] & UInt32(WindowGroupHint) != 0
                else { return }
                this.known.notes[read.slot].leader = words[8]
                this.mark(.leaderClass, read.slot)
            }),
        Row(
            .leaderClass, of: { $0.known.notes[$1.slot].leader },
            Fact(property: .wmClass, classWords) { $0.nameByOwner($2.slot, $0.names($1.property).name) }),
        Row(.role, .wmWindowRole, Text.limitInWords) { $0.absorbRole($1.property, $2.slot) },
        Row(.title, .wmName, Text.limitInWords) { $0.absorbTitle($1.property, $2.slot) },
        // After WM_NAME, which it overrides.
        Row(.title, .netName, Text.limitInWords) { $0.absorbNetTitle($1.property, $2.slot) },
        Row(
            .process, of: { $0.extensions.resource == nil ? nil : $1.window },
            { cxp_get_process($0.display.connection, $0.extensions.resource ?? 0, $1.window) },
            absorb: { $0.known.notes[$2.slot].ownerPid = max(0, $1.process ?? 0) }),
        Row(.process, .netPid, 1) {
            let pid = $1.property?.word(UInt32(XA_CARDINAL)).flatMap { Int32(exactly: $0) }
            $0.known.notes[$2.slot].claimedPid = max(0, pid ?? 0)
        },
        // After the other two, which it decides between.
        Row(.process, .wmClientMachine, Text.limitInWords) { $0.absorbMachine($1.property, $2.slot) },
    ]
}

/// The facts of a screen, mostly of its root window.
extension StaleScreenFacts {
    private typealias Row = FactRow<StaleScreenFacts>

    /// The maximum number of windows to read of a client list.
    private static let mostClients: UInt32 = 131_072

    static let table: [FactRow<StaleScreenFacts>] = [
        Row(.bounds, by: cxp_get_geometry) { $0.absorbBounds($1, screen: $2.screen) },
        // A server with several screens has no XINERAMA, or its first screen spans all of them.
        Row(
            .bounds, of: { $1.screen == 0 && $0.extensions.xinerama != nil ? $1.window : nil },
            { this, _ in cxp_get_screens(this.display.connection, this.extensions.xinerama ?? 0) },
            absorb: { $0.absorbMonitors($1, screen: $2.screen) }),
        Row(
            .bounds, of: { $0.wants.places && $0.extensions.randr != nil ? $1.window : nil },
            { cxp_get_monitors($0.display.connection, $0.extensions.randr ?? 0, $1.window) },
            absorb: { $0.absorbNamedMonitors($1, screen: $2.screen) }),
        Row(.desktopNames, .desktopNames, mostClients) {
            $0.absorbDesktopNames($1.property, screen: $2.screen)
        },
        Row(.check, .supportingCheck, 1) {
            $0.screenNotes[$2.screen].claimedCheck = $1.property?.word(UInt32(XA_WINDOW)) ?? 0
            $0.stale.mark(.manager, screen: $2.screen)
        },
        Row(.clients, .clientList, mostClients) {
            $0.absorbClients($1.property?.words(UInt32(XA_WINDOW)), screen: $2.screen)
        },
        Row(.stacking, .clientListStacking, mostClients) { this, reply, _ in
            this.desktop.screen.stacking = reply.property?.words(UInt32(XA_WINDOW)) ?? []
        },
        // Some managers write a second item, so the first one counts.
        Row(.activeWindow, .activeWindow, 1) {
            let isStale = $0.screenNotes[$2.screen].isActiveWindowStale
            let active = $1.property?.word(UInt32(XA_WINDOW))
            $0.desktop.screen.activeWindow = isStale ? nil : active
        },
        Row(.currentDesktop, .currentDesktop, 1) { this, reply, _ in
            this.desktop.screen.currentDesktop = reply.property?.word(UInt32(XA_CARDINAL))
        },
        Row(.showingDesktop, .showingDesktop, 1) {
            let isShown = $1.property?.word(UInt32(XA_CARDINAL)) == 1
            $0.noteShowingDesktop(isShown, screen: $2.screen)
        },
        // One word more than expected, to recognize a longer property.
        Row(.terminal, .hasTerminal, 2) { $0.absorbTerminal($1.property, screen: $2.screen) },
        Row(.saverStatus, .saverStatus, 2) { $0.absorbSaverStatus($1.property, screen: $2.screen) },
        // The check window must name itself: the property on the root window outlives it, and IDs are reused.
        Row(
            .manager, of: { $0.claimedCheck($1.screen) },
            Fact(property: .supportingCheck, 1) {
                let named = $1.property?.word(UInt32(XA_WINDOW))
                if named == $2.window { $0.screenNotes[$2.screen].checkWindow = named }
            }),
        Row(
            .manager, of: { $0.claimedCheck($1.screen) },
            Fact(property: .netName, Text.limitInWords) {
                let name = $1.property?.text($0.atoms[.utf8String], or: UInt32(XA_STRING))
                $0.screenNotes[$2.screen].name = name.flatMap { Text.decode(Text.split($0).first).nonEmpty }
            }),
        // No event reports these.
        Row(
            .always, of: { observer, _ in observer.atoms.compositor }, by: cxp_get_selection_owner,
            absorb: {
                $0.noteCompositor($1.selectionOwner, screen: $2.screen)
            }),
        Row(
            .always, of: { observer, _ in observer.atoms.manager }, by: cxp_get_selection_owner,
            absorb: { this, reply, _ in
                this.desktop.screen.selectionOwner = reply.selectionOwner
            }),
        Row(.always, by: cxp_get_attributes) { $0.absorbManager($1, screen: $2.screen) },
        Row(.topLevels, by: cxp_get_tree) { $0.absorbTopLevels($1, of: $2, screen: $2.screen) },
    ]
}

/// The facts of a window that may cover others, or be covered.
extension SurfaceFacts {
    static let table: [FactRow<SurfaceFacts>] = [
        FactRow(.attributes, by: cxp_get_attributes) { $0.absorbSurfaceAttributes($1, $2.window) },
        FactRow(.geometry, by: cxp_get_geometry) { $0.absorbSurfaceGeometry($1, $2.window) },
        FactRow(.isShaped) {
            cxp_get_shape_extents($0.display.connection, $0.extensions.shape ?? 0, $1.window)
        } absorb: { this, reply, read in
            this.edit(surface: read.window) { $0.isShaped = reply.isShaped ?? true }
        },
        FactRow(.opacity, .netOpacity, 1) { this, reply, read in
            let opacity = reply.property?.word(UInt32(XA_CARDINAL)) ?? .max
            this.edit(surface: read.window) { $0.isTranslucent = opacity != .max }
        },
    ]
}

/// The facts outside the tables: of the session, the focus, and windows that may be clients.
extension Fact {
    /// The parent of a window, or of one of its ancestors.
    static let parent = Fact(by: cxp_get_tree) { $0.absorbParent($1, of: $2) }

    static let saver = Fact {
        cxp_get_saver($0.display.connection, $0.extensions.screenSaver ?? 0, $1.window)
    } absorb: {
        $0.absorbSaver($1, screen: $2.screen)
    }
    static let power = Fact { this, _ in
        cxp_get_power(this.display.connection, this.extensions.dpms ?? 0)
    } absorb: { this, reply, _ in
        this.absorbPower(reply)
    }
    /// The request that SYNC requires first.
    static let syncVersion = Fact { this, _ in
        cxp_begin_sync(this.display.connection, this.extensions.sync ?? 0)
    } absorb: { _, _, _ in
    }
    static let counters = Fact { this, _ in
        cxp_get_counters(this.display.connection, this.extensions.sync ?? 0)
    } absorb: { this, reply, _ in
        this.absorbCounters(reply)
    }
    static let idle = Fact {
        cxp_get_counter($0.display.connection, $0.extensions.sync ?? 0, $1.window)
    } absorb: { this, reply, _ in
        this.absorbIdle(reply)
    }
    static let atomName = Fact(by: cxp_get_atom_name) { $0.absorbAtomName($1, of: $2.window) }
    /// Whether a client has grabbed the keyboard.
    static let keyboard = Fact(by: cxp_try_keyboard) { this, reply, _ in this.absorbKeyboard(reply) }

    static let foundAttributes = Fact(by: cxp_get_attributes) { $0.absorbFoundAttributes($1, of: $2) }
    static let foundState = Fact(property: .wmState, 2) { $0.absorbFoundState($1.property, of: $2) }
    static let foundChildren = Fact(by: cxp_get_tree) { $0.absorbFoundChildren($1, of: $2) }
    static let foundGeometry = Fact(by: cxp_get_geometry) { $0.absorbLockerCandidate($1, of: $2) }

    static let focus = Fact { this, _ in
        cxp_get_focus(this.display.connection)
    } absorb: { this, reply, _ in
        this.absorbFocus(reply)
    }
    /// The parent of a window that contains the focus.
    static let focusParent = Fact(by: cxp_get_tree) { this, reply, _ in this.absorbParentOfFocus(reply) }
    /// The child of a root window under the pointer.
    static let pointer = Fact(by: cxp_get_pointer) { $0.absorbPointer($1, of: $2) }
}
