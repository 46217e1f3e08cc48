import Glibc
import System

/// A watch for second starts of frozen programs, in which the second process hands over to the first.
final class StartedAgain {
    private struct Program {
        var application: String
        var pid: Int32
        var script: String?
        /// When it was frozen. A process that starts later is a second one.
        var frozen: Duration
    }

    /// The precision of process start times in the kernel.
    private static let tick = Duration.milliseconds(10)
    /// When to look after the file is opened: the new process does not have its name yet.
    private static let delay = Duration.milliseconds(100)
    private static let interval = Duration.seconds(1)

    private let loop: EventLoop
    private let display: String
    private var watch: StartWatch?
    private var programs: [Int32: [Program]] = [:]
    /// When to call `look`; nil for never.
    private(set) var next: Duration?
    private var last = Duration.zero

    /// - Parameter display: The display whose programs are watched.
    init(_ loop: EventLoop, display: String) {
        (self.loop, self.display) = (loop, DisplayFileName(display).description)
    }

    var descriptor: Int32? { watch?.descriptor }

    /// - Parameter roots: The processes of its windows.
    func add(_ application: String, roots: [Int32], at moment: Duration) throws(SystemError) {
        let watch: StartWatch
        if let present = self.watch {
            watch = present
        } else {
            watch = try StartWatch()
            loop.watch(watch.descriptor)
            self.watch = watch
        }
        for pid in roots {
            // The executable of a process may be hidden from its own user.
            guard let number = try? watch.watch(pid) else { continue }
            programs[number, default: []].append(
                Program(application: application, pid: pid, script: Self.script(of: pid), frozen: moment))
        }
    }

    func keep(_ applications: Set<String>) {
        programs = programs.compactMapValues { programs in
            let kept = programs.filter { applications.contains($0.application) }
            return kept.isEmpty ? nil : kept
        }
        // Releasing the `StartWatch` removes its watches.
        guard programs.isEmpty, let watch else { return }
        loop.forget(watch.descriptor)
        (self.watch, next) = (nil, nil)
    }

    /// Schedules a look after a watched file was opened, which may be about to be executed.
    func ready(at now: Duration) {
        guard next == nil, let watch else { return }
        // The events wait for the looks: the file may be opened all the time.
        loop.forget(watch.descriptor)
        next = max(now + Self.delay, last + Self.interval)
    }

    /// Returns the applications whose programs were started again, with the new processes.
    func look(at now: Duration) -> [String: ProcessRow] {
        let isOpened = watch?.take().contains { programs[$0] != nil } ?? false
        // Once more after the last opening: the file may have to be read from a disk.
        (last, next) = (now, isOpened ? now + Self.interval : nil)
        if next == nil, let watch { loop.watch(watch.descriptor) }
        let table = ProcessTable.current()
        var found: [String: ProcessRow] = [:]
        for program in programs.values.joined() {
            guard let own = table.rows[program.pid], let file = Self.file(of: program.pid) else { continue }
            found[program.application] = table.rows.values.first { row in
                // A program that is not frozen starts processes of its own all the time, so children of the same file
                // do not count.
                row.identity.started + Self.tick > program.frozen && row.name == own.name
                    && Self.file(of: row.pid) == file && Self.file(of: row.parent) != file
                    && (program.script == nil || program.script == Self.script(of: row.pid))
                    && Self.display(of: row.pid) == display
            }
        }
        return found
    }

    /// Returns the display that a process was started on; nil if its environment is hidden, or overwritten as xterm
    /// does.
    private static func display(of pid: Int32) -> String? {
        let variables = ProcessFolder(pid: pid)?.text("environ")?.split(separator: "\0") ?? []
        return variables.first { $0.hasPrefix("DISPLAY=") }
            .map { DisplayFileName(String($0.dropFirst(8))).description }
    }

    private static func file(of pid: Int32) -> SystemString? { SystemString("/proc/\(pid)/exe").linkTarget }

    /// Returns the script or the main class that a process executes; nil if it is not an interpreter, or if that is
    /// hidden.
    private static func script(of pid: Int32) -> String? {
        guard let file = file(of: pid)?.components.last?.description,
            let line = ProcessFolder(pid: pid)?.text("cmdline")
        else { return nil }
        return script(of: line.split(separator: "\0").map(String.init), executedBy: file)
    }

    private static let interpreters: Set = [
        "bash", "dash", "electron", "fish", "gjs", "guile", "java", "ksh", "lua", "mono", "node", "nodejs",
        "perl", "php", "pypy", "python", "ruby", "sh", "tclsh", "wine", "wish", "zsh",
    ]
    /// The options whose values could be mistaken for a script.
    private static let valued: Set = [
        "-cp", "-classpath", "--class-path", "--module-path", "-r", "--require", "-X", "-W", "-I",
    ]

    /// Returns the name of the script, main class or module in a command line; nil if there is none.
    ///
    /// - Parameter file: The name of the executable, such as `python3.11`.
    static func script(of arguments: [String], executedBy file: String) -> String? {
        guard interpreters.contains(String(file.prefix { $0.isLetter })) else { return nil }
        // Wine replaces the first argument with the path of the program.
        var script = arguments.first { $0.lowercased().hasSuffix(".exe") }
        var rest = arguments.dropFirst()
        while script == nil, let argument = rest.popFirst() {
            if valued.contains(argument) {
                rest = rest.dropFirst()
            } else if !argument.hasPrefix("-") {
                script = argument
            }
        }
        // A second start may name the same script by another path.
        return script?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }
}
