import TestDesktop
import Testing

/// Whether anybody can see the windows. `OneAnswerTests` has the answers of every command, `PhaseWatchTests` the real
/// lockers.
struct SeenTests {
    private static func next(_ watch: Program) throws -> String {
        while let text = try watch.output.next() {
            let line = try Line(text)
            if line.kind == "application" { return line.description }
        }
        throw Failure("xphase ended: \(try watch.errors.rest())")
    }

    @Test func theActiveWindowIsInactiveUntilTheUserIsBack() throws {
        let (stage, _) = try Stage.alpha(.none)
        let watch = try stage.start("watch --json --idle 1s")
        // No key has been pressed yet, so it depends on timing whether the user is idle at the start.
        _ = try Self.next(watch)
        try stage.display.run("xdotool key a")
        while try Self.next(watch) != "Alpha active→inactive idle" {}
        // The X server reports the idle time to new clients, too.
        for (limit, phase) in [("none", "active"), ("1h", "active"), ("1s", "inactive")] {
            try stage.home.configure("idle = '\(limit)'")
            try stage.expect("phase alpha", output: [phase])
        }
        func explains(_ pattern: Regex<Substring>) throws -> Bool {
            try stage.output("explain alpha").contains { $0.wholeMatch(of: pattern) != nil }
        }
        #expect(try explains(/\ +idle since .*/))
        try stage.display.run("xdotool key a")
        #expect(try Self.next(watch) == "Alpha inactive→active return")
        #expect(try Self.next(watch) == "Alpha active→inactive idle")
        // A screen saver that is forced on has no start time.
        try stage.display.run("xset s activate")
        #expect(try explains(/\ +display off: the screen saver blanked it, and it has the focus/))
        try stage.display.run("xset s reset")
        try stage.display.run("xset s 1 1")
        let blank = #/\ +display off since \d\d:\d\d:\d\d or earlier: the screen saver blanked it, and .*/#
        #expect(try waitUntil { try explains(blank) })
    }

    /// As the lock screen of GNOME Shell, which X does not show.
    @Test(arguments: ["gnome", "freedesktop", "mate", "cinnamon"])
    func aScreenSaverWithoutAWindowLocks(desktop: String) throws {
        let (bus, name) = (try SessionBus(), "org.\(desktop).ScreenSaver")
        let saver = try FakeScreenSaver(name, on: bus)
        let (stage, _) = try Stage.alpha(.none)
        stage.environment.merge(bus.environment) { $1 }
        let service = try stage.start("run --json")
        #expect(try Self.next(service) == "Alpha →active start")
        saver.setActive(true)
        #expect(try Self.next(service) == "Alpha active→background lock")
        let watch = try stage.start("watch --json")
        #expect(try Self.next(watch) == "Alpha →background start")
        #expect(try stage.output("explain alpha").contains { $0.hasSuffix("locked according to \(name)") })
        for line in ["phase alpha", "list --level application --format {to}"] {
            try stage.expect(line, output: ["background"])
        }
        saver.setActive(false)
        for program in [service, watch] {
            #expect(try Self.next(program) == "Alpha background→active unlock")
        }
        saver.setActive(true)
        #expect(try Self.next(service) == "Alpha active→background lock")
        // Whoever locks the screen next does so by its own name.
        try saver.end()
        #expect(try Self.next(service) == "Alpha background→active unlock")
    }

    /// As while the user watches a film.
    @Test func nobodyIsIdleWhileAProgramInhibitsThat() throws {
        let (stage, _) = try Stage.alpha(.none)
        let logind = try FakeLogind()
        try logind.hold(what: "idle", by: 1)
        stage.environment.merge(logind.environment) { $1 }
        let watch = try stage.start("watch --json --idle 1s")
        _ = try Self.next(watch)
        try stage.display.run("xdotool key a")
        let former = try logind.questions
        #expect(try waitUntil { try logind.questions > former })
        try stage.show(.init("Beta"))
        #expect(try Self.next(watch).hasPrefix("Beta →"))
        try logind.hold(what: "sleep", by: 1)
        try stage.display.run("xdotool key a")
        #expect(try Self.next(watch) == "Alpha active→inactive idle")
    }

    /// The window of the locker also covers all others, for longer than the occlusion time.
    @Test func aLockerIsReportedAndReactedTo() throws {
        let hooks = try HookSession(
            "occlusion = \"100ms\"\n"
                + HookSession.hook(
                    "locked", "application = \"Alpha\"\ncause = \"lock\"\nafter = \"100ms\"",
                    shell: "echo $XPHASE_TO >> log"))
        let session = hooks.session
        try session.open("Alpha")
        var properties = TestWindow.Properties("Locker")
        properties.isOverrideRedirect = true
        // The locker leaves the right half of the screen free, which no monitor shows yet.
        try session.settle { try session.display.run("xrandr --setmonitor left 320/80x480/120+0+0 screen") }
        let locker = session.window(properties, x: 0, y: 0, width: 320, height: 480)
        func says(_ start: String, _ end: String) throws -> Bool {
            try session.output("explain alpha").contains { $0.hasPrefix("  \(start) ") && $0.contains(end) }
        }
        // Without the keyboard, it may be a game.
        #expect(try session.settle { locker.map() }.isEmpty)
        try session.expect("phase alpha", output: ["active"])
        #expect(try says("keyboard grabbed", " no"))

        let fall = try session.applicationLine("Alpha", to: "background") { session.client.grabKeyboard() }
        #expect(fall.cause == "lock" && fall.from == "active")
        try hooks.home.waitForLines(["background"])
        #expect(try says("locked by \(locker.name)", ", keyboard grabbed"))
        // Without the service, the file decides.
        let rules = try HookHome("session = 'none'")
        let file = rules.environment.merging(session.display.environment) { $1 }
        #expect(try XPhase.run(["phase", "alpha"], on: nil, environment: file).output == ["active"])

        // A monitor that is plugged in is not covered yet.
        let lines = try session.settle {
            try session.display.run("xrandr --setmonitor right 320/80x480/120+320+0 none")
        }
        #expect(lines.filter { $0.kind != "notice" }.isEmpty)
        try session.expect("phase alpha", output: ["background"])
        let rise = try session.applicationLine("Alpha", to: "active") { locker.destroy() }
        #expect(rise.cause == "unlock" && rise.from == "background")
        try hooks.end()
        #expect(try hooks.home.lines("log") == ["background"])
    }

    @Test func aWindowThatStaysCoveredIsInTheBackground() throws {
        let hooks = try HookSession("occlusion = '500ms'")
        let session = hooks.session
        let alpha = try session.open("Alpha", x: 40, y: 60)
        let beta = session.window(.init("Beta"), x: 300, y: 20, width: 290, height: 300)
        try session.settle { beta.map() }
        let fall = try session.applicationLine("Alpha", to: "background") { beta.move(x: 10, y: 20) }
        #expect(fall.cause == "covered" && fall.from == "inactive")
        try session.expect("phase \(alpha.name)", output: ["background"])
        let covers = "  covered: all of its 30,000 px are hidden by \(beta.name) Beta"
        #expect(try session.output("explain Alpha").contains(covers))
        let json = try session.output("explain \(alpha.name) --json").joined()
        for fact in [#""rule":"covered""#, #""coveredPixels":30000"#, #""coveredBy":["\#(beta.name)"]"#] {
            #expect(json.contains(fact), "\(fact)")
        }
        #expect(try session.applicationLine("Alpha", to: "active") { alpha.activate() }.cause == "uncovered")
    }
}

/// The monitor and extent of scenes, on two monitors side by side.
struct PlaceTests {
    /// A hook for one monitor, a subscriber to facts, and the last active scene of each monitor.
    @Test func hooksSubscribersAndTheActiveSceneGoByMonitor() throws {
        let hooks = try HookSession(
            HookSession.pair("pair", "level = \"scene\"\nmonitor = \"right\"").replacing(
                "\"background\"", with: "[\"active\", \"inactive\"]"))
        let session = hooks.session
        try session.display.run("xrandr --setmonitor left 320/80x480/120+0+0 screen")
        try session.display.run("xrandr --setmonitor right 320/80x480/120+320+0 none")
        let alpha = try session.open("Alpha", x: 20, y: 50)
        let client = try hooks.client(
            """
            filter = {"application": ["Alpha"], "level": ["scene"], "facts": True}
            peer = Client().send("org.xphase.Phases.Watch", more=True, filter=filter)
            for _ in range(4):
                change = peer.reply()["parameters"]["change"]
                say(change["change"], change["monitor"], change["extent"], change["to"])
            """)
        #expect(try client.output.next() == "initial left window active")
        func move(x: Int) throws {
            try session.display.run("wmctrl -i -r \(alpha.id) -e 0,\(x),50,-1,-1")
        }
        try move(x: 400)
        #expect(try client.output.next() == "facts right window active")
        try hooks.home.waitForLines(["enter pair"])
        try session.open("Beta", x: 20, y: 30)
        let active = "active --format {application}:{monitor}:{to}"
        #expect(try waitUntil { try session.run(active).output == ["Beta:left:active"] })
        #expect(try client.output.next() == "phase right window inactive")
        try session.settle { try move(x: 20) }
        try hooks.home.waitForLines(["enter pair", "leave pair"])
        #expect(try client.output.next() == "facts left window inactive")
    }
}
