import TestDesktop
import Testing

extension DesktopTests {
    /// A session that ends while a client that must answer the session manager is frozen.
    @Suite struct SessionEndTests {
        /// A stand-in for a session manager, which libICE would connect to. It writes when the file `end` exists.
        private static func manager(in folder: String) throws -> Program {
            let script = """
                import os, socket, sys, time
                os.mkdir(sys.argv[1] + "/.ICE-unix", 0o700)
                server = socket.socket(socket.AF_UNIX)
                server.bind(sys.argv[1] + "/.ICE-unix/1")
                server.listen()
                print("listens", flush=True)
                client = server.accept()[0]
                while not os.path.exists(sys.argv[1] + "/end"): time.sleep(0.05)
                client.send(b"SaveYourself")
                time.sleep(1000)
                """
            let manager = try Program("python3", ["-c", script, folder])
            #expect(try manager.output.next() == "listens")
            return manager
        }

        /// Without an answer, Xfce waits for a minute, and MATE until the user closes a dialog.
        @Test func aFrozenClientOfTheSessionManagerIsThawed() throws {
            let hooks = try HookSession(
                FreezeTests.hook("except = 'none'").replacing("XTerm", with: "Alpha"))
            let manager = try Self.manager(in: hooks.home.path)
            let client = try ProgramWindow.scripted(
                hooks.session,
                """
                manager = socket.socket(socket.AF_UNIX)
                manager.connect("\(hooks.home.path)/.ICE-unix/1")
                events()
                """)
            client.iconify()
            try hooks.waitForMessage("Alpha frozen (1 process)")
            try hooks.home.write("end", "")
            try hooks.waitForMessage("Alpha thawed: the session is about to end")
            try hooks.end()
            withExtendedLifetime(manager) {}
        }
    }
}
