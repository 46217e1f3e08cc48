import Console
import Glibc
import Hooks
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Journal
@testable import xphase

/// `xphase top` in a real terminal in tmux. `TopPageTests` has the page.
struct TopTests {
    /// Starts it, for the applications that are named, and waits for Alpha.
    private static func start(_ names: String = "", on stage: Stage, rows: Int = 12) throws -> TmuxTerminal {
        let terminal = try TmuxTerminal(stage.home, stage.display, rows: rows)
        try terminal.type("xphase top \(names)", "Enter")
        try terminal.waitForRow("Alpha", " active ")
        return terminal
    }

    private static func waitForShell(_ terminal: TmuxTerminal) throws {
        try terminal.waitForScreen("the shell") {
            $0.contains { $0.hasPrefix("ready>") } && !$0.contains { $0.hasPrefix("Alpha ") }
        }
    }

    @Test func topShowsNamedApplicationsAndKeysSortAndFilterThem() throws {
        let (stage, _) = try Stage.alpha(.none)
        let terminal = try Self.start("al\\*,beta,gamma", on: stage)
        for name in ["Other", "Beta"] { try stage.show(.init(name), x: 0, y: 300) }
        try terminal.waitForRow("Beta", " inactive ")
        #expect(try terminal.waitForScreen(" today*")[0].hasSuffix("  2 applications"))
        try terminal.type("h")
        #expect(try terminal.waitForScreen("  0 hidden applications")[1].contains(", h hidden, "))
        try terminal.type("h")
        try terminal.waitForRow("Alpha")
        try terminal.type("?")
        try terminal.waitForScreen("h         show only hidden applications, or all again")
        try terminal.type("Down", "q")
        try terminal.waitForRow("Alpha")
        for heading in ["since*", "cpu*", "wakes*", "memory*", "hooks*", "application*", "phase*", "today*"] {
            try terminal.type("s")
            try terminal.waitForScreen(heading)
        }
        try terminal.type("/", "bet")
        try terminal.waitForScreen("a filter") {
            !$0.contains { $0.hasPrefix("Alpha") } && $0.contains { $0.contains("/bet_") }
        }
        try terminal.type("Enter")
        try terminal.waitForScreen("  /bet")
        try terminal.type("Escape")
        try terminal.waitForRow("Alpha")
        try terminal.tmux(["resize-window", "-x", "20", "-y", "5"])
        try terminal.waitForScreen("five rows") {
            // A truncated row has its mark in the last column.
            $0.count == 5 && $0[1].count == 20 && $0[1].last == "…"
        }
        try terminal.waitForRow("Alpha", "active")
    }

    @Test func topLeavesTheTerminalAsItWasHoweverItEnds() throws {
        let (stage, _) = try Stage.alpha(.none)
        let terminal = try TmuxTerminal(stage.home, stage.display)
        let modes = try terminal.modes()
        // C-s does not stop the output, so `q` can still end xphase.
        for keys in [nil, ["C-c"], ["C-s", "q"], ["C-z"], ["q"]] {
            // The last one continues what C-z has stopped.
            try terminal.type(keys == ["q"] ? "fg" : "clear; xphase top", "Enter")
            try terminal.waitForRow("Alpha")
            for key in keys ?? [] { try terminal.type(key) }
            if keys == nil { kill(try terminal.pid(), SIGTERM) }
            try Self.waitForShell(terminal)
            #expect(try waitUntil { try terminal.modes() == modes })
        }
        stage.environment["TERM"] = .some(nil)
        let dumb = try Terminal()
        #expect(try stage.start("top", terminal: dumb).exitCode() == 0)
        #expect(try dumb.text().contains("Alpha"))
    }

    @Test func onAPipeTopPrintsOneTableInWhichNothingIsCut() throws {
        let (stage, _) = try Stage.alpha(.none)
        let long = String(repeating: "long", count: 30)
        try stage.show(.init(long), x: 0, y: 300)
        let top = try stage.output("top")
        #expect(top.count == 4 && top[0].hasSuffix("  2 applications"), "\(top)")
        #expect(top[1].hasPrefix("application ") && top[1].hasSuffix("hooks"))
        #expect(top[2].contains(/^Alpha +active .* M$/) && top[3].hasPrefix("\(long) "), "\(top)")
        #expect(try stage.output("top nothing").count == 2)
    }

    /// The chosen row is always visible, and keeps its application in every sort order.
    @Test func arrowsChooseARowOfTopAndAServerThatHangsDoesNotStopTop() throws {
        let (stage, _) = try Stage.alpha(.none)
        let names = (1...8).map { "N\($0)" }
        for name in names { try stage.show(.init(name), x: 0, y: 300) }
        let terminal = try Self.start(on: stage, rows: 7)
        for (keys, choice) in [
            (["Down", "Down"], "N1"), (["PageDown"], "N5"), (["Down", "Down", "Down", "Down"], "N8"),
            (["PageUp", "k"], "N3"), (["s"], "N3"), (["Escape"], nil),
        ] {
            for key in keys { try terminal.type(key) }
            try terminal.waitForScreen("\(choice ?? "no") choice", escapes: true) { lines in
                let chosen = lines.first { $0.contains("[7m") || $0.contains(";7m") } ?? ""
                return names.first(where: chosen.contains) == choice
            }
        }
        stage.display.send(SIGSTOP)
        defer { stage.display.send(SIGCONT) }
        try terminal.type("Down", "e")
        try terminal.waitForScreen("no answer within 3s")
        try terminal.type("q")
        try Self.waitForShell(terminal)
    }

    /// The journal, the lock of a service and the home directory are on it.
    @Test func aDiskThatDoesNotAnswerDoesNotStopTop() throws {
        let (stage, _) = try Stage.alpha(.none)
        let display = DisplayFileName(stage.display.name).description
        let lock = "state/xphase/undo-record-\(display).lock"
        _ = try Program.run("mkdir", ["-p", "-m", "700", "\(stage.home.path)/state/xphase"])
        try stage.home.write(lock, "")
        let fault = "-e trace=openat,access -e inject=openat,access:delay_enter=600s"
        let places = "-P ~ -P ~/state/xphase/journal"
        let terminal = try TmuxTerminal(stage.home, stage.display)
        // It would wait for the delays, and keep the dead process.
        defer {
            _ = try? Program.run(
                "pkill", ["-KILL", "-f", "strace .*\(stage.home.path)/state"], package: "procps")
        }
        try terminal.type("strace -f -qq -o /dev/null \(fault) \(places) xphase top", "Enter")
        try terminal.waitForRow("Alpha", " active ")
        let disk = try FileLease("\(stage.home.path)/\(lock)")
        #expect(waitUntil { disk.isAwaited })
        // The command looks for the service, too.
        try terminal.type("Down", "e")
        try terminal.waitForScreen("no answer within 3s")
        try terminal.type("q")
        try Self.waitForShell(terminal)
    }

    /// The use of the processor includes all descendants, here that of `sh`. The journal supplies the times of today.
    @Test func topShowsWhatHooksDoAndKeysActOnTheChosenApplication() throws {
        let hooks = try HookSession(
            """
            journal = true
            \(DesktopTests.FreezeTests.hook(of: "\"Frozen\""))
            \(HookSession.pair("later", "after = \"1h\""))
            """)
        let session = hooks.session
        let alpha = try session.open("Alpha")
        func start(_ name: String, _ command: String...) throws -> ProgramWindow {
            try ProgramWindow(
                session, "xterm", ["-class", name, "-e"] + command, package: "xterm", application: name)
        }
        let busy = try start("Busy [1]", "sh", "-c", "while :; do :; done")
        let frozen = try start("Frozen", "sleep", "1000")
        let terminal = try TmuxTerminal(hooks.home, session.display, columns: 110, rows: 20)
        try terminal.type("xphase top", "Enter")
        try terminal.waitForScreen("the use of the processor and of memory") { lines in
            let row = lines.first { $0.hasPrefix("Busy [1] ") }
            let use = row?.firstMatch(of: /(\d+) % +<?\d+ +\d+ M/)
            return use.flatMap { Int($0.1) }.map { $0 > 5 } ?? false
        }
        try terminal.waitForRow("Frozen", " s ")
        frozen.iconify()
        try terminal.waitForRow("Frozen", "  frozen")
        alpha.iconify()
        try terminal.waitForRow("Alpha", " background ", "  waiting 'later'")
        frozen.activate()
        try terminal.waitForScreen("Frozen runs") {
            $0.contains { $0.hasPrefix("Frozen ") && $0.contains(" active ") && !$0.contains("frozen") }
        }
        func filter(_ text: String) throws {
            try terminal.type("/")
            try terminal.type("Escape")
            try terminal.type("/", text, "Enter")
        }
        try terminal.type("f")
        try terminal.waitForScreen("choose a row first")
        try filter("busy")
        try terminal.type("Down", "f")
        try terminal.waitForScreen("Busy [1] frozen")
        try terminal.waitForRow("Busy [1]", "  frozen")
        #expect(try busy.program.status("State").contains("T"))
        // Keys do not act on a row that a filter hides.
        try filter("nothing")
        try terminal.type("t")
        try terminal.waitForScreen("choose a row first")
        try filter("busy")
        try terminal.waitForRow("Busy [1]")
        try terminal.type("e")
        try terminal.waitForScreen("WM_CLASS")
        try terminal.type("Escape")
        try terminal.waitForScreen("application ")
        try terminal.type("t")
        #expect(try waitUntil { try !busy.program.status("State").contains("T") })
        try terminal.type("q")
        try hooks.end()
    }
}

/// The page of `xphase top`, without a terminal.
struct TopPageTests {
    private var table = TopTable(palette: Palette(isColoured: false), display: ":7")

    private mutating func change(
        _ name: String, _ phase: ScenePhase?, at seconds: Int = 0, _ cause: Cause = .focus
    ) {
        let members = Change.Members(counts: .init(active: 1), pids: [], groups: [])
        table.take(
            Change(kind: .phase, application: name, subject: .application(members), to: phase, cause: cause),
            at: Timestamp(seconds: seconds, nanoseconds: 0))
    }

    private func lines(_ columns: Int = 100, _ rows: Int = 10) -> [String] {
        table.lines(size: TerminalSize(columns: columns, rows: rows), now: .now())
    }

    private func rows() -> [String] {
        lines().dropFirst(3).map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// The journal supplies the times of today, and the start of a phase that is unchanged.
    @Test mutating func topShowsTheTimesOfTheJournal() {
        let now = Timestamp.now().seconds
        let past = now - 2 * 86_400
        let present = (phase: ScenePhase.active, since: Int64(past) * 1000)
        table.journal = [
            "Alpha": Report.Row(times: [.active: 3_720_000], present: present),
            "Gamma": Report.Row(present: present),
        ]
        change("Alpha", .active, at: now, .start)
        change("Beta", .background, at: now, .start)
        change("Gamma", .inactive, at: now, .start)
        let date = Timestamp(seconds: past, nanoseconds: 0).local.date.dropFirst(5)
        let clock = Timestamp(seconds: now, nanoseconds: 0).local.clock
        #expect(
            rows() == [
                "Alpha active 1 h 2 min \(date)", "Beta background - \(clock)", "Gamma inactive - \(clock)",
            ])
        // It is read later.
        let journal = table.journal
        table.journal = nil
        for (name, phase) in [("Alpha", .active), ("Beta", .background)] as [(String, ScenePhase)] {
            change(name, nil)
            change(name, phase, at: now, .start)
        }
        change("Gamma", .background, at: now)
        change("Gamma", .inactive, at: now)
        table.journal = journal
        #expect(
            rows() == [
                "Alpha active 1 h 2 min \(date)", "Beta background - \(clock)", "Gamma inactive - \(clock)",
            ])
        change("Alpha", nil)
        table.journal = nil
        #expect(rows() == ["Beta background \(clock)", "Gamma inactive \(clock)"])
    }

    /// No page is wider or higher than the terminal, whatever the names of windows.
    @Test mutating func topFitsEverySizeOfATerminal() {
        for name in [
            "Alpha", "漢字漢字漢字漢字漢字漢字漢字", "e\u{301}\u{301}\u{301}", "\u{1B}[2J\n", "",
            String(repeating: "W", count: 300),
        ] { change(name, .active) }
        for columns in [1, 2, 7, 20, 21, 40, 79, 80, 200] {
            for rows in [1, 2, 3, 4, 5, 24] {
                let lines = lines(columns, rows)
                #expect(lines.count <= rows)
                #expect(lines.allSatisfy { $0.columnCount <= columns }, "\(columns): \(lines)")
                #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
            }
        }
    }

    /// Columns are dropped before a name is truncated. A wide terminal has room for all.
    @Test(arguments: [
        (60, "today*"), (68, "since"), (78, "cpu"), (80, "wakes"), (88, "memory"), (140, "hooks"),
    ])
    mutating func topCutsNamesLast(_ columns: Int, _ last: String) {
        let name = "org.gnome.a-program-with-a-long-name"
        change(name, .active)
        let lines = lines(columns)
        #expect(lines[3].hasPrefix(name + " ") && lines[2].split(separator: " ").last ?? "" == last)
        #expect(self.lines(20)[3].hasPrefix("org.gno… "))
    }

    @Test mutating func onlyWhatIsHiddenIsShownUntilEscapeEndsIt() {
        for (name, phase) in [("Alpha", .active), ("Beta", .background), ("Gamma", .inactive)]
            as [(String, ScenePhase)]
        {
            change(name, phase)
        }
        table.showsOnlyHidden = true
        #expect(table.shown.map(\.name) == ["Beta"])
        #expect(lines()[0].hasSuffix("  1 hidden application"))
        change("Gamma", .background)
        table.filter = "gam"
        #expect(table.shown.map(\.name) == ["Gamma"])
        table.showAll()
        #expect(table.shown.count == 3 && lines()[0].hasSuffix("  3 applications"))
    }

    @Test mutating func eachAnswerIsShownFromItsFirstLine() {
        table.answer = (1...40).map { "line \($0)" }
        table.answerTop = 20
        #expect(lines().first == "line 21")
        table.answer = ["s  sort", "q  quit"]
        #expect(lines().first == "s  sort")
    }

    /// This thread is not the first one of its process.
    @Test func wakeUpsAreThoseOfAllThreads() throws {
        let row = try #require(ProcessTable.row(of: getpid()))
        let first = TopTable.Use(of: [row])
        for _ in 1...20 { poll(nil, 0, 1) }
        var second = TopTable.Use(of: [row])
        #expect(first.rates == nil)
        second.compare(with: first, after: 2)
        #expect(second.rates.map { $0.wakeUps >= 10 } == true)
        let others = second.wakeUps.filter { $0.key != getpid() }
        #expect(others.contains { $0.value >= first.wakeUps[$0.key, default: 0] + 20 })
        // What a thread did that has ended since is no reason to count less.
        var third = TopTable.Use(of: [])
        third.compare(with: second, after: 1)
        #expect(third.rates?.wakeUps == 0)
    }

    /// A build starts programs that end before anybody looks.
    @Test func theProcessorTimeOfEndedChildrenCountsUnlessTheyRanElsewhere() throws {
        var row = try #require(ProcessTable.row(of: getpid()))
        let first = TopTable.Use(of: [row])
        func share(ofChildren seconds: Double) -> Double? {
            row.ticksOfChildren += UInt64(seconds * ProcessIdentity.ticksPerSecond)
            defer { row.ticksOfChildren -= UInt64(seconds * ProcessIdentity.ticksPerSecond) }
            var second = TopTable.Use(of: [row])
            second.compare(with: first, after: 2)
            return second.rates?.share
        }
        #expect(share(ofChildren: 1) == 0.5)
        // A browser, which a shell has started, is closed.
        #expect(share(ofChildren: 1e6) == 0)
    }

    @Test mutating func topNamesAFreezeBeforeWhatHooksWaitFor() {
        change("Alpha", .background)
        var row = HookStatus("sleep", .entered, of: ("Alpha", "Alpha"))
        row.reactions = ["mute", "freeze"]
        let other = HookStatus("other", .entered, of: ("Beta", "Beta"))
        table.hooks = [HookStatus("later", .waiting, of: ("Alpha", "Alpha")), row, other]
        #expect(lines(140)[3].hasSuffix("  frozen, muted, waiting 'later'"))
    }
}
