import Glibc
import TestDesktop
import Testing

/// `xphase hooks fire` runs one hook by hand.
@Suite struct FireTests {
    private let home: HookHome
    private let stage: Stage
    private let window: TestWindow

    init() throws {
        home = try HookHome(
            HookSession.hook(
                "note", "application = \"Alpha\"\nto = \"background\"\nafter = \"1h\"",
                shell: "env | grep ^XPHASE_ | sort; cat; echo more >&2; pwd")
                + HookSession.hook("fail", "application = \"*\"", shell: "exit 3")
                + HookSession.hook("slow", "application = \"*\"\ntimeout = \"100ms\"", shell: "sleep 60")
                + "[[hook]]\nname = \"veto\"\nunless = [\"true\"]\nrun = [\"echo\", \"it ran\"]\n"
                + HookSession.pair())
        stage = try Stage(.openbox)
        window = try stage.show(.init("Alpha"))
    }

    private func fire(_ name: String, _ application: String = "alpha", to phase: String = "background") throws
        -> (code: Int32, output: [String], errors: [String])
    {
        try XPhase.run(
            ["hooks", "fire", name, "--application", application, "--to", phase], on: stage.display,
            environment: home.environment)
    }

    @Test func theHookHasItsEnvironmentAtOnceAndItsOutputIsShown() throws {
        let result = try fire("note")
        #expect(result.code == 0)
        let reported = Set(result.output)
        #expect(
            reported.isSuperset(of: [
                "XPHASE_HOOK=note", "XPHASE_APPLICATION=Alpha", "XPHASE_FROM=active", "XPHASE_TO=background",
                "XPHASE_CHANGE=phase", "XPHASE_KIND=application", "XPHASE_SEQ=", "more", home.path,
            ]))
        let line = try #require(result.output.first { $0.hasPrefix("{") })
        #expect(line.hasPrefix("{\"v\":1,\"seq\":null,"))
        #expect(line.contains("\"application\":\"Alpha\",\"from\":\"active\",\"to\":\"background\""))
        #expect(result.errors.allSatisfy { $0.contains("run for Alpha") })
        // A manual run leaves no undo record, and keeps no other process from running the hooks.
        #expect(try home.files("state").isEmpty && home.files("runtime").isEmpty)
    }

    @Test func aHookThatWouldNotRunByItselfIsSaidToBeOne() throws {
        let result = try fire("note", to: "active")
        #expect(result.code == 0)
        #expect(result.errors.contains("xphase: this change does not match the hook; running it anyway"))
    }

    @Test func anOutputThatFailsExits74() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let fire = try XPhase.start(
            ["hooks", "fire", "note", "--application", "alpha", "--to", "background"], on: stage.display,
            environment: home.environment, stdout: full)
        #expect(try fire.exitCode() == 74)
    }

    @Test func aFailureIsReportedAndExits1() throws {
        let failed = try fire("fail")
        #expect(failed.code == 1)
        #expect(failed.errors.contains { $0.hasPrefix("xphase: hook 'fail': exit 3 after ") })
        let slow = try fire("slow")
        #expect(slow.code == 1)
        #expect(slow.errors.contains { $0.hasPrefix("xphase: hook 'slow': timed out after ") })
    }

    @Test func aVetoIsAsked() throws {
        let result = try fire("veto")
        #expect(result.code == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors == ["xphase: hook 'veto': does not run for Alpha: 'unless' vetoes it"])
    }

    @Test func thePhaseChoosesThePartOfAPair() throws {
        #expect(try fire("pair").code == 0)
        #expect(try fire("pair", to: "inactive").code == 0)
        #expect(try home.lines("log") == ["enter pair", "leave pair"])
    }

    @Test func theProcessesAreThoseOfTheWindowsThatAreThere() throws {
        let terminal = try Program("xterm", environment: stage.display.environment)
        let pids = "XPHASE_PIDS=\(terminal.pid)"
        #expect(try waitUntil { try fire("note", "xterm").output.contains(pids) })
        #expect(try fire("note", "xterm").output.contains("XPHASE_PID=\(terminal.pid)"))
    }

    @Test func anApplicationThatIsNotThereHasNoProcesses() throws {
        let result = try fire("note", "Beta")
        #expect(result.output.contains("XPHASE_APPLICATION=Beta"))
        #expect(result.output.contains("XPHASE_PIDS="))
        #expect(
            result.errors.contains("xphase: 'Beta' is not on this display: the hook gets no process"))
    }

    @Test func ofBuiltInReactionsTheCommandThatTriesThemIsNamed() throws {
        try home.configure(DesktopTests.FreezeTests.hook())
        let result = try fire("sleep")
        #expect(result.code == 1)
        #expect(
            result.errors == [
                "xphase: hook 'sleep' has no commands: try 'xphase freeze alpha --for 10s'"
            ])
    }

    @Test func anUnknownNameNamesTheNearest() {
        let line = ["hooks", "fire", "not", "--application", "alpha", "--to", "background"]
        let result = XPhase.call(line, environment: home.environment)
        #expect(result.code == 64)
        #expect(result.errors == ["xphase: there is no hook 'not'; did you mean 'note'?"])
    }
}
