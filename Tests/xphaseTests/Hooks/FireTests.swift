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
                + HookSession.pair() + DesktopTests.FreezeTests.hook())
        stage = try Stage(.openbox)
        window = try stage.show(.init("Alpha"))
    }

    private func fire(_ name: String, _ application: String = "alpha", to phase: String = "background") throws
        -> (code: Int32, output: [String], errors: [String])
    {
        try home.xphase("hooks", "fire", name, application, phase, on: stage.display)
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

    @Test func eachOutcomeOfAFiredHookHasItsMessageAndItsExitCode() throws {
        let rows: [(name: String, application: String, phase: String, code: Int32, text: String)] = [
            ("note", "alpha", "active", 0, "this change does not match the hook; running it anyway"),
            ("note", "Beta", "background", 0, "'Beta' is not on this display: the hook gets no process"),
            ("fail", window.name, "background", 1, "hook 'fail': exit 3 after "),
            ("slow", "alpha", "background", 1, "hook 'slow': timed out after "),
            ("veto", "alpha", "background", 0, "hook 'veto': does not run for Alpha: 'unless' vetoes it"),
            (
                "sleep", "alpha", "background", 1,
                "hook 'sleep' has no commands: try 'xphase on alpha background --initial --do freeze'"
            ),
            ("not", "alpha", "background", 64, "there is no hook 'not'; did you mean 'note'?"),
        ]
        for row in rows {
            let result = try fire(row.name, row.application, to: row.phase)
            let isReported = result.errors.contains { $0.hasPrefix("xphase: " + row.text) }
            #expect(result.code == row.code && isReported, "\(row): \(result)")
            #expect(result.output.isEmpty == (row.name != "note"), "\(row): \(result)")
        }
    }

    /// A phase alone is not the application.
    @Test(arguments: [
        ("note", "<app> and <phase> are missing: xphase hooks fire note Alpha background"),
        ("note beta", "<phase> is missing: xphase hooks fire note beta background"),
        ("note active", "<app> is missing: xphase hooks fire note Alpha active"),
    ])
    func theWordsThatAreMissingAreNamed(_ words: String, _ message: String) throws {
        let result = try XPhase.run(
            ["hooks", "fire"] + XPhase.words(words), on: stage.display, environment: home.environment)
        #expect(result.code == 64 && result.errors == ["xphase: \(message)"], "\(result)")
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
}
