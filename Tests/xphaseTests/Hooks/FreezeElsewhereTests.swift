import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct FreezeElsewhereTests: FreezesPrograms {}
}

/// Programs that are in use outside their windows on this display.
extension DesktopTests.FreezeElsewhereTests {
    private static func session(_ script: String) throws -> (hooks: HookSession, client: ProgramWindow) {
        let hooks = try clientSession()
        let client = try ProgramWindow.scripted(hooks.session, script)
        client.iconify()
        return (hooks, client)
    }

    /// One process may have windows on two displays, as Emacs does.
    @Test func aProgramThatIsConnectedToAnotherDisplayGoesOn() throws {
        let other = try VirtualDisplay()
        let (hooks, client) = try Self.session("x.XOpenDisplay(b\"\(other.name)\")\nevents()")
        let reason = "process \(client.program.pid) is also connected to display \(other.name)"
        #expect(try hooks.waitForMessage("Alpha").contains(reason))
        let status = try DesktopTests.ControlTests.states(hooks).last
        #expect(status?.contains(": Alpha: excepted until ") == true && status?.hasSuffix(reason) == true)
        #expect(try !client.isStopped)
        try hooks.end()
    }

    /// `emacsclient -t` makes Emacs open the terminal in which it was typed.
    @Test func aProgramThatIsUsedInATerminalToo() throws {
        let terminal = try Terminal()
        let shell = try Program("sh", ["-c", "sleep 1000"], terminal: terminal)
        let (hooks, client) = try Self.session(
            "f = os.open(\"\(terminal.path)\", os.O_RDWR | os.O_NOCTTY)\nevents()")
        let reason = "process \(client.program.pid) has opened a terminal that other programs use"
        #expect(try hooks.waitForMessage("Alpha").contains(reason))
        #expect(try !client.isStopped)
        // The other user of the terminal has exited.
        try shell.end()
        try hooks.waitForMessage("Alpha frozen (1 process)")
        #expect(try client.isStopped)
        try hooks.end()
    }

    /// A program started by a shell in the background.
    @Test func theTerminalThatItWasStartedInDoesNotCount() throws {
        let terminal = try Terminal()
        let shell = try Program("sh", ["-c", "sleep 1000"], terminal: terminal)
        let (hooks, _) = try Self.frozenClient(
            "f = os.open(\"\(terminal.path)\", os.O_RDWR | os.O_NOCTTY)\nos.dup2(f, 0); os.close(f)\nevents()"
        )
        try hooks.end()
        try shell.end()
    }
}
