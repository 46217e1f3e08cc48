import CXPipeline
import CXlib
import Scenes

/// Keeps a `Desktop` current.
///
/// Events are only recorded. `refresh` then reads everything that they made stale, in a few round trips, whatever the
/// number of events and windows. It never waits for a reply: while replies are pending, the caller may sleep or do
/// other work.
package final class DesktopObserver {
    /// The observed state. While replies are pending, it may be partly old and partly new.
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
    /// Whether `confirmIdle` must confirm that the user is idle, once there was no input for long enough.
    package var asksBeforeIdle = false
    /// Whether `confirmIdle` is awaited.
    package var awaitsIdle = false
    var focus = FocusNotes()
    var news = News()
    /// The facts to read or record besides those that phases need.
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

    /// The maximum number of replies that are handled at once.
    static let mostAnswers = 16_384
    /// How long to wait for the server when there is nothing else to do.
    package static let patience = Duration.seconds(5)
    /// The maximum number of passes. A read can name further windows to read, as deep as a client nests its windows.
    private static let mostPasses = 64

    /// Creates an observer. Reads only atoms and extensions before the first `refresh`.
    ///
    /// - Parameters:
    ///   - hostName: The name of this host. _NET_WM_PID counts only if WM_CLIENT_MACHINE equals it.
    ///   - executable: Returns the name of the program that a process of this host runs; nil if there is none.
    ///   - isRenamed: Returns whether a process of this host may have another host name, as in a sandbox.
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent`.
    package init(
        _ display: Display, hostName: String, executable: @escaping (Int32) -> String?,
        isRenamed: @escaping (Int32) -> Bool = { _ in false }
    ) throws(MonitorFailure) {
        self.display = display
        host = Host(name: Array(hostName.utf8), executable: executable, isRenamed: isRenamed)
        let queries = Extensions.ask(display)
        atoms = try Atoms(display, within: Self.patience)
        extensions = try Extensions(display, queries, within: Self.patience)
        roots = [display.root]
        desktop = Desktop(screen: Screen(root: display.root))
        screenNotes = roots.map { _ in ScreenNotes() }
        stale = Stale(screenCount: roots.count)
        let events = SubstructureNotifyMask | StructureNotifyMask | PropertyChangeMask | FocusChangeMask
        for root in roots { cxp_select(display.connection, root, UInt32(events)) }
        readEverything()
    }

    /// Handles the events since the last call. Does not query the server.
    ///
    /// Does nothing while replies are pending: these may be older than the events, which must take precedence.
    ///
    /// - Throws: `MonitorFailure.displayLost`.
    package func noteEvents() throws(MonitorFailure) {
        guard !isAwaiting else { return }
        try display.drain { note($0) }
    }

    /// Reads and follows the wanted session facts from the next `refresh` on, and forgets the others.
    package func follow(_ options: SessionOptions) {
        let (old, oldFacts) = (session.options, wantedFacts)
        guard options != old else { return }
        session.options = options
        followSavers()
        if options.idle != old.idle { followIdle() }
        if wantedFacts != oldFacts { followLocks() }
        judgeOcclusion(options.occlusion != nil)
    }

    /// Marks everything as stale, including the set of windows.
    package func readEverything() {
        for screen in stale.screens.indices { stale.mark([.all, .desktopNames], screen: screen) }
        for slot in desktop.windows.usedSlots { mark(allFacts(slot), slot) }
        if !session.display.savers.isEmpty { stale.session.insert(.savers) }
        if session.idleAlarms != nil { stale.session.insert(.idle) }
        if session.hasLockerCandidates && followsLockers { stale.session.insert(.keyboard) }
        stale.focus = .wanted
    }

    /// Queries the server once more: `isStale` is true until everything that happened before has been read.
    package func askServer() { stale.mustAnswer = true }

    /// Whether replies are pending.
    package var isAwaiting: Bool { !reading.pass.isDone }

    /// Whether `refresh` stopped to yield to other work. There may be replies that poll(2) does not report.
    package var isInterrupted: Bool { reading.isInterrupted }

    /// The number of replies received.
    package var answerCount: Int { reading.answerCount }

    /// The ages that the server reported last; `readAges` requests them.
    package var ages: SessionAges { session.ages }

    /// Whether `refresh` could find anything new.
    package var isStale: Bool { !stale.isEmpty || news.hasChanged || isAwaiting }

    /// Whether `refresh` would only ask where the focus went. The next event usually reports that: a server may write
    /// FocusOut and FocusIn one by one.
    package var expectsFocus: Bool {
        stale.focus == .left && stale.isNothingButFocus && !news.hasChanged && !isAwaiting
    }

    /// Handles the available replies and requests stale facts, without waiting.
    ///
    /// - Returns: Whether `desktop` is current. If so, `isStale` is true if there is more to read. If not, call it
    ///   again when the socket is readable.
    /// - Throws: `MonitorFailure.displayLost`.
    package func refresh() throws(MonitorFailure) -> Bool {
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
        // Event selections may be buffered without any read.
        cxp_send(display.connection)
        return true
    }

    /// Waits for an answer of the server and returns whether it came within `limit`. A server that another client has
    /// grabbed does not answer.
    ///
    /// - Throws: `MonitorFailure.displayLost`.
    package func isAnswering(within limit: Duration) throws(MonitorFailure) -> Bool {
        let end = ContinuousClock.now + limit
        // Other replies may be read from the socket, and poll(2) then no longer reports them.
        reading.isInterrupted = isAwaiting
        // Twice: the server may read a client's GrabServer after the first request, in the same round.
        for _ in 1...2 {
            let request = cxp_get_focus(display.connection)
            cxp_send(display.connection)
            do {
                _ = try display.reply(to: request, until: end)
            } catch .displaySilent {
                cxp_forget_reply(display.connection, request)
                return false
            }
        }
        return true
    }

    /// Refreshes until everything is read, and returns the result.
    ///
    /// - Throws: `MonitorFailure.displayLost`, `.displaySilent` if no reply arrives for longer than `patience`.
    package func refreshNow() throws(MonitorFailure) -> Desktop {
        var (end, answers) = (ContinuousClock.now + Self.patience, answerCount)
        readTitles()
        while try !refresh() {
            if answerCount != answers { (end, answers) = (.now + Self.patience, answerCount) }
            if !isInterrupted { try display.wait(until: end) }
        }
        placeAll()
        return desktop
    }

    /// Handles the available replies. Returns whether none is pending.
    private func collect() throws(MonitorFailure) -> Bool {
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
