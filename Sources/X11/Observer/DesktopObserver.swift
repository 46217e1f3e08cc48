import CXlib
import Scenes

/// Keeps a `Desktop` current.
///
/// Events are only noted; `refresh` then reads all that they made stale, however many there were, in a few
/// round trips that do not depend on the number of windows.
package final class DesktopObserver {
    package var desktop: Desktop

    let display: Display
    let atoms: Atoms
    let hostName: String
    let executable: (Int32) -> String?

    var stale = Stale()
    /// The windows in each top-level window that is not one of them: a window manager's frame.
    var framed: [UInt32: Set<UInt32>] = [:]
    var rootIndex: [UInt32: Int] = [:]
    var screenNotes: [ScreenNotes]
    var claims: [UInt32: ProcessClaim] = [:]
    /// The windows of which anything is new since `takeTouched`; nil for all of them.
    var touched: [Int32]?
    /// A fact came with an event, so that there is nothing to read.
    var hasChanged = false
    private var hasAdopted = false
    private var lastGeneration: UInt32 = 0
    /// Whether titles are read of windows that have another name. Browsers and terminals write theirs often.
    package var readsTitles = true {
        didSet { if readsTitles && !oldValue { markTitles() } }
    }
    var lastFocus: UInt32 = 0

    /// Nothing is read before the first `refresh`.
    ///
    /// - Parameters:
    ///   - hostName: What WM_CLIENT_MACHINE must say for a _NET_WM_PID to be believed.
    ///   - executable: The name of the program that a process of this host runs; nil if there is none.
    package init(_ display: Display, hostName: String, executable: @escaping (Int32) -> String?) {
        self.display = display
        self.hostName = hostName
        self.executable = executable
        atoms = Atoms(display)
        let roots = (0..<display.screenCount).map { display.root(of: $0) }
        desktop = Desktop(screens: roots.map { Screen(root: $0) })
        screenNotes = roots.map { _ in ScreenNotes() }
        for (index, root) in roots.enumerated() {
            rootIndex[root] = index
            display.select(
                SubstructureNotifyMask | StructureNotifyMask | PropertyChangeMask | FocusChangeMask, on: root)
        }
        readEverything()
    }

    /// Takes in what happened since the last call. Asks the server nothing.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    package func noteEvents() throws(DisplayError) {
        try display.drain { note($0) }
    }

    /// Marks everything as stale, the set of windows included.
    package func readEverything() {
        for screen in desktop.screens.indices {
            stale.screens[screen] = .all
            stale.branches[desktop.screens[screen].root] = Stale.Branch(
                screen: screen, depth: 0, isFrame: true)
        }
        for slot in desktop.windows.usedSlots { stale.windows[desktop.windows[at: slot].id.xid] = allFacts }
        stale.focus = .wanted
    }

    /// Whether `refresh` could tell anything new.
    package var isStale: Bool { !stale.isEmpty || hasChanged }

    /// Whether `refresh` would do nothing but ask where the focus went, which the next event tells most often:
    /// a server may write FocusOut and FocusIn one by one.
    package var expectsFocus: Bool { stale.focus == .left && stale.isNothingButFocus && !hasChanged }

    /// Reads what is stale and returns what is seen now. If `isStale` is true after it, there is more to
    /// read.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    @discardableResult
    package func refresh() throws(DisplayError) -> Desktop {
        // What is read can name further windows to read, in the end as deep as a client nests its windows.
        var passes = 0
        while passes < Self.mostPasses {
            lookForFocusAgain()
            lookAtActiveWindows()
            if stale.isEmpty { break }
            try readOnce()
            passes += 1
        }
        hasChanged = false
        return desktop
    }

    /// The windows of which anything was read or noted since the last call; nil for all of them.
    package func takeTouched() -> [Int32]? {
        defer { touched = [] }
        return touched
    }

    /// The focus may have been found outside of the known windows before it was known that they are windows.
    private func lookForFocusAgain() {
        guard stale.isEmpty, hasAdopted else { return }
        hasAdopted = false
        if mayHaveMissedFocus { stale.focus = .wanted }
    }

    private static let mostPasses = 64

    private func readOnce() throws(DisplayError) {
        let asked = stale
        stale = Stale()
        for xid in Array(asked.windows.keys) + Array(asked.climbs.keys) { touch(xid) }
        var pass = ReadPass(display)
        askScreens(asked.screens, in: &pass)
        for (window, facts) in asked.windows { ask(facts, of: window, in: &pass) }
        for (window, ancestor) in asked.climbs { climb(from: window, at: ancestor, in: &pass) }
        for (window, branch) in asked.branches { lookAt(window, branch, in: &pass) }
        askFocus(asked.focus, in: &pass)
        let focus = try pass.run()
        noteFocus(focus, asked: asked.focus)
    }

    /// Begins to watch a window.
    func adopt(_ xid: UInt32, screen: Int) {
        guard desktop.windows[xid] == nil, rootIndex[xid] == nil else { return }
        // Before the first read, so that whatever changes after it is told.
        display.select(
            StructureNotifyMask | PropertyChangeMask | FocusChangeMask | VisibilityChangeMask
                | EnterWindowMask | LeaveWindowMask, on: xid)
        lastGeneration &+= 1
        desktop.windows.add(WindowFacts(WindowID(xid, generation: lastGeneration), screen: screen))
        stale.windows[xid] = allFacts
        touch(xid)
        hasAdopted = true
    }

    /// Forgets a window that does not exist any longer, with all that was remembered of it.
    func forget(_ xid: UInt32) {
        guard let window = desktop.windows.facts(of: xid) else { return }
        touch(xid)
        desktop.windows.remove(xid)
        if let frame = window.topLevel, frame != xid { leave(frame: frame, xid) }
        stale.windows[xid] = nil
        stale.climbs[xid] = nil
        claims[xid] = nil
        hasChanged = true
    }

    private func touch(_ xid: UInt32) {
        if let slot = desktop.windows.slot(of: xid) { touched?.append(Int32(slot)) }
    }

    func leave(frame: UInt32, _ xid: UInt32) {
        framed[frame]?.remove(xid)
        if framed[frame]?.isEmpty == true { framed[frame] = nil }
    }
}
