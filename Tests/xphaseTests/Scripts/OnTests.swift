import Glibc
import TestDesktop
import Testing

/// The commands that `xphase on` runs, when, and what ends it.
struct OnTests {
    private let stage: Stage
    private let alpha: TestWindow

    init() throws { (stage, alpha) = try Stage.alpha(instance: "part") }

    /// Even if it fails each time. The command has the environment and the input of a hook.
    @Test func aCommandRunsForEachOfItsPhasesAndNothingElse() throws {
        let script = "echo $XPHASE_HOOK $XPHASE_KIND $XPHASE_CAUSE $DISPLAY; cat; exit 3"
        let on = try stage.start("on al*,gamma active,background --initial --", "sh", "-c", script)
        func expectRun(_ phase: String, _ cause: String) throws {
            #expect(try on.output.next() == "on application \(cause) \(stage.display.name)")
            let json = try on.output.next()
            #expect(json?.contains(#""to":"\#(phase)","cause":"\#(cause)""#) == true)
        }
        try expectRun("active", "start")
        try stage.show(.init("Beta"), x: 300)
        try stage.wait(for: "Alpha", "inactive")
        try stage.hide(alpha, "Alpha")
        try expectRun("background", "iconify")
        try stage.focus(alpha, "Alpha")
        try expectRun("active", "deiconify")
        on.send(SIGTERM)
        #expect(try on.exitCode() == 0)
        #expect(try on.output.rest().isEmpty)
        let failures = try on.errors.rest().filter { $0.hasPrefix("xphase: hook 'on': exit 3 after ") }
        #expect(failures.count >= 2)
    }

    @Test func onReportsWhatItWaitsForAndThePhaseAtTheStartIsNoChange() throws {
        // Named by the instance, which the class does not contain.
        let on = try stage.start(
            "on PART active,background --", "sh", "-c", "echo $XPHASE_FROM to $XPHASE_TO")
        let part = "'PART' is only an instance name of Alpha, and this follows all of Alpha: "
        #expect(try on.errors.next()?.hasPrefix("xphase: \(part)") == true)
        #expect(try on.errors.next()?.hasSuffix("; now: Alpha (active)") == true)
        // It has read the initial state by then.
        #expect(try on.comesToRest())
        try stage.hide(alpha, "Alpha")
        #expect(try on.output.next() == "active to background")
        let there = try stage.start("on al* background -- true")
        let now = "xphase: waiting for al* to enter background; now: Alpha (background)"
        #expect(try there.errors.next() == now)
        let begun = try stage.start("on al* background --initial -- true")
        let reacting = "xphase: reacting to Alpha (background); waiting for al* to enter background"
        #expect(try begun.errors.next() == reacting)
        let absent = try stage.start("on Alhpa background -- true")
        let unknown = "xphase: no application matches 'Alhpa': did you mean 'Alpha'?"
        #expect(try absent.errors.next() == unknown)
        #expect(try absent.errors.next() == "xphase: waiting for one to start and enter background")
    }

    @Test func aDelayedCommandRunsOnlyIfThePhaseHasLasted() throws {
        let late = try stage.start("on alpha active --initial --after 10m -- echo ran")
        try late.waitForTimer()
        try stage.hide(alpha, "Alpha")
        try late.waitForError("xphase: hook 'on': does not run for Alpha: active did not last for 10m")
        late.send(SIGINT)
        #expect(try late.exitCode() == 0)
        #expect(try late.output.rest().isEmpty)
    }

    @Test func closedIsTheNextClosingUnlessInitialIsGiven() throws {
        let command = ["sh", "-c", "echo $XPHASE_APPLICATION $XPHASE_FROM $XPHASE_CHANGE $XPHASE_TO"]
        let on = try Program(
            XPhase.path, XPhase.words("on alpha,gamma closed --") + command, environment: stage.environment)
        #expect(try on.errors.next()?.contains("'gamma'") == true)
        #expect(try on.errors.next() == "xphase: waiting for alpha,gamma to close; now: Alpha (active)")
        #expect(try on.errors.next() == "xphase: to react now, too, add --initial")
        let found = try Program(
            XPhase.path, XPhase.words("on alpha,gamma closed --initial --") + command,
            environment: stage.environment)
        #expect(try found.output.next() == "gamma initial")
        _ = try found.errors.next()
        let reacting =
            "xphase: reacting to gamma (closed); waiting for alpha,gamma to close; now: Alpha (active)"
        #expect(try found.errors.next() == reacting)
        // Neither a change of phase nor another name is the end.
        try stage.hide(alpha, "Alpha")
        alpha.setClass("beta", "Beta")
        try stage.wait(for: "Beta", "background")
        alpha.setClass("alpha", "Alpha")
        try stage.wait(for: "Alpha", "background")
        // They see it by themselves, and a name that they have not seen yet does not close.
        for program in [on, found] { #expect(try program.comesToRest()) }
        alpha.destroy()
        for program in [on, found] {
            #expect(try program.output.next() == "Alpha background closed")
            try program.end(SIGTERM)
        }
    }

    /// The child is in the same process group, so both receive the signal, also that of Ctrl-C on a terminal.
    @Test(arguments: ["INT", "TERM", "Ctrl-C"])
    func aSignalReachesTheCommandAndItsChildren(_ signal: String) throws {
        let name = signal == "Ctrl-C" ? "INT" : signal
        let script = """
            trap 'echo parent; exit' \(name)
            sh -c 'trap "echo child; exit" \(name); echo ready; while :; do sleep 0.05; done'
            """
        let terminal = signal == "Ctrl-C" ? try Terminal() : nil
        let on = try stage.start("on * active --initial --", "sh", "-c", script, terminal: terminal)
        let output = terminal?.output ?? on.output
        while try #require(try output.next()).contains("ready") == false {}
        if let terminal { terminal.type("\u{3}") } else { on.send(signal == "INT" ? SIGINT : SIGTERM) }
        #expect(try on.exitCode() == 0)
        // Compared as bytes, since "\r\n" is one Character.
        let rest = try terminal?.text() ?? on.output.rest().joined(separator: "\n")
        for word in ["child", "parent"] { #expect(rest.utf8.contains(word.utf8), "\(rest)") }
    }

    @Test func anOutputThatFailsEndsTheCommandOn() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let on = try stage.start("on * active --initial -- echo lost", stdout: full)
        #expect(try on.exitCode() == 74)
        #expect(
            try on.errors.rest().last == "xphase: cannot write to standard output: No space left on device")
    }

    @Test func aReaderThatStopsReadingDoesNotKeepCommandsFromRunning() throws {
        let pipe = try FullPipe()
        let on = try stage.start(
            "on * active --initial --", "sh", "-c", "echo lost; echo $XPHASE_TO >>~/ran",
            stdout: pipe.writing, stderr: pipe.writing)
        for number in 1...3 {
            try stage.home.waitForLines(Array(repeating: "active", count: number), in: "ran")
            try stage.show(.init("Next\(number)"), x: 30 * Int32(number))
        }
        on.send(SIGTERM)
        #expect(try on.exitCode() == 0)
    }
}
