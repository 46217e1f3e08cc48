/// What was noted as no longer true and has to be read.
struct Stale {
    /// The facts of one window, each of one or more reads.
    struct WindowFacts: OptionSet {
        let rawValue: UInt16

        static let attributes = WindowFacts(rawValue: 1 << 0)
        static let place = WindowFacts(rawValue: 1 << 1)
        static let topLevel = WindowFacts(rawValue: 1 << 2)
        static let state = WindowFacts(rawValue: 1 << 3)
        static let states = WindowFacts(rawValue: 1 << 4)
        static let desktop = WindowFacts(rawValue: 1 << 5)
        static let kind = WindowFacts(rawValue: 1 << 6)
        static let transientFor = WindowFacts(rawValue: 1 << 7)
        static let names = WindowFacts(rawValue: 1 << 8)
        static let process = WindowFacts(rawValue: 1 << 9)
        static let title = WindowFacts(rawValue: 1 << 10)

        /// What mapping, unmapping and reparenting change.
        static let mapping: WindowFacts = [.attributes, .place]
        static let all = WindowFacts(rawValue: (1 << 11) - 1)
    }

    /// The facts of one screen.
    struct ScreenFacts: OptionSet {
        let rawValue: UInt8

        static let bounds = ScreenFacts(rawValue: 1 << 0)
        static let check = ScreenFacts(rawValue: 1 << 1)
        static let clients = ScreenFacts(rawValue: 1 << 2)
        static let stacking = ScreenFacts(rawValue: 1 << 3)
        static let activeWindow = ScreenFacts(rawValue: 1 << 4)
        static let currentDesktop = ScreenFacts(rawValue: 1 << 5)
        static let showingDesktop = ScreenFacts(rawValue: 1 << 6)
        /// What the check window says of itself.
        static let manager = ScreenFacts(rawValue: 1 << 7)

        static let all = ScreenFacts(rawValue: 0xFF)
    }

    var windows: [UInt32: WindowFacts] = [:]
    var screens: [Int: ScreenFacts] = [:]
    /// The part of the window tree that is searched for clients.
    var branches: [UInt32: Branch] = [:]
    /// Windows whose top-level window is searched, and how far up the search is.
    var climbs: [UInt32: UInt32] = [:]
    var focus = FocusSearch.done
    /// Something happened that only the reads made in every pass can tell: a window manager died, say.
    var hasSigns = false

    /// A window to look at in the search for clients.
    struct Branch {
        let screen: Int
        /// 0 for the root window.
        let depth: Int
        /// It is no client itself, so that its children are looked at.
        let isFrame: Bool
    }

    /// How far the search for the window with the input focus is.
    enum FocusSearch: Equatable {
        case done
        case wanted
        /// It left a known window. Where it came to is told next, if that is another one.
        case left
        /// The focus is inside a window that is not known; `at` is its next ancestor to look at.
        case climbing(from: UInt32, at: UInt32)
        /// Keys go to the window under the pointer, on any screen or on one.
        case pointer(screen: Int?)
    }

    var isEmpty: Bool { focus == .done && isNothingButFocus }

    /// Nothing is to be read but the focus, at most.
    var isNothingButFocus: Bool {
        windows.isEmpty && screens.isEmpty && branches.isEmpty && climbs.isEmpty && !hasSigns
    }
}
