import Scenes

/// The facts of one window, each of one or more reads.
struct StaleFacts: OptionSet {
    let rawValue: UInt16

    static let attributes = StaleFacts(rawValue: 1 << 0)
    static let place = StaleFacts(rawValue: 1 << 1)
    static let topLevel = StaleFacts(rawValue: 1 << 2)
    static let state = StaleFacts(rawValue: 1 << 3)
    static let states = StaleFacts(rawValue: 1 << 4)
    static let desktop = StaleFacts(rawValue: 1 << 5)
    static let kind = StaleFacts(rawValue: 1 << 6)
    static let transientFor = StaleFacts(rawValue: 1 << 7)
    static let names = StaleFacts(rawValue: 1 << 8)
    static let process = StaleFacts(rawValue: 1 << 9)
    static let title = StaleFacts(rawValue: 1 << 10)
    static let role = StaleFacts(rawValue: 1 << 11)
    /// The process that X-Resource names, where the window does not say its own.
    static let client = StaleFacts(rawValue: 1 << 12)

    /// What mapping, unmapping and reparenting change.
    static let mapping: StaleFacts = [.attributes, .place]
    static let all = StaleFacts(rawValue: (1 << 12) - 1)
    /// What is used of a window that no window manager manages.
    static let lockerCandidate: StaleFacts = [.attributes, .place, .kind, .names, .process, .title]
}

/// The facts of one screen.
struct StaleScreenFacts: OptionSet {
    let rawValue: UInt16

    static let bounds = StaleScreenFacts(rawValue: 1 << 0)
    static let check = StaleScreenFacts(rawValue: 1 << 1)
    static let clients = StaleScreenFacts(rawValue: 1 << 2)
    static let stacking = StaleScreenFacts(rawValue: 1 << 3)
    static let activeWindow = StaleScreenFacts(rawValue: 1 << 4)
    static let currentDesktop = StaleScreenFacts(rawValue: 1 << 5)
    static let showingDesktop = StaleScreenFacts(rawValue: 1 << 6)
    /// What the check window says of itself.
    static let manager = StaleScreenFacts(rawValue: 1 << 7)
    /// The children of the root window, and the clients in them.
    static let topLevels = StaleScreenFacts(rawValue: 1 << 8)
    /// XFree86_has_VT.
    static let terminal = StaleScreenFacts(rawValue: 1 << 9)
    /// _SCREENSAVER_STATUS.
    static let saverStatus = StaleScreenFacts(rawValue: 1 << 10)

    static let all = StaleScreenFacts(rawValue: (1 << 11) - 1)
    /// Stale in each pass, since no event reports it.
    static let always = StaleScreenFacts(rawValue: 1 << 11)
    /// _NET_DESKTOP_NAMES, where places are wanted.
    static let desktopNames = StaleScreenFacts(rawValue: 1 << 12)
    static let session: StaleScreenFacts = [.terminal, .saverStatus]
}

/// The facts of the session.
struct StaleSessionFacts: OptionSet {
    let rawValue: UInt8

    static let savers = StaleSessionFacts(rawValue: 1 << 0)
    static let power = StaleSessionFacts(rawValue: 1 << 1)
    /// Those of SYNC.
    static let counters = StaleSessionFacts(rawValue: 1 << 2)
    static let idle = StaleSessionFacts(rawValue: 1 << 3)
    /// Whether somebody has grabbed the keyboard.
    static let keyboard = StaleSessionFacts(rawValue: 1 << 4)
}

/// What was noted as no longer true and has to be read.
/// It is asked with each event, so that it must not be copied.
struct Stale: ~Copyable {
    /// Slots of windows with stale facts, which stand in `WindowNotes`. Some may be there twice, or have none any longer.
    var slots: [Int32] = []
    /// Of each screen.
    private(set) var screens: [StaleScreenFacts]
    private var hasScreens = false
    /// Windows whose top-level window is looked for, further up than their parents.
    var climbs: [Climb] = []
    /// Windows that may be clients, or frames around them.
    var found: [FoundWindow] = []
    /// Windows that no window manager manages, and that may be frames of clients.
    var lockerCandidates: [LockerCandidate] = []
    var surfaces: [StaleSurface] = []
    /// Atoms whose names are wanted.
    var atoms: [UInt32] = []
    var focus = FocusSearch.done
    var session: StaleSessionFacts = []
    /// The server is to be asked for anything: its answer comes after the events of what it did before.
    var mustAnswer = false
    /// Something happened that only the reads made in every pass can tell: a window manager died, say.
    var mustCheckManager = false

    /// The search for the child of the root window that a window is in.
    struct Climb {
        let slot: Int32
        let generation: UInt32
        /// The window whose parent is asked for.
        let ancestor: UInt32
    }

    /// A window that may belong to a screen locker, or is small and may be a dialog that shows that there is none.
    struct LockerCandidate {
        let window: UInt32
        let screen: Int32
        let isLarge: Bool
    }

    /// What is to be read of a window to tell which windows are covered.
    struct StaleSurface {
        let window: UInt32
        let facts: SurfaceFacts
    }

    /// A window that was found in the search for clients.
    struct FoundWindow {
        let window: UInt32
        let screen: Int32
        /// 1 for a child of the root window.
        let depth: UInt8
        /// It is a child of the root window and no client itself, so that its children may be.
        var isFrame = false
        var isOverrideRedirect = false
        /// No window manager manages it, and its size is asked for.
        var mayBeLocker = false
    }

    /// How far the search for the window with the input focus is.
    enum FocusSearch: Equatable {
        case done
        case wanted
        /// It left a known window. Where it came to is reported next, if that is another one.
        case left
        /// The focus is inside a window that is not known; `at` is its next ancestor to look at.
        case climbing(from: UInt32, at: UInt32)
        /// Keys go to the window under the pointer, on any screen or on one.
        case pointer(screen: Int?)
    }

    init(screenCount: Int) {
        screens = Array(repeating: [], count: screenCount)
    }

    mutating func mark(_ facts: StaleScreenFacts, screen: Int) {
        screens[screen].formUnion(facts)
        hasScreens = true
    }

    var isEmpty: Bool { focus == .done && isNothingButFocus }

    /// Nothing is to be read but the focus, at most.
    var isNothingButFocus: Bool {
        slots.isEmpty && found.isEmpty && lockerCandidates.isEmpty && climbs.isEmpty && surfaces.isEmpty
            && atoms.isEmpty
            && !mustCheckManager && !mustAnswer
            && !hasScreens
            && session.isEmpty
    }
}
