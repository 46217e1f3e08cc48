import Scenes

/// The facts of one window. Each takes one or more reads.
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
    /// Whether an unmanaged window is shaped.
    static let shape = StaleFacts(rawValue: 1 << 12)
    /// The group leader of a window without a class, and then its class.
    static let leader = StaleFacts(rawValue: 1 << 13)
    static let leaderClass = StaleFacts(rawValue: 1 << 14)

    /// The facts that mapping, unmapping and reparenting change.
    static let mapping: StaleFacts = [.attributes, .place]
    static let all = StaleFacts(rawValue: (1 << 12) - 1)
    /// The facts that are used of an unmanaged window.
    static let lockerCandidate: StaleFacts = [.attributes, .place, .shape, .kind, .names, .process, .title]
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
    /// The properties of the check window.
    static let manager = StaleScreenFacts(rawValue: 1 << 7)
    /// The children of the root window, and the clients in them.
    static let topLevels = StaleScreenFacts(rawValue: 1 << 8)
    /// XFree86_has_VT.
    static let terminal = StaleScreenFacts(rawValue: 1 << 9)
    /// _SCREENSAVER_STATUS.
    static let saverStatus = StaleScreenFacts(rawValue: 1 << 10)

    static let all = StaleScreenFacts(rawValue: (1 << 11) - 1)
    /// Facts that are read in each pass, since no event reports them.
    static let always = StaleScreenFacts(rawValue: 1 << 11)
    /// _NET_DESKTOP_NAMES, if places are wanted.
    static let desktopNames = StaleScreenFacts(rawValue: 1 << 12)
    static let session: StaleScreenFacts = [.terminal, .saverStatus]
}

/// The facts of the session.
struct StaleSessionFacts: OptionSet {
    let rawValue: UInt8

    static let savers = StaleSessionFacts(rawValue: 1 << 0)
    static let power = StaleSessionFacts(rawValue: 1 << 1)
    /// The counters of SYNC.
    static let counters = StaleSessionFacts(rawValue: 1 << 2)
    static let idle = StaleSessionFacts(rawValue: 1 << 3)
    /// Whether a client has grabbed the keyboard.
    static let keyboard = StaleSessionFacts(rawValue: 1 << 4)
}

/// The stale facts, which must be read. Each event accesses this, so it must not be copied.
struct Stale: ~Copyable {
    /// The slots of windows with stale facts, which `WindowNotes` holds. A slot may occur twice, or have no stale facts
    /// left.
    var slots: [Int32] = []
    /// The stale facts of each screen.
    private(set) var screens: [StaleScreenFacts]
    private var hasScreens = false
    /// Windows whose top-level window is above the ancestors that were read.
    var climbs: [Climb] = []
    /// Windows that may be clients, or frames around them.
    var found: [FoundWindow] = []
    /// Windows that may belong to a screen locker if they are not frames of clients.
    var lockerCandidates: [LockerCandidate] = []
    var surfaces: [StaleSurface] = []
    /// Atoms whose names are wanted.
    var atoms: [UInt32] = []
    var focus = FocusSearch.done
    var session: StaleSessionFacts = []
    /// Whether a pass is needed even if nothing is stale: its replies follow the events of everything that happened
    /// before.
    var mustAnswer = false
    /// Whether something happened that only the reads of every pass detect, such as the death of a window manager.
    var mustCheckManager = false

    /// A search for the child of the root window that contains a window.
    struct Climb {
        let slot: Int32
        let generation: UInt32
        /// The window whose parent is requested.
        let ancestor: UInt32
    }

    /// A window that may belong to a screen locker, or a small one that may be a dialog and so disprove a locker.
    struct LockerCandidate {
        let window: UInt32
        let screen: Int32
        let isLarge: Bool
    }

    /// The facts to read of a window to judge occlusion.
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
        /// Whether the window is a child of the root window and not a client, so that its children may be clients.
        var isFrame = false
        var isOverrideRedirect = false
        /// Whether the window is unmanaged and its size is requested.
        var mayBeLocker = false
    }

    /// The progress of the search for the window with the input focus.
    enum FocusSearch: Equatable {
        case done
        case wanted
        /// The focus left a known window. The next event reports the new focus if that is on a known window, too.
        case left
        /// The focus is in an unknown window; `at` is the next ancestor to check.
        case climbing(from: UInt32, at: UInt32)
        /// Keys go to the window under the pointer, on one screen, or on any if nil.
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

    /// Whether nothing but the focus is left to read.
    var isNothingButFocus: Bool {
        slots.isEmpty && found.isEmpty && lockerCandidates.isEmpty && climbs.isEmpty && surfaces.isEmpty
            && atoms.isEmpty
            && !mustCheckManager && !mustAnswer
            && !hasScreens
            && session.isEmpty
    }
}
