import CXPipeline
import CXlib
import Scenes

/// Keeps a `Desktop` current.
///
/// Events are only noted; `refresh` then reads all that they made stale, however many there were, in a few
/// round trips that do not depend on the number of windows. It never waits for an answer: while some are on their way,
/// whoever calls it may sleep or do something else.
package final class DesktopObserver {
    /// What is seen. While answers are awaited it may be half of the old and half of the new.
    package var desktop: Desktop

    let display: Display
    let atoms: Atoms
    package let extensions: Extensions
    /// What WM_CLIENT_MACHINE must say for a _NET_WM_PID to be believed, as bytes.
    let hostName: [UInt8]
    let executable: (Int32) -> String?
    let roots: [UInt32]

    var stale: Stale
    private var pass = ReadPass()
    private var passCount = 0
    /// In the slots of the windows.
    var notes: [WindowNotes] = []
    var screenNotes: [ScreenNotes]
    /// By frame of the window manager: the client windows in it.
    var framed: [UInt32: Set<UInt32>] = [:]
    /// A window that no window manager manages was followed at some time.
    var hasLockerCandidates = false
    /// The slots of which anything is new since `takeTouched`; nil for all of them.
    private(set) var touched: [Int32]?
    /// What is read and followed of the windows that may cover others, or be covered.
    var surfaceFacts: [UInt32: SurfaceFacts] = [:]
    /// The screens when it was last judged which windows cover others.
    var judgedScreens: [Scenes.Screen] = []
    /// The number of the last request whose answer is known to be taken in.
    private(set) var readUpTo: UInt32 = 0
    /// The children of the root windows, while their search goes on.
    var foundTopLevels: Set<UInt32> = []
    /// Of the found window whose other answers come next.
    var foundAttributes: xcb_get_window_attributes_reply_t?
    /// A fact came with an event, so that there is nothing to read.
    var hasChanged = false
    /// Windows came to be known since the focus was looked for.
    var hasAdopted = false
    /// The input focus was in the window under the pointer at some time, so that windows tell where the pointer goes.
    var followsPointer = false
    var lastGeneration: UInt32 = 0
    /// Whether titles are read of windows that have another name. Browsers and terminals write theirs often.
    package var readsTitles = true {
        didSet {
            guard readsTitles && !oldValue else { return }
            for slot in desktop.windows.usedSlots { mark(.title, slot) }
        }
    }
    /// The slots of windows that got other titles.
    var retitled: [Int32] = []
    /// Whether the program that a process executes is looked for where nothing is named by it.
    package var readsExecutables = false {
        didSet {
            guard readsExecutables && !oldValue else { return }
            for slot in desktop.windows.usedSlots { mark(.process, slot) }
        }
    }
    /// Whether the process of a window is the one that X-Resource names as its client's, whatever its _NET_WM_PID is.
    package var confirmsProcesses = false {
        didSet {
            guard confirmsProcesses != oldValue else { return }
            for slot in desktop.windows.usedSlots { mark(.process, slot) }
        }
    }
    /// Whether requests to activate or close windows are noted: see `takeRequested`.
    package var notesRequests = false
    var requested: Set<UInt32> = []
    static let mostRequested = 64
    /// Buttons and keys, while they are grabbed; nil otherwise.
    var inputs: [cxp_event]?
    /// The search for the focus that the answers on their way belong to.
    var askedFocus = Stale.FocusSearch.done
    /// What is read and followed besides windows, the focus and the window manager.
    private(set) var options = SessionOptions(states: [])
    /// What tells whether the display is off.
    var displayFacts = DisplayFacts()
    /// IDLETIME of SYNC, once it was found.
    var idleCounter: UInt32?
    /// nil while idle times are not wanted, or cannot be told.
    var idleAlarms: IdleAlarms?
    /// What the server said of times when it was last asked; `readAges` has it asked.
    package internal(set) var ages = SessionAges()
    /// What XGetInputFocus said, and the windows around that up to the first known one.
    var focusPath: [UInt32] = []

    /// `refresh` stopped to let others have their turn: there may be answers that poll(2) cannot see.
    package private(set) var isInterrupted = false

    /// How many answers have come.
    package private(set) var answerCount = 0
    /// How many answers are taken in at once.
    static let mostAnswers = 16_384
    /// How long a server is waited for where there is nothing else to do.
    package static let patience = Duration.seconds(5)
    /// What is read can name further windows to read, in the end as deep as a client nests its windows.
    private static let mostPasses = 64

    /// Reads nothing but atoms and extensions before the first `refresh`.
    ///
    /// - Parameters:
    ///   - hostName: What WM_CLIENT_MACHINE must say for a _NET_WM_PID to be believed.
    ///   - executable: The name of the program that a process of this host runs; nil if there is none.
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer`.
    package init(
        _ display: Display, hostName: String, executable: @escaping (Int32) -> String?
    ) throws(DisplayError) {
        self.display = display
        self.hostName = Array(hostName.utf8)
        self.executable = executable
        let queries = Extensions.ask(display)
        atoms = try Atoms(display, within: Self.patience)
        extensions = try Extensions(display, queries, within: Self.patience)
        roots = (0..<display.screenCount).map { display.root(of: $0) }
        desktop = Desktop(screens: roots.map { Screen(root: $0) })
        screenNotes = roots.map { _ in ScreenNotes() }
        stale = Stale(screenCount: roots.count)
        let events = SubstructureNotifyMask | StructureNotifyMask | PropertyChangeMask | FocusChangeMask
        for root in roots { cxp_select(display.connection, root, UInt32(events)) }
        readEverything()
    }

    /// Takes in what happened since the last call. Asks the server nothing.
    ///
    /// Not while answers are awaited: what these say may be older than the events, which are to have the last word.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    package func noteEvents() throws(DisplayError) {
        guard !isAwaiting else { return }
        try display.drain { note($0) }
    }

    /// Reads and follows what is wanted of the session from the next `refresh` on, and forgets the rest.
    package func follow(_ options: SessionOptions) {
        let (old, oldFacts) = (self.options, wantedFacts)
        guard options != old else { return }
        self.options = options
        followSavers()
        if options.idle != old.idle { followIdle() }
        if wantedFacts != oldFacts { followLocks() }
        judgeOcclusion(options.occlusion != nil)
    }

    /// Marks everything as stale, the set of windows included.
    package func readEverything() {
        for screen in stale.screens.indices { stale.mark(.all, screen: screen) }
        for slot in desktop.windows.usedSlots { mark(allFacts(slot), slot) }
        if !displayFacts.savers.isEmpty { stale.session.insert(.savers) }
        if idleAlarms != nil { stale.session.insert(.idle) }
        if hasLockerCandidates && followsLockers { stale.session.insert(.keyboard) }
        stale.focus = .wanted
    }

    /// Answers of the server are on their way.
    package var isAwaiting: Bool { !pass.isDone }

    /// Whether `refresh` could tell anything new.
    package var isStale: Bool { !stale.isEmpty || hasChanged || isAwaiting }

    /// Whether `refresh` would do nothing but ask where the focus went, which the next event tells most often:
    /// a server may write FocusOut and FocusIn one by one.
    package var expectsFocus: Bool {
        stale.focus == .left && stale.isNothingButFocus && !hasChanged && !isAwaiting
    }

    /// Takes in the answers that are there, and asks for what is stale, without waiting.
    ///
    /// - Returns: Whether `desktop` is current; if so, `isStale` says whether there is still more to read. If not, call
    ///   it again when the socket can be read.
    /// - Throws: `DisplayError.connectionLost`.
    package func refresh() throws(DisplayError) -> Bool {
        while true {
            guard try collect() else { return false }
            if stale.isEmpty { findFocusAmongAdopted() }
            lookAtActiveWindows()
            if stale.isEmpty || passCount == Self.mostPasses { break }
            passCount += 1
            ask()
        }
        passCount = 0
        hasChanged = false
        readUpTo = UInt32(truncatingIfNeeded: cxp_request_count(display.connection))
        foundTopLevels = []
        // Events may have been asked for that nothing was read with.
        cxp_send(display.connection)
        return true
    }

    /// Waits until the server answers, for `limit` at most. While another client has grabbed it, it does not.
    ///
    /// - Throws: `DisplayError.connectionLost`.
    package func isAnswering(within limit: Duration) throws(DisplayError) -> Bool {
        let end = ContinuousClock.now + limit
        // Answers to other requests may be taken from the socket, where poll(2) does not see them any longer.
        isInterrupted = isAwaiting
        // Twice: a client's request to grab the server may be read after the first one, in the same round.
        for _ in 1...2 {
            let request = cxp_get_focus(display.connection)
            cxp_send(display.connection)
            do {
                _ = try display.reply(to: request, until: end)
            } catch .noAnswer {
                cxp_forget_reply(display.connection, request)
                return false
            }
        }
        return true
    }

    /// Waits until everything is read.
    ///
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer` if none comes for longer than `patience`.
    package func refreshNow() throws(DisplayError) -> Desktop {
        var (end, answers) = (ContinuousClock.now + Self.patience, answerCount)
        readTitles()
        while try !refresh() {
            if answerCount != answers { (end, answers) = (.now + Self.patience, answerCount) }
            if !isInterrupted { try display.wait(until: end) }
        }
        judgeTouched()
        return desktop
    }

    /// The slots of the windows of which anything was read or noted since the last call, those of closed ones among them, and
    /// some more than once; nil for all of them.
    package func takeTouched() -> [Int32]? {
        defer { touched = [] }
        judgeTouched()
        return touched
    }

    func touchAll() { touched = nil }

    func touch(_ slot: Int) { touched?.append(Int32(slot)) }

    /// Takes in the answers that are there. Returns whether none is awaited any longer.
    private func collect() throws(DisplayError) -> Bool {
        isInterrupted = false
        var count = 0
        while !pass.isDone {
            guard let (read, reply) = try pass.next(display) else { return false }
            absorb(reply, of: read)
            pass.send(display, request)
            answerCount &+= 1
            count += 1
            if count == Self.mostAnswers {
                isInterrupted = true
                return false
            }
        }
        return true
    }

    private func ask() {
        adoptWindowsWithoutClients()
        adoptLockerCandidates()
        pass = ReadPass()
        var asked = Stale(screenCount: roots.count)
        swap(&stale, &asked)
        swap(&stale.lockerCandidates, &asked.lockerCandidates)
        addReads(of: asked, to: &pass)
        pass.send(display, request)
    }
}
