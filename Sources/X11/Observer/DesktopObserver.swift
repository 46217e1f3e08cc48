import CXPipeline
import CXlib
import Scenes

/// Keeps a `Desktop` current.
///
/// Events are only recorded. `refresh` then reads everything that they made stale, in a few round trips, whatever the
/// number of events and windows. It never waits for a reply: while replies are pending, the caller may sleep or do
/// other work. All that reads throws `displayLost`; what waits for replies throws `displaySilent`, too.
package final class DesktopObserver {
    /// The maximum number of replies that are handled at once.
    static let mostAnswers = 16_384
    /// How long to wait for the server when there is nothing else to do.
    package static let patience = Duration.seconds(5)
    /// The maximum number of rounds of requests in one reading. Replies can name further windows to read.
    private static let mostRounds = 64
    /// The maximum number of new windows that one reading reads, but for the first: a forged list may name any number, and
    /// events wait until a reading is complete. A window that is read with the next one is as one that is created then.
    private static let mostFound = 256
    private static let mostRequested = 64

    let display: Display
    let mirror: Mirror
    let tree: WindowTree
    package let windows: WindowReader
    private let names: WindowNames
    private let search: ClientSearch
    package let screen: ScreenReader
    private let focus: FocusReader
    package let session: SessionReader

    /// The rounds of requests of the present reading; 0 if everything is read.
    private var rounds = 0
    private var mustAnswer = false
    /// The windows that the window manager was asked to activate or close.
    private var requested: Set<UInt32> = []

    package private(set) var answerCount = 0
    /// Whether the last reading ended although its replies kept naming more to read.
    package private(set) var isEndless = false
    /// Whether `refresh` stopped to yield to other work. There may be replies that poll(2) does not report.
    package private(set) var isInterrupted = false

    /// Creates an observer. Reads only atoms and extensions before the first `refresh`.
    package init(_ display: Display, host: LocalHost = LocalHost()) throws(MonitorFailure) {
        self.display = display
        let queries = Extensions.ask(display)
        let atoms = try Atoms(display, within: Self.patience)
        mirror = Mirror(display, atoms, try Extensions(display, queries, within: Self.patience))
        let events = EventSelection(mirror)
        tree = WindowTree(mirror, events)
        names = WindowNames(mirror, events, host)
        windows = WindowReader(mirror, events, tree, names)
        search = ClientSearch(mirror, tree, windows)
        screen = ScreenReader(mirror, windows)
        focus = FocusReader(mirror, events, tree, windows)
        session = SessionReader(mirror)
        events.selectRoot()
        readEverything()
    }

    /// The observed state. While replies are pending, it may be partly old and partly new.
    package var desktop: Desktop {
        _read { yield mirror.desktop }
        _modify { yield &mirror.desktop }
    }

    package var extensions: Extensions { mirror.extensions }

    /// The details to read besides what phases need.
    package var details: SceneDetails {
        get { mirror.details }
        set {
            let (old, changed) = (mirror.details, mirror.details.symmetricDifference(newValue))
            mirror.details = newValue
            // Not everything is read again: clients of a service come and go.
            if newValue.readTitles && !old.readTitles { windows.markAll(.title) }
            if !changed.isDisjoint(with: [.processes, .owners]) { windows.markAll(.own) }
            if newValue.contains(.locations) && !old.contains(.locations) { screen.markAll() }
        }
    }
}

/// Reading.
extension DesktopObserver {
    /// Marks everything as stale, including the set of windows.
    package func readEverything() {
        screen.markAll()
        search.begin()
        windows.markAll()
        session.markAll()
        focus.markStale()
    }

    /// Queries the server once more: `isStale` is true until everything that happened before has been read.
    package func askServer() { mustAnswer = true }

    /// Asks what an application, with these known windows, their owners and all of its processes, does with the server
    /// besides showing scenes. The answer comes during a later `refresh`.
    package func ask(
        useOf windows: [UInt32], owners: Set<Int32>, processes: Set<Int32>,
        answer: @escaping (WindowUse) -> Void
    ) {
        WindowUseQuestion(mirror, windows: windows, owners: owners, processes: processes, answer: answer)
            .ask()
    }

    /// Asks the server for an answer, which comes during a later `refresh`. It does not come while another client has
    /// grabbed the server.
    package func ask(then answer: @escaping () -> Void) {
        // Twice: the server may read a client's GrabServer after the first request, in the same round.
        display.ask(display.focus()) { [display] _ in display.ask(display.focus()) { _ in answer() } }
    }

    /// Has another connection report the events for the clients of windows, and waits until it does; nil without RECORD.
    package var deliveredEvents: DeliveredEvents.Beginning? {
        guard let record = extensions[.record] else { return nil }
        return { [name = display.name, atoms = mirror.atoms] windows throws(MonitorFailure) in
            try DeliveredEvents(name, to: windows, atoms, record: record)
        }
    }

    /// Whether replies are pending.
    package var isAwaiting: Bool { display.awaitedCount > 0 || rounds > 0 }

    /// Whether `refresh` could find anything new.
    package var isStale: Bool { mustRead || windows.isStale || mirror.hasChanged || isAwaiting }

    private var mustRead: Bool {
        mustAnswer || search.isAsking || tree.isStale || windows.isAsking || screen.isStale || session.isStale
            || focus.isStale
    }

    /// Handles the available replies and requests stale facts, without waiting, and returns whether `desktop` is current. If
    /// so, `isStale` is true if there is more to read. If not, call it again when the socket is readable.
    package func refresh() throws(MonitorFailure) -> Bool {
        isInterrupted = false
        var count = 0
        var hasMore = false
        repeat {
            while true {
                ask()
                if display.awaitedCount == 0 { break }
                // The handlers of replies may have asked, too. Sending may read replies.
                display.send()
                let taken = try display.takeReplies(limit: Self.mostAnswers - count)
                answerCount &+= taken
                count += taken
                isInterrupted = count >= Self.mostAnswers
                if taken == 0 || isInterrupted { return false }
            }
            hasMore = concludes()
        } while hasMore && rounds < Self.mostRounds
        isEndless = hasMore
        rounds = 0
        windows.room = Self.mostFound
        mirror.hasChanged = false
        // Event selections may be buffered without any read.
        display.send()
        return true
    }

    /// Requests stale facts, as far as there is room for requests in flight.
    private func ask() {
        guard mustRead, display.awaitedCount < Display.mostAwaited / 2 else { return }
        // No event reports the window manager, so each reading begins with it.
        if rounds == 0 || screen.isStale { screen.ask() }
        if display.awaitedCount == 0 || rounds == 0 { rounds += 1 }
        mustAnswer = false
        session.ask()
        while display.awaitedCount < Display.mostAwaited {
            // Events of the windows are selected before the focus is asked for.
            guard tree.askNext() || search.askNext() || windows.askNext() else {
                focus.ask()
                break
            }
        }
    }

    /// Draws the conclusions that need several replies, and returns whether there is more to read.
    private func concludes() -> Bool {
        if screen.findManager() { search.begin() }
        if mustRead || search.searchFrames() { return true }
        if (session.followsLockers || desktop.stacking.followsCovers) && search.findUnmanaged() {
            return true
        }
        session.findDisplayOff()
        if tree.hasNewPaths {
            session.lookForGrab()
            tree.findContainers()
            focus.settle()
        }
        names.nameByOwner()
        tree.followInput()
        screen.lookAtActiveWindow()
        focus.discoverHolder()
        return mustRead
    }

    /// Refreshes until everything is read. Throws `displaySilent` if no reply arrives for longer than `patience`.
    package func refreshNow() throws(MonitorFailure) -> Desktop {
        var (end, answers) = (ContinuousClock.now + Self.patience, answerCount)
        windows.readTitles()
        windows.room = .max
        while try !refresh() {
            if answerCount != answers { (end, answers) = (.now + Self.patience, answerCount) }
            if !isInterrupted { try display.wait(until: end) }
        }
        screen.nameLocations()
        return desktop
    }

    /// Reads everything, as `refreshNow()` does. A user who touches nothing counts as idle only if `isIdle` returns true
    /// for the application with the focus; later, only after `SessionReader.confirmIdle()`.
    package func refreshNow(
        confirmingIdle isIdle: (ActiveApplication?) -> Bool
    ) throws(MonitorFailure) {
        session.asksBeforeIdle = true
        let desktop = try refreshNow()
        if session.awaitsIdle, isIdle(Rule(desktop, .focus).activeApplication) { session.confirmIdle() }
    }
}

/// Events.
extension DesktopObserver {
    /// Handles the events since the last call. Does nothing while replies are pending: these may be older than the events,
    /// which must take precedence.
    ///
    /// - Returns: Whether there were any. Errors are none.
    @discardableResult
    package func noteEvents() throws(MonitorFailure) -> Bool {
        guard !isAwaiting else { return false }
        var isAny = false
        try display.drain {
            note($0)
            isAny = true
        }
        return isAny
    }

    /// Marks the facts that an event makes stale, or stores those that it reports. Must not query the server: the reply
    /// and the remaining events would be out of order.
    func note(_ event: DisplayEvent) {
        let window = event.window
        let root = mirror.root
        switch event.kind {
        // These count as much if a client sent them: they only make facts stale.
        case .property(let atom) where window == root:
            screen.note(property: atom, isSent: event.isSent)
            session.note(property: atom)
        case .property(let atom):
            if atom == mirror.atoms[.netOpacity] { tree.markDrawing(of: window) }
            windows.note(property: atom, of: window, isSent: event.isSent)
        case .shape:
            windows.noteShape(of: window)
            tree.markDrawing(of: window)
        case .inputShape: tree.markInput(of: window)
        case .crossing: focus.noteCrossing()
        case .message(let type): noteRequest(window, type)
        case _ where event.isSent: noteSent(event)
        case .created(let geometry, let isUnmanaged):
            // The ID of a window whose destruction was not reported may be reused.
            windows.noteEnd(of: window)
            if !isUnmanaged { windows.discover(window) }
            tree.add(window, isUnmanaged: isUnmanaged, at: geometry, event)
        case .destroyed:
            windows.noteEnd(of: window)
            tree.remove(window, event)
            screen.suspectEnd()
        case .mapped(let parent, let isUnmanaged):
            windows.note(window, isUnmanaged: isUnmanaged, on: parent)
            windows.note(window, isMapped: true)
            if parent == root { tree.noteMapping(of: window, isMapped: true) }
            screen.suspectEnd()
        case .unmapped(let parent):
            windows.note(window, isMapped: false)
            if parent == root { tree.noteMapping(of: window, isMapped: false) }
            screen.suspectEnd()
        case .reparented(let parent, let isUnmanaged):
            windows.note(window, isUnmanaged: isUnmanaged, on: parent)
            if parent == root {
                windows.markKnown(window)
                tree.add(window, isUnmanaged: isUnmanaged, event)
                tree.noteUnframed(window)
            } else {
                windows.noteFramed(window)
                tree.noteFramed(window, event)
            }
            screen.suspectEnd()
        case .configured where window == root: screen.markBounds()
        case .configured(let parent, let geometry, let above) where parent == root:
            windows.noteMove(ofChild: window, to: geometry)
            tree.noteOrder(of: window, above: above, event)
            screen.suspectEnd(unlessChecked: true)
        case .configured:
            windows.markKnown(window)
            tree.noteOrderInFrame(of: window)
            screen.suspectEnd(unlessChecked: true)
        case .circulated(let parent, let toTop):
            if parent == root { tree.noteCirculation(of: window, toTop: toTop, event) }
        case .moved: windows.markKnown(window)
        case .focus(let isIn, let mode, let detail):
            focus.note(window, isIn: isIn, mode, detail)
            session.noteFocus(mode)
        case .saver(let state, let kind): session.take(saver: state, kind)
        case .alarm: session.noteAlarm(window)
        case .input: break
        }
    }

    /// An event that a client sent proves nothing; it only makes facts stale.
    private func noteSent(_ event: DisplayEvent) {
        let window = event.window
        switch event.kind {
        case .focus(_, let mode, let detail): focus.noteSent(mode, detail)
        case .unmapped(let parent): windows.noteWithdrawal(of: window, on: parent)
        // Window managers repeat the geometry of a client (ICCCM 4.1.5), with the border that it requested and no longer has.
        case .configured(_, let geometry, _)
        where desktop.windows.facts(of: window)?.geometry?.hasCentre(of: geometry) == true: break
        case .created, .destroyed, .mapped, .reparented, .configured, .circulated, .moved:
            if window == mirror.root { screen.markBounds() }
            windows.markKnown(window)
            screen.suspectEnd()
        default: break
        }
    }

    /// Taskbars ask the window manager to activate or close a window by a message to the root window.
    private func noteRequest(_ window: UInt32, _ type: UInt32) {
        let isRequest = [.activeWindow, .closeWindow].contains(mirror.atoms.name(of: type))
        if details.contains(.signs) && isRequest && requested.count < Self.mostRequested {
            requested.insert(window)
        }
    }

    /// Returns the windows that the window manager was asked to activate or close since the last call.
    package func takeRequested() -> Set<UInt32> {
        defer { requested = [] }
        return requested
    }
}

/// The session.
extension DesktopObserver {
    /// Reads and follows the wanted session facts from the next `refresh` on, and forgets the others.
    package func follow(_ options: SessionOptions) {
        let (old, followsCovers) = (session.options, options.occlusion != nil)
        if options == old { return }
        session.follow(options)
        if options.states != old.states || followsCovers && !desktop.stacking.followsCovers {
            readEverything()
        }
        desktop.stacking.followsCovers = followsCovers
    }
}

/// What only explanations need.
extension DesktopObserver {
    /// Returns the process that owns a window, from X-Resource; nil if it is unknown or on another host.
    package func process(of window: WindowID) throws(MonitorFailure) -> Int32? {
        guard let resource = extensions[.resource] else { return nil }
        return try reply(to: display.process(resource, of: window.xid)).process
    }

    func reply(to request: UInt32) throws(MonitorFailure) -> Reply {
        try display.reply(to: request, until: .now + Self.patience)
    }
}
