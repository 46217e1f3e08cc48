import TestDesktop
import Testing

/// The active window while the user is idle.
struct IdleTests {
    private let display: VirtualDisplay
    private let client: TestClient
    private let alpha: TestWindow

    init() throws {
        (display, client, alpha) = try Stage.oneWindow()
    }

    private func watch(_ arguments: String..., on environment: [String: String?]? = nil) throws -> Program {
        try Program(
            XPhase.path, ["watch", "--json"] + arguments, environment: environment ?? display.environment)
    }

    private func next(_ watch: Program) throws -> String {
        while let text = try watch.output.next() {
            let line = try Line(text)
            if line.kind == "application" { return line.description }
        }
        throw Failure("xphase ended: \(try watch.errors.rest())")
    }

    @Test func theActiveWindowIsInactiveUntilTheUserIsBack() throws {
        let watch = try watch("--idle", "1s")
        // No key has been pressed yet, so it depends on timing whether the user is idle at the start.
        _ = try next(watch)
        try display.run("xdotool key a")
        while try next(watch) != "Alpha active→inactive idle" {}
        for (limit, phase) in [("1s", "inactive"), ("1h", "active")] {
            let rules = try HookHome("idle = '\(limit)'")
            let result = try XPhase.run(["phase", "alpha"], on: display, environment: rules.environment)
            #expect(result.output == [phase])
        }
        #expect(try XPhase.run(["phase", "alpha"], on: display).output == ["active"])
        try display.run("xdotool key a")
        #expect(try next(watch) == "Alpha inactive→active return")
        #expect(try next(watch) == "Alpha active→inactive idle")
    }

    /// As while the user watches a film.
    @Test func nobodyIsIdleWhileAProgramInhibitsThat() throws {
        let logind = try FakeLogind()
        try logind.hold(what: "idle", by: 1)
        let watch = try watch("--idle", "1s", on: logind.environment.merging(display.environment) { $1 })
        _ = try next(watch)
        try display.run("xdotool key a")
        let former = try logind.questions
        #expect(try waitUntil { try logind.questions > former })
        let beta = TestWindow(client, .init("Beta"), colour: 1)
        beta.map()
        client.sync()
        #expect(try next(watch).hasPrefix("Beta →"))
        try logind.hold(what: "sleep", by: 1)
        try display.run("xdotool key a")
        #expect(try next(watch) == "Alpha active→inactive idle")
    }

    /// The X server reports the idle time to new clients, too.
    @Test func explainSaysSinceWhen() throws {
        let rules = try HookHome("idle = '1s'")
        func line(_ start: String) throws -> String? {
            try XPhase.run(["explain", "alpha"], on: display, environment: rules.environment).output
                .first { $0.hasPrefix("  \(start)") }
        }
        try display.run("xdotool key a")
        #expect(try waitUntil { try line("idle since ") != nil })
        // A screen saver that is forced on has no start time.
        try display.run("xset s activate")
        #expect(try line("display off") == "  display off: the screen saver blanked it, and it has the focus")
        try display.run("xset s reset")
        try display.run("xset s 1 1")
        let blank = #/  display off since \d\d:\d\d:\d\d or earlier: the screen saver blanked it, and .*/#
        #expect(try waitUntil { try line("display off since ")?.wholeMatch(of: blank) != nil })
    }

    @Test func nothingWakesItWhileNothingHappens() throws {
        let watch = try watch("--idle", "1h", "--occlusion", "2s")
        _ = try next(watch)
        #expect(try watch.comesToRest())
        // The watch still reports changes.
        alpha.unmap()
        client.sync()
        #expect(try next(watch) == "Alpha active→background close")
    }
}
