import ArgumentParser
import Console
import Hooks
import Journal
import PhaseWatch
import Service
import System

struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show applications, phases and hooks live, full screen.",
        usage: "xphase top [options]",
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

    @Option(help: .display)
    var display: String?

    func run(_ io: CommandIO) throws {
        let watcher = try OpenDisplay.watcher(io.options(on: self.display), io)
        guard let screen = TopScreen() else {
            throw CommandFailure.misuse("this is no terminal that can show a full screen: use 'xphase watch'")
        }
        let display = DisplayFileName(watcher.displayName).description
        func readJournal() -> TodaysJournal? { try? TodaysJournal(of: display, io.environment) }
        var isSilent = false
        func askHooks() -> [HookStatus] {
            // A service that does not answer is not asked again.
            if isSilent { return [] }
            do {
                return try VarlinkClient(display: watcher.displayName, environment: io.environment).status()
            } catch {
                if case ServiceError.notRunning = error {} else { isSilent = true }
                return []
            }
        }
        var table = TopTable()
        table.journal = readJournal()
        let page = TopPage(palette: io.palette, display: display)
        let sink = TopSink(screen, table, page, askHooks: askHooks, readJournal: readJournal) {
            Self.lines($0, watcher.displayName, io)
        }
        defer { screen.leave() }
        _ = try watcher.watch(into: [sink])
    }

    /// Returns the output and the messages of a command.
    private static func lines(_ command: [String], _ display: String, _ io: CommandIO) -> [String] {
        var (io, text) = (io, "")
        io.palette = Palette(isColoured: false)
        io.put = { text += String(decoding: $0, as: UTF8.self) }
        io.say = { text += $0 + "\n" }
        _ = Main.run(command[..<1] + ["--display", display] + command[1...], io)
        return text.split(separator: "\n").map(String.init)
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
        try JournalFiles(environment: environment).read(into: tally)
        let rows = Report(tally).rows.filter { $0.display == display }
        active = Dictionary(rows.map { ($0.application, $0.active) }) { one, _ in one }
        present = tally.present.filter { $0.display == display }
        if rows.isEmpty && present.isEmpty { return nil }
    }
}
