import Glibc
import System

/// A watch for second starts of frozen programs, in which the second process hands over to the first.
final class StartedAgain {
    private struct Program {
        var application: String
        var pid: Int32
        /// When it was frozen. A process that starts later is a second one.
        var frozen: Duration
    }

    /// The precision of process start times in the kernel.
    private static let tick = Duration.milliseconds(10)
    /// When to look after the file is opened: the new process does not have its name yet, and the file may have to be
    /// read from a disk.
    private static let delays = [Duration.milliseconds(20), .milliseconds(100), .milliseconds(300)]

    private let loop: EventLoop
    private let display: String
    private var watch: StartWatch?
    private var programs: [Int32: [Program]] = [:]
    private var looks: [Duration] = []

    /// - Parameter display: The display whose programs are watched.
    init(_ loop: EventLoop, display: String) {
        (self.loop, self.display) = (loop, DisplayFileName(display).description)
    }

    var descriptor: Int32? { watch?.descriptor }
    /// When to call `look`; nil for never.
    var next: Duration? { looks.min() }

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
                Program(application: application, pid: pid, frozen: moment))
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
        (self.watch, looks) = (nil, [])
    }

    /// Schedules looks after a watched file was opened, which may be about to be executed.
    func ready(at now: Duration) {
        guard let opened = watch?.take(), opened.contains(where: { programs[$0] != nil }) else { return }
        looks = Self.delays.map { now + $0 }
    }

    /// Returns the applications whose programs were started again, with the new processes.
    func look(at now: Duration) -> [String: ProcessRow] {
        looks.removeAll { $0 <= now }
        let table = ProcessTable.current()
        var found: [String: ProcessRow] = [:]
        for program in programs.values.joined() {
            guard let own = table.rows[program.pid], let file = Self.file(of: program.pid) else { continue }
            found[program.application] = table.rows.values.first { row in
                // A program that is not frozen starts processes of its own all the time, so children of the same file
                // do not count.
                row.identity.started + Self.tick > program.frozen && row.name == own.name
                    && Self.file(of: row.pid) == file && Self.file(of: row.parent) != file
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
}
