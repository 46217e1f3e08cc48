import Glibc
import Hooks
import Synchronization
import System

/// The processes of an application that was just stopped, and those of its windows.
typealias StoppedProcesses = (all: Set<Int32>, roots: [Int32])

/// One look a second at what is pending for frozen programs, and at second starts of them.
final class FrozenPrograms {
    typealias OnThread = (_ operation: sending @escaping () -> Void) throws(SystemError) -> Void

    private static let interval = Duration.seconds(1)
    /// When to search for a second start after a program is opened: the new process does not have its name yet.
    private static let delay = Duration.milliseconds(100)

    private let context: HookContext
    private let loop: EventLoop
    private let display: DisplayFileName
    private let memory: ProcessReadings
    private let onThread: OnThread
    /// What does not answer within this time counts as a second start.
    var patience = Duration.milliseconds(50)
    /// Receives what is noticed.
    var report: (HookInput) -> Void = { _ in }
    /// Receives applications whose second starts may be missed.
    var failed: (_ applications: Set<String>, SystemError) -> Void = { _, _ in }
    /// What is frozen, or awake only while it answers a call, by application.
    private var programs: [String: FrozenProgram] = [:]
    /// When the freezes under way were begun, since boot.
    private var moments: [String: Duration] = [:]
    /// nil while nothing is frozen.
    private(set) var files: ProgramFiles?
    /// Whether a file was opened, so that the next look searches for second starts.
    private var isOpened = false
    private var lastSearch = Duration.zero
    /// When to call `look`; nil for never.
    private(set) var next: Duration?

    /// - Parameter memory: Reads the memory of processes.
    init(
        _ context: HookContext, _ loop: EventLoop, display: DisplayFileName, memory: ProcessReadings,
        onThread: @escaping OnThread
    ) {
        self.context = context
        self.loop = loop
        self.display = display
        self.memory = memory
        self.onThread = onThread
    }

    var names: Set<String> { Set(programs.keys) }

    /// Prepares for freezes that begin now: a process that starts from now on is a second one.
    func prepare(for applications: Set<String>) throws(SystemError) {
        // A freeze may need several stops.
        for application in applications { moments[application] = moments[application] ?? Clock.sinceBoot() }
        if files != nil { return }
        let new = try ProgramFiles()
        loop.watch(new.openings.number) { [unowned self] in opened() }
        files = new
    }

    /// Begins to look at applications.
    func add(_ stopped: [String: StoppedProcesses], at now: Duration) {
        lazy var sockets = UnixSocket.all
        for (application, processes) in stopped {
            programs[application] = FrozenProgram(
                processes.all, roots: processes.roots,
                since: moments.removeValue(forKey: application) ?? Clock.sinceBoot(), among: sockets)
        }
        next = next ?? now + Self.interval
    }

    /// Begins to watch their files, on another thread: the disk of a program may not answer.
    ///
    /// - Parameter areNew: Whether second starts may have come before, unseen.
    func watchFiles(of stopped: [String: StoppedProcesses], areNew: Bool) {
        for (application, processes) in stopped.sorted(by: { $0.key < $1.key }) {
            do throws(SystemError) {
                guard let files else { throw .refused("its second starts are not watched") }
                try onThread { files.watch(processes.roots, of: application, opens: areNew) }
            } catch {
                failed([application], error)
            }
        }
    }

    /// Forgets all but these applications.
    func keep(_ applications: Set<String>) {
        programs = programs.filter { applications.contains($0.key) }
        moments = moments.filter { applications.contains($0.key) }
        guard programs.isEmpty, moments.isEmpty else { return }
        if let files { loop.forget(files.openings.number) }
        files = nil
        isOpened = false
        next = nil
    }

    /// Plans a search, since a file was opened.
    func opened(at now: Duration = Clock.now()) {
        // The events wait for the search: the file may be opened all the time.
        if let files { loop.setEvents(0, of: files.openings.number) }
        isOpened = true
        let search = max(now + Self.delay, lastSearch + Self.interval)
        next = min(next ?? search, search)
    }

    func look(at now: Duration) {
        next = now + Self.interval
        do throws(SystemError) {
            try context.checkDescriptors()
        } catch {
            return failed(names, error)
        }
        for (application, fault) in files?.takeFaults() ?? [:] where programs[application] != nil {
            failed([application], fault)
        }
        let sockets = programs.values.contains(where: \.hasSockets) ? UnixSocket.all : []
        let table = isOpened ? ProcessTable.current() : nil
        if let files, isOpened {
            // Once more after the last opening: the file may have to be read from a disk.
            isOpened = files.takeOpenings()
            if !isOpened { loop.setEvents(POLLIN, of: files.openings.number) }
            lastSearch = now
        }
        for application in names.sorted() {
            for reason in programs[application]?.look(at: sockets) ?? [] {
                report(reason == .sessionMayEnd ? .sessionMayEnd : .sign([application], because: reason))
            }
        }
        if let table { search(table) }
    }

    /// Searches for second starts.
    private func search(_ table: ProcessTable) {
        var starts: [ProcessIdentity: [String: Int32]] = [:]
        for (application, program) in programs {
            for (start, first) in program.possibleStarts(in: table) {
                starts[start, default: [:]][application] = first
            }
        }
        if starts.isEmpty { return }
        // One reading for all: a process that does not answer leaves behind a thread.
        let applications = { @Sendable [display, starts] (start: ProcessIdentity) in
            let meant = (starts[start] ?? [:]).filter {
                FrozenProgram.isSecondStart(start.pid, of: $0.value, on: display)
            }
            return Set(meant.keys)
        }
        memory.read(Set(starts.keys), within: patience, applications) { [weak self, starts] answers in
            for name in self?.names.sorted() ?? [] {
                let seconds = starts.filter { start, firsts in
                    firsts[name] != nil && answers[start]?.contains(name) ?? true
                }.keys
                guard let second = seconds.min(by: { $0.pid < $1.pid }) else { continue }
                let words =
                    answers[second] == nil
                    ? "process \(second.pid), which may be a second start of its program and does not answer"
                    : "a second start of its program, process \(second.pid)"
                self?.report(.sign([name], because: .spokenTo(words)))
            }
        }
    }
}

/// The executables of frozen programs, which inotify(7) reports when they are opened, as a second start does.
final class ProgramFiles: Sendable {
    let openings: Descriptor
    /// What could not be watched, by application.
    private let faults = Mutex<[String: SystemError]>([:])

    init() throws(SystemError) { openings = try .fileEvents() }

    /// Watches the executables of processes. May wait for a disk.
    ///
    /// - Parameter opens: Whether to report them as opened once: a second start may have come before the watch.
    func watch(_ pids: [Int32], of application: String, opens: Bool) {
        for pid in pids {
            let path = "/proc/\(pid)/exe"
            do throws(SystemError) {
                try SystemError.check(
                    "inotify_add_watch", inotify_add_watch(openings.number, path, UInt32(IN_OPEN)))
                if opens { _ = try Descriptor("open", open(path, O_RDONLY | O_CLOEXEC)) }
            } catch  where !error.isTemporary {
                // It has ended, or hides its executable from its own user.
            } catch {
                faults.withLock { $0[application] = .unwatched(path: SystemString(path), error) }
            }
        }
    }

    func takeFaults() -> [String: SystemError] { faults.withLock { exchange(&$0, with: [:]) } }

    /// Returns whether a file was opened since the last call.
    func takeOpenings() -> Bool {
        var events = [UInt8](repeating: 0, count: 4096)
        return read(openings.number, &events, events.count) > 0
    }
}
