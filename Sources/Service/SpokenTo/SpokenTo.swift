import Console
import Glibc
import Hooks
import PhaseWatch
import Synchronization
import System
import X11

/// A watch for attempts to reach frozen applications: calls on the session bus, messages to their windows, events that are
/// pending for their processes, and second starts of their programs.
final class SpokenTo {
    private static let interval = Duration.seconds(1)
    /// When to search for a second start after a program is opened: the new process does not have its name yet.
    private static let delay = Duration.milliseconds(100)

    private let context: HookContext
    private let loop: EventLoop
    private let buses: Buses
    private let display: DisplayFileName
    /// Receives what is noticed.
    var report: (HookInput) -> Void = { _ in }
    /// Returns the windows of what is frozen, with the names of the applications that a message is to thaw.
    var windows: () -> [UInt32: String] = { [:] }
    /// What is held, by application.
    private var watched: [String: Watched] = [:]
    /// What is frozen, or about to be.
    private var frozen: Set<String> = []
    /// What waits until calls to all that is held are noticed.
    private var waiting: [(_ lack: String?) -> Void] = []
    /// The monitor of the session bus, and the one that replaces it once it has begun.
    private var monitor: BusMonitor?
    private var nextMonitor: BusMonitor?
    /// Whether the next one looks up too little, and another must follow.
    private var isNextStale = false
    /// Why the last monitor could not begin; nil if it has begun, or if there is no bus.
    private var failure: String?
    /// The connection to the system bus, on which logind announces shutdowns.
    private var logind: Bus?
    /// The connection that shows messages to windows, and the applications of these windows.
    private var listener: (events: DeliveredEvents, windows: [UInt32: String])?
    /// Whether a message to a window has arrived. Messages to what is thawed must not wake xphase, so what is thawed is
    /// left out then.
    private var isAddressed = false
    /// Opens the connection of the next listener: the display may be far away. nil before the first one.
    private var opener: DiskQueue<Result<SpareConnection, MonitorFailure>>?
    private var spare: Result<SpareConnection, MonitorFailure>?
    /// What waits for the connection.
    private var listeners: [() -> Void] = []
    /// An inotify(7) instance that reports when a file of the frozen programs is opened, which executing it does; nil
    /// while nothing is frozen.
    private(set) var openings: Descriptor?
    /// Runs what adds a watch to it on another thread: the disk of a program may not answer.
    private let onThread: OnThread
    /// What the threads could not watch, for the next look.
    private let unwatched = Unwatched()
    /// Whether a file was opened, so that the next look searches for second starts.
    private var isOpened = false
    private var lastSearch = Duration.zero
    /// When to call `look`; nil for never.
    private(set) var next: Duration?

    typealias OnThread = (_ operation: sending @escaping () -> Void) throws(SystemError) -> Void

    private struct Watched {
        /// What stops the application, or is about to.
        let holds: [Hold]
        /// What was pending for it when it was stopped last; nil before the first time.
        var program: FrozenProgram?

        var processes: Set<Int32> { holds.reduce(into: []) { $0.formUnion($1.processes) } }
    }

    /// - Parameters:
    ///   - display: The name of the display.
    ///   - onThread: Throws if no thread can be started.
    init(
        _ context: HookContext, _ loop: EventLoop, _ buses: Buses, display: String,
        onThread: @escaping OnThread = SeparateThreads().run
    ) {
        (self.context, self.loop, self.buses) = (context, loop, buses)
        self.display = DisplayFileName(display)
        self.onThread = onThread
    }

    /// Notices the signs that thaw an application, after `prepareToListen`. Throws if one of them would be missed: these
    /// applications must not be frozen then.
    func listen(before applications: Set<String>) throws {
        try context.checkDescriptors()
        if openings == nil {
            let new = try Descriptor.fileEvents()
            loop.watch(new.number) { [unowned self] in opened() }
            openings = new
        }
        do {
            try listenToWindows()
        } catch {
            // Messages to other frozen applications may be lost, too.
            thaw(frozen.subtracting(applications), because: error)
            throw error
        }
    }

    /// Watches applications that were just stopped for second starts and pending events, after `listen`.
    ///
    /// - Parameters:
    ///   - roots: The processes of the windows of each.
    ///   - now: The present time.
    func add(_ roots: [String: [Int32]], at now: Duration = Clock.now()) {
        if roots.isEmpty { return }
        let areNew = !roots.keys.allSatisfy(watches)
        lazy var sockets = UnixSocket.all
        for (application, pids) in roots {
            let processes = watched[application]?.processes ?? []
            watched[application]?.program = FrozenProgram(processes, roots: pids, among: sockets)
        }
        next = next ?? now + Self.interval
        do throws(SystemError) {
            // All share the descriptors, and the monitor of the bus.
            try context.checkDescriptors()
            // They may have got further names on the bus until they were stopped.
            if areNew { try startMonitor() }
        } catch {
            return thaw(Set(roots.keys), because: error)
        }
        for (application, pids) in roots.sorted(by: { $0.key < $1.key }) {
            do throws(SystemError) {
                try watchOpenings(of: application, pids)
            } catch {
                thaw([application], because: error)
            }
        }
    }

    /// Whether an application is frozen, or awake only while it answers a call.
    func watches(_ application: String) -> Bool { watched[application]?.program != nil }

    private var stopped: Set<String> { Set(watched.keys.filter(watches)) }

    /// Adds the watches on another thread: the disk of a program may not answer.
    private func watchOpenings(of application: String, _ pids: [Int32]) throws(SystemError) {
        guard let openings else { return }
        try onThread { [unwatched] in
            for pid in pids {
                let path = "/proc/\(pid)/exe"
                do throws(SystemError) {
                    try SystemError.check(
                        "inotify_add_watch", inotify_add_watch(openings.number, path, UInt32(IN_OPEN)))
                } catch  where !error.isTemporary {
                    // It has ended, or hides its executable from its own user.
                } catch {
                    let fault = SystemError.unwatched(path: SystemString(path), error)
                    unwatched.faults.withLock { $0[application] = fault }
                }
            }
        }
    }

    /// Thaws applications, since signs that they are wanted may be missed.
    private func thaw(_ applications: Set<String>, because error: any Error) {
        if applications.isEmpty { return }
        let areAll = applications.isSuperset(of: stopped)
        context.say(once: Self.deafness("\(error)", of: areAll ? [] : applications))
        report(.sign(applications, because: .unwatched))
    }

    /// Returns the line about applications that do not stay frozen; empty for all.
    static func deafness(_ reason: String, of applications: Set<String> = []) -> String {
        let names = applications.sorted().joined(separator: ", ").escapedForTerminal
        let stay = applications.count > 1 ? "do not stay" : "does not stay"
        return "hooks: \(names.isEmpty ? "nothing stays" : "\(names) \(stay)") frozen: \(reason)"
    }

    /// Watches exactly what is held.
    ///
    /// The windows of a thawed application stay selected until a message to them arrives, since selecting windows opens a
    /// new connection.
    ///
    /// - Parameters:
    ///   - held: What stops each application, or is about to.
    ///   - frozen: What is frozen, or about to be.
    func watch(_ held: [String: [Hold]], frozen: Set<String>) {
        self.frozen = frozen
        if frozen.isEmpty {
            stopListening()
            spare = nil
        } else if isAddressed {
            renewListener()
        }
        isAddressed = false
        if held.count == watched.count && held.allSatisfy({ watched[$0]?.holds == $1 }) { return }
        let former = watched
        watched = [:]
        for (name, holds) in held { watched[name] = Watched(holds: holds, program: former[name]?.program) }
        if watched.isEmpty {
            for bus in [monitor?.bus, nextMonitor?.bus, logind] { buses.close(bus) }
            (monitor, nextMonitor, logind) = (nil, nil, nil)
            answerWaiting()
        } else {
            do throws(SystemError) { try startMonitor() } catch { failure = Self.deafToCalls("\(error)") }
        }
        guard stopped.isEmpty else { return }
        if let openings { loop.forget(openings.number) }
        (openings, isOpened, next) = (nil, false, nil)
    }

    /// Plans a search, since a file was opened.
    func opened(at now: Duration = Clock.now()) {
        // The events wait for the search: the file may be opened all the time.
        if let openings { loop.setEvents(0, of: openings.number) }
        isOpened = true
        let search = max(now + Self.delay, lastSearch + Self.interval)
        next = min(next ?? search, search)
    }

    // MARK: Calls on a bus

    /// Calls a function once calls to all that is held are noticed, with the reason if they are not.
    func whenHeard(_ then: @escaping (_ lack: String?) -> Void) {
        if nextMonitor == nil { return then(failure) }
        waiting.append(then)
    }

    private func answerWaiting() {
        let waiting = waiting
        self.waiting = []
        for then in waiting { then(failure) }
    }

    private static func deafToCalls(_ reason: String) -> String {
        "calls on the session bus would not be noticed: \(reason.escapedForTerminal)"
    }

    /// Starts to monitor calls to all that is held, unless there is no bus. The new monitor replaces the former one once it
    /// has begun.
    private func startMonitor() throws(SystemError) {
        isNextStale = nextMonitor != nil
        if isNextStale { return }
        failure = nil
        guard let address = BusAddress.session(.own) else { return }
        let new: BusMonitor
        do throws(SystemError) {
            new = try BusMonitor(address, watched.mapValues(\.processes))
        } catch  where [ENOENT, ECONNREFUSED].contains(error.code) {
            // No program can call through a bus that has ended.
            return
        }
        new.notice = { [weak self] in self?.report($0) }
        new.begun = { [weak self] in self?.monitorBegan($0, lack: $1) }
        try listenToLogind()
        nextMonitor = new
        buses.keep(new.bus) { [weak self, weak new] in if let new { self?.lost(new) } }
    }

    /// Replaces the former monitor only now, so that no call is missed. It stays if the new one fails.
    private func monitorBegan(_ isListening: Bool, lack: String?) {
        let (new, isStale) = (nextMonitor, isNextStale)
        nextMonitor = nil
        if isListening {
            monitor?.bus.ready()
            buses.close(monitor?.bus)
            monitor = new
            if let lack {
                context.say(
                    once: "hooks: some calls on the session bus do not thaw frozen applications: \(lack)")
            }
            if isStale {
                do throws(SystemError) { try startMonitor() } catch { failure = Self.deafToCalls("\(error)") }
            }
        } else {
            buses.close(new?.bus)
            failure = Self.deafToCalls(lack ?? "it does not answer")
        }
        if nextMonitor == nil { answerWaiting() }
    }

    private func lost(_ lost: BusMonitor) {
        if lost === nextMonitor { return monitorBegan(false, lack: "the session bus does not answer") }
        monitor = nil
        report(.sign(Set(watched.keys), because: .deaf))
    }

    /// Listens to the shutdowns that logind announces. Without it, SIGTERM announces them.
    private func listenToLogind() throws(SystemError) {
        guard logind == nil, let address = BusAddress.system(.own) else { return }
        let bus: Bus
        do throws(SystemError) { bus = try Bus(address) } catch  where !error.isTemporary { return }
        let (name, member) = ("org.freedesktop.login1", "PrepareForShutdown")
        bus.received = { [weak self] message in
            if message.member == member, message.arguments.first == .number(1) {
                self?.report(.sessionMayEnd)
            }
        }
        // The bus delivers the messages of the owner of the name alone.
        let rule = "type='signal',sender='\(name)',interface='\(name).Manager',member='\(member)'"
        bus.call(.bus("AddMatch"), "s", [.text(rule)]) { _ in }
        buses.keep(bus) { [weak self] in self?.logind = nil }
        logind = bus
    }

    // MARK: Messages to windows

    /// Opens the connection that `listen` needs, unless it listens to the windows already, and then calls a function.
    func prepareToListen(then: @escaping () -> Void) {
        let windows = windows()
        guard !windows.isEmpty, windows != listener?.windows, spare == nil, let watcher = context.watcher,
            watcher.canReportDelivered
        else { return then() }
        do throws(SystemError) {
            let thread = try opener.begun()
            loop.watch(thread.answers.number) { [unowned self] in takeConnection() }
            listeners.append(then)
            if thread.isBusy { return }
            thread.submit { [name = watcher.displayName] in
                Result { () throws(MonitorFailure) in try SpareConnection(name) }
            }
        } catch {
            spare = .failure(.system(call: error.cause.call, code: error.code))
            then()
        }
    }

    /// Leaves out what is thawed.
    private func renewListener() {
        prepareToListen { [weak self] in
            guard let self else { return }
            do { try listenToWindows() } catch { thaw(self.frozen, because: error) }
        }
    }

    private func takeConnection() {
        spare = opener?.takeAnswers().last ?? spare
        let waiting = listeners
        listeners = []
        // One of them may use the connection.
        for then in waiting { prepareToListen(then: then) }
    }

    /// Listens to messages to the clients of the windows and no others, such as a window manager's request to close one,
    /// or a key that the client has grabbed. Such a key blocks the whole keyboard until the client answers.
    ///
    /// - Throws: If the connection that `prepareToListen` opens is missing.
    private func listenToWindows() throws {
        let wanted = windows()
        if wanted == listener?.windows ?? [:] { return }
        var new: DeliveredEvents?
        if !wanted.isEmpty, let watcher = context.watcher, watcher.canReportDelivered {
            let connection = spare ?? .failure(.displaySilent(watcher.displayName))
            spare = nil
            new = watcher.deliveredEvents(to: Set(wanted.keys), on: try connection.get())
        }
        if let new {
            loop.watch(new.fileDescriptor) { [unowned self] in
                // Without a report, `watch` is not called.
                if readMessages() { isAddressed = true } else { renewListener() }
            }
        } else if context.watcher != nil && !wanted.isEmpty {
            context.say(
                once:
                    "hooks: messages and grabbed keys do not thaw frozen applications: the X server lacks the RECORD extension"
            )
        }
        // Only now, so that no message is missed between the two listeners.
        readMessages()
        stopListening()
        listener = new.map { ($0, wanted) }
    }

    /// Returns whether there was something to report.
    @discardableResult
    private func readMessages() -> Bool {
        do {
            let isManaged = { [context] window in context.watcher?.isManaged(window) ?? false }
            guard let (events, windows) = listener else { return false }
            let names = Set(try events.takeAddressed(isManaged: isManaged).compactMap { windows[$0] })
            let reason = ThawReason.spokenTo("a message to one of its windows")
            if names.isEmpty { return false }
            report(.sign(names, because: reason))
        } catch {
            // Applications must not stay frozen while messages to them go unnoticed. They are frozen again later, if
            // still permitted.
            report(.sign(Set(listener?.windows.values.map(\.self) ?? []), because: .deaf))
            stopListening()
        }
        return true
    }

    private func stopListening() {
        if let listener { loop.forget(listener.events.fileDescriptor) }
        listener = nil
    }

    // MARK: Sockets, signals and second starts

    /// Looks at what is frozen.
    func look(at now: Duration) {
        next = now + Self.interval
        do throws(SystemError) {
            try context.checkDescriptors()
        } catch {
            return thaw(stopped, because: error)
        }
        for (application, fault) in unwatched.take() where watches(application) {
            thaw([application], because: fault)
        }
        let sockets = watched.values.contains { $0.program?.hasSockets == true } ? UnixSocket.all : []
        let table = isOpened ? ProcessTable.current() : nil
        if let openings, isOpened {
            var events = [UInt8](repeating: 0, count: 4096)
            // Once more after the last opening: the file may have to be read from a disk.
            isOpened = read(openings.number, &events, events.count) > 0
            if !isOpened { loop.setEvents(POLLIN, of: openings.number) }
            lastSearch = now
        }
        for application in stopped.sorted() {
            for reason in watched[application]?.program?.look(at: sockets, table, display: display) ?? [] {
                report(reason == .sessionMayEnd ? .sessionMayEnd : .sign([application], because: reason))
            }
        }
    }
}

/// The applications whose second starts would be missed.
private final class Unwatched: Sendable {
    let faults = Mutex<[String: SystemError]>([:])

    func take() -> [String: SystemError] {
        faults.withLock { faults in
            defer { faults = [:] }
            return faults
        }
    }
}
