import ArgumentParser
import Console
import Glibc
import Hooks
import Journal
import PhaseWatch
import Service
import System

struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show applications, phases and hooks live, full screen.",
        usage: "xphase top [app…] [options]",
        discussion: """
            Redraws after each change, and measures processor time and memory of each application every 3 s. The \
            times of today are those of the journal, if 'xphase run' keeps one.

            KEYS
              up, down  choose a row; also Page Up and Page Down
              f, t, e   freeze or thaw the chosen application, or explain its phase
              s         sort by the next column; a star marks it
              /         show only names that contain a text; Escape shows all
              q         quit
            """
    )

    @Argument(help: .subject, completion: .application, transform: { try PatternList($0) })
    var apps: [PatternList] = []

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        guard let screen = TopScreen() else {
            throw CommandFailure.misuse("top needs a full-screen terminal: use 'xphase watch'")
        }
        defer { screen.leave() }
        _ = try DisplayPhases.watch(on: display, io) { phases in
            let name = phases.displayName
            let display = DisplayFileName(name).description
            func readJournal() -> TodaysJournal? { try? TodaysJournal(of: display, io.environment) }
            var isSilent = false
            func askHooks() -> [HookStatus] {
                // A service that does not answer is not asked again.
                if isSilent { return [] }
                do {
                    return try VarlinkClient(
                        display: name, environment: io.environment, patience: .seconds(2)
                    ).status()
                } catch {
                    if case ServiceError.notRunning = error {} else { isSilent = true }
                    return []
                }
            }
            let subjects = try Subjects(apps.patterns, on: name)
            let table = TopTable(palette: io.palette, display: display, subjects: subjects)
            let sink = TopSink(screen, table, askHooks: askHooks, readJournal: readJournal) {
                Self.lines($0, name, io)
            }
            return try phases.run(into: [sink], withScenes: true)
        }
    }

    /// The time limit of a command. A display that hangs must not stop the screen for longer.
    private static let patience = Duration.seconds(4)

    /// Starts a command in a process of its own.
    ///
    /// - Returns: The process, and the pipe of its output and its messages.
    private static func start(
        _ command: [String], _ display: String, _ io: CommandIO
    ) throws(SystemError) -> (pid: pid_t, output: Descriptor) {
        let nothing = try Descriptor("open", open("/dev/null", O_RDONLY | O_CLOEXEC))
        let pipe = try Descriptor.pipe()
        let words = ["/proc/self/exe"] + command[..<1] + ["--display", display] + command[1...]
        let pid = try Spawn.start(
            words.map { SystemString($0) }, environment: io.environment.entries,
            descriptors: [nothing, pipe.writing, pipe.writing], directory: io.environment.workingDirectory)
        return (pid, pipe.reading)
    }

    /// Returns the output and the messages of a command.
    private static func lines(_ command: [String], _ display: String, _ io: CommandIO) -> [String] {
        guard let (pid, output) = try? start(command, display, io) else { return ["cannot start a process"] }
        var (text, end) = ([UInt8](), Clock.now() + patience)
        while case let left = end - Clock.now(), left > .zero {
            var state = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
            poll(&state, 1, Int32(left.milliseconds))
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(output.number, &chunk, chunk.count)
            if count == 0 { end = .zero }
            text += chunk.prefix(max(0, count))
        }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.isEmpty ? ["no answer within \(patience.text)"] : lines
    }
}

/// The journal of today about one display.
struct TodaysJournal {
    /// The active time of each application, in milliseconds.
    let active: [String: Int64]
    let present: [PresentApplication]
}

extension TodaysJournal {
    /// - Returns: nil if the journal has nothing about the display.
    init?(of display: String, _ environment: Environment) throws {
        let now = ReportTime.now
        let window = LocalTime(now).day().milliseconds..<now
        let tally = Tally(by: .application, window: window)
        let end = Clock.now() + .seconds(2)
        try JournalFiles(environment: environment).read(into: tally) { _ in
            // The screen stands still meanwhile.
            if Clock.now() > end { throw CommandFailure(Exit.timedOut) }
        }
        let rows = Report(tally).rows.filter { $0.display == display }
        active = Dictionary(rows.map { ($0.application, $0.active) }) { one, _ in one }
        present = tally.present.filter { $0.display == display }
        if rows.isEmpty && present.isEmpty { return nil }
    }
}
