import Glibc
import Hooks
import System

/// A watch for attempts to reach frozen applications: calls on the session bus, events that are pending for their
/// processes, and second starts of their programs. `Signs` detects messages to their windows.
final class SpokenTo {
    enum News: Hashable {
        /// The applications that are about to be frozen are monitored now, or cannot be.
        case prepared
        /// Something tries to reach the application; the text describes it.
        case spoken(application: String, String)
        /// Frozen applications would delay the end of the session.
        case sessionMayEnd
        /// A call to the application that only reads, or its answer.
        case called(application: String, BusCall)
        case answered(application: String, BusCall)
        /// Calls are no longer noticed.
        case deaf
        /// A message about what cannot be noticed here.
        case lack(String)
    }

    private static let interval = Duration.seconds(1)
    /// When to search for a second start after a program is opened: the new process does not have its name yet.
    private static let delay = Duration.milliseconds(100)

    private let loop: EventLoop
    private let display: DisplayFileName
    private let bus: BusWatch
    /// The processes to which calls are noticed, by application.
    private var heard: [String: Set<Int32>] = [:]
    private var frozen: [String: FrozenProgram] = [:]
    /// An inotify(7) instance that reports when a file of the frozen programs is opened, which executing it does; nil
    /// while nothing is frozen.
    private(set) var openings: Descriptor?
    /// Whether a file was opened, so that the next look searches for second starts.
    private var isOpened = false
    private var lastSearch = Duration.zero
    private var nextLook: Duration?

    /// - Parameter display: The name of the display.
    init(_ loop: EventLoop, display: String) {
        (self.loop, self.display, bus) = (loop, DisplayFileName(display), BusWatch(loop))
    }

    /// When to call `expire`; nil for never.
    var next: Duration? { [bus.next, nextLook].compactMap(\.self).min() }

    /// Whether anything is monitored or about to be.
    var isActive: Bool { !heard.isEmpty || !frozen.isEmpty }

    /// Starts to monitor processes that are about to be frozen.
    ///
    /// - Returns: Whether they are monitored already; if not, `prepared` follows later.
    func prepare(_ application: String, _ pids: Set<Int32>, at now: Duration) throws -> Bool {
        // An application that was thawed meanwhile may have further names.
        let isKnown = heard.updateValue(pids, forKey: application) == pids
        if isKnown && bus.covers(application, pids) { return true }
        return try !bus.listen(to: heard, at: now)
    }

    /// Watches an application that was just frozen.
    ///
    /// - Parameter roots: The processes of its windows.
    func add(_ application: String, roots: [Int32], at now: Duration) throws(SystemError) {
        // It may have got further names on the bus until it was stopped.
        if frozen[application] == nil { _ = try? bus.listen(to: heard, at: now) }
        frozen[application] = FrozenProgram(application, heard[application] ?? [], roots: roots)
        nextLook = nextLook ?? now + Self.interval
        if openings == nil {
            let new = try Descriptor("inotify_init1", inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
            loop.watch(new.number)
            openings = new
        }
        guard let openings else { return }
        // The executable of a process may be hidden from its own user.
        for pid in roots { inotify_add_watch(openings.number, "/proc/\(pid)/exe", UInt32(IN_OPEN)) }
    }

    /// Forgets all applications but these.
    func keep(_ applications: Set<String>, at now: Duration) {
        let former = heard.count
        heard = heard.filter { applications.contains($0.key) }
        frozen = frozen.filter { applications.contains($0.key) }
        if heard.isEmpty {
            bus.stop()
        } else if heard.count < former {
            // Calls to what is no longer frozen must not wake xphase. Without a new monitor, the former one stays.
            _ = try? bus.listen(to: heard, at: now)
        }
        guard frozen.isEmpty else { return }
        if let openings { loop.forget(openings.number) }
        (openings, isOpened, nextLook) = (nil, false, nil)
    }

    /// Handles a ready descriptor; returns nil if it is not ours.
    func ready(_ descriptor: Int32, at now: Duration) -> [News]? {
        guard descriptor == openings?.number else { return bus.ready(descriptor, at: now) }
        // The events wait for the search: the file may be opened all the time.
        loop.forget(descriptor)
        isOpened = true
        let search = max(now + Self.delay, lastSearch + Self.interval)
        nextLook = min(nextLook ?? search, search)
        return []
    }

    /// Returns the news that is due.
    func expire(at now: Duration) -> [News] {
        var news = bus.expire(at: now)
        guard let nextLook, nextLook <= now else { return news }
        self.nextLook = now + Self.interval
        let sockets = frozen.values.contains(where: \.hasSockets) ? UnixSocket.all : []
        let table = isOpened ? ProcessTable.current() : nil
        if table != nil { search(at: now) }
        for application in frozen.keys.sorted() {
            news += frozen[application]?.look(at: sockets, table, display: display) ?? []
        }
        return news
    }

    /// Decides whether the next look searches again.
    private func search(at now: Duration) {
        guard let openings else { return }
        var events = [UInt8](repeating: 0, count: 4096)
        // Once more after the last opening: the file may have to be read from a disk.
        isOpened = read(openings.number, &events, events.count) > 0
        if !isOpened { loop.watch(openings.number) }
        lastSearch = now
    }
}
