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
    private(set) var host: Host
    let roots: [UInt32]

    var stale: Stale
    var reading = Reading()
    var known = KnownWindows()
    var screenNotes: [ScreenNotes]
    var occlusion = OcclusionNotes()
    var session = SessionNotes()
    /// Once the user has touched nothing for long enough, `confirmIdle` decides what that means.
    package var asksBeforeIdle = false
    /// That is to be decided now.
    package var awaitsIdle = false
    var focus = FocusNotes()
    var news = News()
    /// What is read of windows, and noted, beside what their phases need.
    package var wants = Wants() {
        didSet {
            let facts = wants.facts(new: oldValue)
            if wants.places && !oldValue.places {
                for screen in roots.indices { stale.mark([.bounds, .desktopNames], screen: screen) }
            }
            if facts.isEmpty { return }
            for slot in desktop.windows.usedSlots { mark(facts, slot) }
        }
    }

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
    ///   - isRenamed: Whether a process of this host may have another host name, as in a sandbox.
    /// - Throws: `DisplayError.connectionLost`, `.noAnswer`.
    package init(
        _ display: Display, hostName: String, executable: @escaping (Int32) -> String?,
        isRenamed: @escaping (Int32) -> Bool = { _ in false }
    ) throws(DisplayError) {
        self.display = display
        host = Host(name: Array(hostName.utf8), executable: executable, isRenamed: isRenamed)
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
        let (old, oldFacts) = (session.options, wantedFacts)
        guard options != old else { return }
        session.options = options
        followSavers()
        if options.idle != old.idle { followIdle() }
        if wantedFacts != oldFacts { followLocks() }
        judgeOcclusion(options.occlusion != nil)
    }

    /// Marks everything as stale, the set of windows included.
    package func readEverything() {
        for screen in stale.screens.indices { stale.mark([.all, .desktopNames], screen: screen) }
        for slot in desktop.windows.usedSlots { mark(allFacts(slot), slot) }
        if !session.display.savers.isEmpty { stale.session.insert(.savers) }
        if session.idleAlarms != nil { stale.session.insert(.idle) }
        if session.hasLockerCandidates && followsLockers { stale.session.insert(.keyboard) }
        stale.focus = .wanted
    }

    /// Asks the server once more, so that `isStale` is true until what happened before has been read.
    package func askServer() { stale.mustAnswer = true }

    /// Answers of the server are on their way.
    package var isAwaiting: Bool { !reading.pass.isDone }

    /// `refresh` stopped to let others have their turn: there may be answers that poll(2) cannot see.
    package var isInterrupted: Bool { reading.isInterrupted }

    /// How many answers have come.
    package var answerCount: Int { reading.answerCount }

    /// What the server said of times when it was last asked; `readAges` has it asked.
    package var ages: SessionAges { session.ages }

    /// Whether `refresh` could tell anything new.
    package var isStale: Bool { !stale.isEmpty || news.hasChanged || isAwaiting }

    /// Whether `refresh` would do nothing but ask where the focus went, which the next event tells most often:
    /// a server may write FocusOut and FocusIn one by one.
    package var expectsFocus: Bool {
        stale.focus == .left && stale.isNothingButFocus && !news.hasChanged && !isAwaiting
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
            if stale.isEmpty || reading.passCount == Self.mostPasses { break }
            reading.passCount += 1
            ask()
        }
        reading.passCount = 0
        news.hasChanged = false
        reading.upTo = UInt32(truncatingIfNeeded: cxp_request_count(display.connection))
        reading.topLevels = []
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
        reading.isInterrupted = isAwaiting
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
        settleTouched()
        return desktop
    }

    /// The slots of the windows of which anything was read or noted since the last call, those of closed ones among them, and
    /// some more than once; nil for all of them.
    package func takeTouched() -> [Int32]? {
        defer { news.touched = [] }
        settleTouched()
        return news.touched
    }

    /// Does what depends on all that was read of windows.
    private func settleTouched() {
        judgeTouched()
        if wants.places { placeTouched() }
    }

    func touchAll() { news.touched = nil }

    func touch(_ slot: Int) { news.touched?.append(Int32(slot)) }

    /// Takes in the answers that are there. Returns whether none is awaited any longer.
    private func collect() throws(DisplayError) -> Bool {
        reading.isInterrupted = false
        var count = 0
        while !reading.pass.isDone {
            guard let (read, reply) = try reading.pass.next(display) else { return false }
            absorb(reply, of: read)
            reading.pass.send(display, request)
            reading.answerCount &+= 1
            count += 1
            if count == Self.mostAnswers {
                reading.isInterrupted = true
                return false
            }
        }
        return true
    }

    private func request(_ read: Read) -> UInt32 { read.fact.request(self, read) }

    private func ask() {
        adoptWindowsWithoutClients()
        adoptLockerCandidates()
        var pass = ReadPass()
        var asked = Stale(screenCount: roots.count)
        swap(&stale, &asked)
        swap(&stale.lockerCandidates, &asked.lockerCandidates)
        addReads(of: asked, to: &pass)
        pass.send(display, request)
        reading.pass = pass
    }
}
