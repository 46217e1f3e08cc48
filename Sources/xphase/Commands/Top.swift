import ArgumentParser
import Console
import Hooks
import Journal
import PhaseWatch
import Service
import System

struct Top: Command {
    /// The keys and their meanings.
    static let keys = [
        "up, down  choose a row; also Page Up, Page Down, Home, End and the mouse",
        "f, t      freeze or thaw the chosen application",
        "e, w      explain its phase; explain what its hooks did",
        "p         pause all hooks, or resume them",
        "s         sort by the next column; a star marks it",
        "/         show only names that contain a text; Escape shows all",
        "?         show these keys",
        "q         quit",
    ]

    static let configuration = CommandConfiguration(
        command: "top",
        abstract: "Show applications, phases and hooks live, full screen.",
        usage: "xphase top [options]",
        discussion: """
            Redraws after each change, and measures processor time and memory of each application every 3 s. Times \
            cover today if 'xphase run' keeps a journal, otherwise since 'xphase top' started. Without a terminal, \
            prints what 'xphase watch' prints.

            KEYS
            \(keys.map { "  " + $0 }.joined(separator: "\n"))
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only applications with this class or instance name: a glob or a /regex/; repeatable.",
            valueName: "pattern"), completion: .application, transform: Arguments.pattern)
    var application: [Pattern] = []

    @Option(help: .display, transform: Arguments.text)
    var display: String?

    func run(_ io: CommandIO) throws {
        let watcher = try OpenDisplay.watcher(io.options(on: self.display), io)
        guard let screen = TopScreen() else { return try watch(watcher, io) }
        let display = DisplayFileName(watcher.displayName).description
        let table = try Self.journal(of: display, io.environment)
        var page = TopPage(palette: io.palette, display: display)
        if table == nil { page.start = .now() }
        let sink = TopSink(
            screen, table ?? TopTable(), page,
            criteria: Criteria(application: application),
            askHooks: Self.hooks(of: watcher.displayName, io.environment)
        ) { Self.lines($0, watcher.displayName, io) }
        defer { screen.leave() }
        _ = try watcher.run(into: [sink])
        if let failure = sink.failure { throw failure }
    }

    private func watch(_ watcher: PhaseWatcher, _ io: CommandIO) throws {
        io.say("this terminal cannot show a full screen: the output of 'xphase watch' follows")
        let sink = LineSink(
            format: .text(TextLine(palette: io.palette)),
            filter: EventFilter(
                levels: [.application], criteria: Criteria(application: application), hidesInitial: false),
            descriptor: StandardOutput.withoutWaiting())
        _ = try watcher.run(into: [sink])
    }

    /// Returns today's times from the journal; nil if the journal has nothing about this display.
    private static func journal(of display: String, _ environment: Environment) throws -> TopTable? {
        guard let files = try? JournalFiles(environment: environment) else { return nil }
        let now = ReportTime.now
        let window = LocalTime(now).day().milliseconds..<now
        guard files.dates.last ?? "" >= LocalTime(now).date else { return nil }
        let tally = Tally(Tally.Question(by: .application, window: window))
        try JournalReading(files, window: window).read(into: tally) { _ in }
        let rows = Report(tally).rows.filter { $0.display == display }
        let present = tally.present.filter { $0.display == display }
        if rows.isEmpty && present.isEmpty { return nil }
        return TopTable(
            past: Dictionary(rows.map { ($0.application, $0.times) }) { one, _ in one }, present: present)
    }

    /// Returns the output and the messages of a command.
    private static func lines(_ command: [String], _ display: String, _ io: CommandIO) -> [String] {
        var (io, text) = (io, "")
        io.palette = Palette(isColoured: false)
        io.put = { text += String(decoding: $0, as: UTF8.self) }
        io.say = { text += $0 + "\n" }
        let place = command.firstIndex(of: "--") ?? command.endIndex
        _ = Main.run(command[..<place] + ["--display", display] + command[place...], io)
        return text.split(separator: "\n").map(String.init)
    }

    /// Returns a function that gets the hook states of the running `xphase run`. It stops calling after any error
    /// except `notRunning`, such as a timeout.
    private static func hooks(of display: String, _ environment: Environment) -> () -> [HookStatus]? {
        var isSilent = false
        return {
            if isSilent { return nil }
            do {
                return try VarlinkClient(display: display, environment: environment).status()
            } catch ServiceError.notRunning {
                return []
            } catch {
                isSilent = true
                return []
            }
        }
    }
}

extension Criteria {
    fileprivate init(application: [Pattern]) {
        self.init()
        self.application = application
    }
}
