import Glibc
import TestDesktop
import Testing

/// Displays that cannot be opened, that end, or that do not answer. `X11Tests` has one that a client has grabbed.
struct DisplayTests {
    @Test(arguments: [
        ("list", nil, "DISPLAY is not set: run inside an X session or pass --display"),
        ("", nil, "DISPLAY is not set: "), ("phase a", nil, "DISPLAY is not set: "),
        ("wait a active", nil, "DISPLAY is not set: "), ("on a active -- true", nil, "DISPLAY is not set: "),
        ("list", ":4711", "no X server runs on display ':4711'"),
        ("list", "rubbish", "'rubbish' is not the name of a display"),
        ("list --display rubbish", nil, "'rubbish' is not the name of a display"),
        ("list", "nowhere.invalid:0", "cannot open display 'nowhere.invalid:0': check that its host"),
    ])
    func aDisplayThatCannotBeReachedIsNamedAndTheExitCodeIs69(
        _ line: String, _ name: String?, _ message: String
    ) throws {
        let result = try XPhase.run(XPhase.words(line), on: nil, environment: ["DISPLAY": name])
        #expect(result.code == 69 && result.output.isEmpty)
        #expect(result.errors.last?.hasPrefix("xphase: \(message)") == true, "\(result)")
    }

    @Test func aServerThatRefusesIsNamedAndExits69() throws {
        // A cookie that no client has.
        let folder = try TemporaryFolder()
        let file = folder("authority")
        _ = try Program.run(
            "xauth", ["-f", file, "add", ":0", ".", "00112233445566778899aabbccddeeff"], package: "xauth")
        let display = try VirtualDisplay(arguments: ["-auth", file])
        let result = try XPhase.run(["list"], on: display, environment: ["XAUTHORITY": "/dev/null"])
        #expect(result.code == 69)
        let message = "'\(display.name)' does not accept this user"
        #expect(result.errors.last?.contains(message) == true, "\(result)")
    }

    @Test func aServerWithoutRoomForAClientIsNamedAndExits69() throws {
        let display = try VirtualDisplay(arguments: ["-maxclients", "64"])
        var clients: [TestClient] = []
        while clients.count < 100, let client = try? TestClient(display.name) { clients.append(client) }
        let result = try XPhase.run(["list"], on: display)
        let message = "xphase: the X server of display '\(display.name)' has no room for another client"
        #expect(result.code == 69 && result.errors.last?.hasPrefix(message) == true, "\(result)")
        withExtendedLifetime(clients) {}
    }

    @Test func commandsInAWaylandSessionSayOnceThatNativeWindowsAreNotSeen() throws {
        let display = try VirtualDisplay()
        for variable in [["WAYLAND_DISPLAY": "wayland-0"], ["XDG_SESSION_TYPE": "wayland"]] {
            let list = try XPhase.run(["list"], on: display, environment: variable)
            let sentence = "native Wayland windows are not seen, only those of XWayland"
            #expect(list.code == 0)
            #expect(list.errors.dropLast() == ["xphase: this is a Wayland session: \(sentence)"])
            let doctor = try XPhase.run(["doctor"], on: display, environment: variable)
            #expect(doctor.code == 1 && doctor.errors.isEmpty)
            #expect(doctor.output.contains { $0.contains("Native Wayland windows are not seen") })
            #expect(doctor.output.last == "Phases cannot be trusted here.")
        }
    }

    /// The limit of `list` is 4 s. A watch that ends prints whole lines.
    @Test func openingADisplayTakesNoLongerThanTheTimeOfAWaitAndAServerThatDiesEndsAllWith69() throws {
        let (stage, _) = try Stage.alpha(.none)
        let watch = try stage.start("watch --json")
        _ = try Line(#require(try watch.output.next()))
        stage.display.send(SIGSTOP)
        let patient = try stage.start("list")
        let wait = try stage.start("wait Alpha background --timeout 1s")
        #expect(try wait.exitCode() == 69)
        #expect(try wait.errors.rest().joined().contains("does not answer"))
        #expect(kill(patient.pid, 0) == 0 && waitpid(patient.pid, nil, WNOHANG) == 0)
        try stage.display.crash()
        #expect(try patient.exitCode() == 69 && watch.exitCode() == 69)
        #expect(try patient.errors.rest().last?.contains(stage.display.name) == true)
        let message = "xphase: the X server of display '\(stage.display.name)' went away"
        #expect(try watch.errors.rest() == [message])
        for line in try watch.output.rest() { _ = try Line(line) }
    }

    /// Makes the server stop answering while `program` waits for a reply.
    private static func silence(_ session: Session, _ program: Program, _ window: TestWindow) throws {
        func sleeps() throws -> String { try program.status("voluntary_ctxt_switches") }
        session.client.grabServer()
        let before = try sleeps()
        // xphase has to read the new class.
        window.setClass("other", "Other")
        guard try waitUntil({ try sleeps() != before }) else { throw Failure("nothing is read") }
        session.display.send(SIGSTOP)
    }

    private static func release(_ session: Session) {
        session.display.send(SIGCONT)
        session.client.releaseServer()
    }

    @Test func silenceIsReportedOnceAndGoesOnThenAndASignalEndsTheWatch() throws {
        let session = try Session()
        let alpha = try session.open("Alpha")
        try Self.silence(session, session.watch, alpha)
        var notice = ""
        while !notice.contains("\"notice\"") { notice = try #require(try session.watch.output.next()) }
        #expect(notice.contains("\"notice\":\"server\"") && notice.contains("has not answered for 5 s"))
        Self.release(session)
        #expect(try session.settle().contains { $0.application == "Other" })
        try Self.silence(session, session.watch, alpha)
        defer { Self.release(session) }
        session.watch.send(SIGTERM)
        #expect(try session.watch.exitCode() == 0)
    }

    @Test func owedLeavesRunAtTheEndBesideASilentServer() throws {
        let hooks = try HookSession(HookSession.pair(), manager: .none)
        let window = try hooks.session.open("Alpha")
        try hooks.session.settle { window.move(x: -5000, y: 0) }
        try hooks.home.waitForLines(["enter pair"])
        try Self.silence(hooks.session, hooks.run, window)
        defer { Self.release(hooks.session) }
        try hooks.end()
        #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
    }
}
