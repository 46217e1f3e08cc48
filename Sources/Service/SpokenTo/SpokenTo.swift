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
    /// Called after a message to a window. Messages to what is thawed must not wake xphase, so the next call to `listen`
    /// should leave it out.
    var addressed: () -> Void = {}
    /// The processes to which calls are noticed, by application. This includes applications that are about to be frozen.
    private var heard: [String: Set<Int32>] = [:]
    /// The answers about freezes that wait until the session bus is monitored for them.
    private var answers: [HookInput] = []
    /// The monitor of the session bus, and the one that replaces it once it has begun.
    private var monitor: BusMonitor?
    private var nextMonitor: BusMonitor?
    /// Why the monitor for what is about to be frozen could not begin; nil if it has begun, or if there is no bus.
    private var failure: String?
    /// The connection to the system bus, on which logind announces shutdowns.
    private var logind: Bus?
    /// The applications of the windows to which messages are noticed.
    private var windows: [UInt32: String] = [:]
    private var listener: DeliveredEvents?
    /// Opens the connection of the next listener: the display may be far away. nil before the first one.
    private var opener: DiskQueue<Result<SpareConnection, MonitorFailure>>?
    private var spare: Result<SpareConnection, MonitorFailure>?
    /// What waits for the connection, with the windows that it is for.
    private var listeners: [(wanted: () -> [UInt32: String], then: () -> Void)] = []
    private var frozen: [String: FrozenProgram] = [:]
    /// An inotify(7) instance that reports when a file of the frozen programs is opened, which executing it does; nil
    /// while nothing is frozen.
    private(set) var openings: Descriptor?
    /// Add watches to it: the disk of a program may not answer.
    private let threads = SeparateThreads()
    /// What the threads could not watch, for the next look.
    private let unwatched = Unwatched()
    /// Whether a file was opened, so that the next look searches for second starts.
    private var isOpened = false
    private var lastSearch = Duration.zero
    /// When to call `look`; nil for never.
    private(set) var next: Duration?

    /// - Parameter display: The name of the display.
    init(_ context: HookContext, _ loop: EventLoop, _ buses: Buses, display: String) {
        (self.context, self.loop, self.buses) = (context, loop, buses)
        self.display = DisplayFileName(display)
    }

    /// Makes what notices the signs that thaw an application. Throws if one of them would be missed: it must not be frozen.
    func prepareLooks() throws(SystemError) {
        try context.checkDescriptors()
        if let failure { throw .refused(failure) }
        if openings != nil { return }
        let new: Descriptor
        do throws(SystemError) {
            new = try Descriptor("inotify_init1", inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        } catch {
            throw .unwatched(path: nil, error)
        }
        loop.watch(new.number) { [unowned self] in opened() }
        openings = new
    }

    /// Watches an application that was just frozen for second starts and pending events, after `prepareLooks`.
    ///
    /// - Parameters:
    ///   - roots: The processes of its windows.
    ///   - now: The present time.
    func add(_ application: String, roots: [Int32], at now: Duration = Clock.now()) {
        do throws(SystemError) {
            try context.checkDescriptors()
            // It may have got further names on the bus until it was stopped.
            if frozen[application] == nil { _ = try startMonitor() }
            try watchOpenings(of: application, roots)
        } catch {
            thaw([application], because: error)
        }
        frozen[application] = FrozenProgram(heard[application] ?? [], roots: roots)
        next = next ?? now + Self.interval
    }

    /// Whether an application is frozen, or awake only while it answers a call.
    func watches(_ application: String) -> Bool { frozen[application] != nil }

    /// Adds the watches on another thread: the disk of a program may not answer.
    private func watchOpenings(of application: String, _ pids: [Int32]) throws(SystemError) {
        guard let openings else { return }
        try threads.run { [unwatched] in
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
    private func thaw(_ applications: Set<String>, because error: SystemError) {
        sayDeaf("\(error)")
        report(.sign(applications, because: .unwatched))
    }

    /// Reports once why applications are not frozen.
    func sayDeaf(_ reason: String) { context.say(once: "hooks: nothing stays frozen: \(reason)") }

    /// Forgets all but what is held. The windows of a thawed application stay selected until a message to them arrives,
    /// since selecting windows opens a new connection.
    func keep(held: Set<String>, frozen names: Set<String>) {
        if names.isEmpty {
            stopListening()
            spare = nil
        }
        guard answers.isEmpty else { return }
        let former = heard.count
        heard = heard.filter { held.contains($0.key) }
        frozen = frozen.filter { held.contains($0.key) }
        if heard.isEmpty {
            for bus in [monitor?.bus, nextMonitor?.bus, logind] { buses.close(bus) }
            (monitor, nextMonitor, logind) = (nil, nil, nil)
        } else if heard.count < former {
            // Calls to what is no longer frozen must not wake xphase. Without a new monitor, the former one stays.
            _ = try? startMonitor()
        }
        guard frozen.isEmpty else { return }
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

    /// Monitors calls to an application that is about to be frozen, and then passes on an answer about it.
    func prepare(_ application: String, _ pids: Set<Int32>, then answer: HookInput) {
        heard[application] = pids
        failure = nil
        do throws(SystemError) {
            if try startMonitor() { return answers.append(answer) }
        } catch {
            failure = Self.deafness("\(error)")
        }
        report(answer)
    }

    private static func deafness(_ reason: String) -> String {
        "calls on the session bus would not be noticed: \(reason.escapedForTerminal)"
    }

    /// Starts to monitor calls to all that is heard. The new monitor replaces the former one before a further application
    /// is frozen.
    ///
    /// - Returns: Whether `monitorBegan` follows; false if there is no bus.
    private func startMonitor() throws(SystemError) -> Bool {
        guard let address = BusAddress.session(.own) else { return false }
        let new: BusMonitor
        do throws(SystemError) {
            new = try BusMonitor(address, heard)
        } catch  where [ENOENT, ECONNREFUSED].contains(error.code) {
            // No program can call through a bus that has ended.
            return false
        }
        new.notice = { [weak self] in self?.report($0) }
        new.begun = { [weak self] in self?.monitorBegan($0, lack: $1) }
        try listenToLogind()
        buses.close(nextMonitor?.bus)
        nextMonitor = new
        buses.keep(new.bus) { [weak self, weak new] in if let new { self?.lost(new) } }
        return true
    }

    /// Replaces the former monitor only now, so that no call is missed. It stays if the new one fails.
    private func monitorBegan(_ isListening: Bool, lack: String?) {
        if isListening {
            monitor?.bus.ready()
            buses.close(monitor?.bus)
            monitor = nextMonitor
            if let lack {
                context.say(
                    once: "hooks: some calls on the session bus do not thaw frozen applications: \(lack)")
            }
        } else {
            buses.close(nextMonitor?.bus)
            failure = Self.deafness(lack ?? "it does not answer")
        }
        nextMonitor = nil
        for answer in answers { report(answer) }
        answers = []
    }

    private func lost(_ lost: BusMonitor) {
        if lost === nextMonitor { return monitorBegan(false, lack: "the session bus does not answer") }
        monitor = nil
        report(.sign(Set(heard.keys), because: .deaf))
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
    ///
    /// - Parameter wanted: Returns what is passed to `listen` then.
    func prepareToListen(to wanted: @escaping () -> [UInt32: String], then: @escaping () -> Void) {
        let windows = wanted()
        guard !windows.isEmpty, windows != self.windows, spare == nil, let watcher = context.watcher,
            watcher.canReportDelivered
        else { return then() }
        do throws(SystemError) {
            let thread: DiskQueue<Result<SpareConnection, MonitorFailure>>
            if let opener { thread = opener } else { thread = try DiskQueue() }
            if opener == nil { loop.watch(thread.answers.number) { [unowned self] in takeConnection() } }
            opener = thread
            listeners.append((wanted, then))
            if thread.isBusy { return }
            thread.submit { [name = watcher.displayName] in
                Result { () throws(MonitorFailure) in try SpareConnection(name) }
            }
        } catch {
            spare = .failure(.system(call: error.cause.call, code: error.code))
            then()
        }
    }

    private func takeConnection() {
        spare = opener?.takeAnswers().last ?? spare
        let waiting = listeners
        listeners = []
        // One of them may use the connection.
        for (wanted, then) in waiting { prepareToListen(to: wanted, then: then) }
    }

    /// Listens to messages to the clients of these windows and no others, such as a window manager's request to close one,
    /// or a key that the client has grabbed. Such a key blocks the whole keyboard until the client answers.
    ///
    /// - Parameter wanted: The windows, with the names of the applications that a message is to thaw.
    /// - Throws: If the connection that `prepareToListen` opens is missing.
    func listen(to wanted: [UInt32: String]) throws {
        if wanted == windows { return }
        var new: DeliveredEvents?
        if !wanted.isEmpty, let watcher = context.watcher, watcher.canReportDelivered {
            let connection = spare ?? .failure(.displaySilent(watcher.displayName))
            spare = nil
            new = watcher.deliveredEvents(to: Set(wanted.keys), on: try connection.get())
        }
        if let new {
            loop.watch(new.fileDescriptor) { [unowned self] in
                readMessages()
                addressed()
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
        (listener, windows) = (new, new == nil ? [:] : wanted)
    }

    private func readMessages() {
        do {
            let isManaged = { [context] window in context.watcher?.isManaged(window) ?? false }
            let addressed = try listener?.takeAddressed(isManaged: isManaged) ?? []
            let names = Set(addressed.compactMap { windows[$0] })
            let reason = ThawReason.spokenTo("a message to one of its windows")
            if !names.isEmpty { report(.sign(names, because: reason)) }
        } catch {
            // Applications must not stay frozen while messages to them go unnoticed. They are frozen again later, if
            // still permitted.
            report(.sign(Set(windows.values), because: .deaf))
            stopListening()
        }
    }

    private func stopListening() {
        if let listener { loop.forget(listener.fileDescriptor) }
        (listener, windows) = (nil, [:])
    }

    // MARK: Sockets, signals and second starts

    /// Looks at what is frozen.
    func look(at now: Duration) {
        next = now + Self.interval
        do throws(SystemError) {
            try context.checkDescriptors()
        } catch {
            return thaw(Set(frozen.keys), because: error)
        }
        for (application, fault) in unwatched.take() where frozen[application] != nil {
            thaw([application], because: fault)
        }
        let sockets = frozen.values.contains(where: \.hasSockets) ? UnixSocket.all : []
        let table = isOpened ? ProcessTable.current() : nil
        if let openings, isOpened {
            var events = [UInt8](repeating: 0, count: 4096)
            // Once more after the last opening: the file may have to be read from a disk.
            isOpened = read(openings.number, &events, events.count) > 0
            if !isOpened { loop.setEvents(POLLIN, of: openings.number) }
            lastSearch = now
        }
        for application in frozen.keys.sorted() {
            for reason in frozen[application]?.look(at: sockets, table, display: display) ?? [] {
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
