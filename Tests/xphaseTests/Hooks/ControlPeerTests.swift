import Glibc
import TestDesktop
import Testing

/// Clients of the control socket that disconnect or are hostile.
extension DesktopTests.ControlTests {
    /// A request is dropped once its client has disconnected. `thaw --all` needs no answer from the service.
    @Test func aCallOfADisconnectedClientIsDropped() throws {
        let (hooks, terminal) = try DesktopTests.FreezeTests.frozenTerminal(isBusy: false)
        defer { withExtendedLifetime(terminal) {} }
        hooks.run.send(SIGSTOP)
        let pause = try hooks.start("hooks", "pause")
        #expect(try waitUntil { try pause.status("wchan").contains("poll") })
        try pause.end()
        #expect(try hooks.home.xphase("thaw", "--all").code == 0)
        hooks.run.send(SIGCONT)
        try hooks.waitForMessage("XTerm thawed: the user requested it")
        let status = try Self.states(hooks)
        #expect(status.count == 1 && !status.contains { $0.contains("paused") })
        #expect(status.last?.hasSuffix(": thawed by the user") == true)
        #expect(try !hooks.end().contains { $0.contains("paused") })
    }

    private static let hostilities = [
        // Silent peers.
        "peers = [Client() for _ in range(20)]",
        // A message without a terminator, and one that exceeds the limit.
        #"peer = Client().write(b'{"method')"#, "peer = Client().write(b'x' * (1 << 22))",
        // A message of one megabyte, and a call sent byte by byte.
        #"Client().write(call[:-2] + b' ' * 1000000 + b'}\0').reply()"#,
        "peer = Client(); [peer.write(bytes([byte])) for byte in call]; peer.reply()",
        // Deeply nested JSON, and empty messages.
        #"Client().write(call[:-2] + b',"parameters":' + b'[' * 900000 + b'\0')"#,
        #"Client().write(b'\0' * 100000)"#,
        // Many peers, at once and in sequence. Of those at once, one more than 256 would be refused, whoever it is.
        "peers = [Client() for _ in range(250)]", "for _ in range(1000): Client().write(call)",
        // Calls whose replies are never read.
        "peers = [Client().write(call) for _ in range(100)]",
        "peer = Client(); peer.socket.settimeout(5); peer.write(call * (1 << 16))",
        // Peers that shut down their sending side or close the connection after a call.
        "peer = Client().write(call); peer.socket.shutdown(socket.SHUT_WR); peer.reply()",
        "for _ in range(100): Client().write(call.replace(b'Hooks.Status', b'Phases.Sync')).socket.close()",
        // Messages that are not calls.
        #"peers = [Client().write(text) for text in [b'GET / HTTP/1.1\r\n\r\n', b'\xff\0', b'{"method":7}\0']]"#,
    ]

    /// Every client is admitted, and none delays another client or a phase.
    @Test func aHostilePeerKeepsNobodyWaiting() throws {
        let hooks = try HookSession(HookSession.pair())
        let window = try hooks.session.open("Alpha")
        for script in Self.hostilities {
            let call = #"call = b'{"method":"org.xphase.Hooks.Status"}\0'"#
            let peer = try hooks.client("\(call)\n\(script)\nsay('done'); time.sleep(1000)")
            #expect(try peer.output.next() == "done", "\(script)")
            try hooks.session.settle { window.iconify() }
            let isEntered = try waitUntil {
                try Self.states(hooks).last?.hasPrefix("pair: Alpha: entered since ") == true
            }
            #expect(isEntered, "\(script)")
            #expect(try hooks.run.descriptors().count < 300, "\(script)")
            try peer.end()
            try hooks.session.settle { window.activate() }
        }
    }

    /// A line for each would fill the disk.
    @Test func callsInALoopAreCountedInTheLog() throws {
        let hooks = try HookSession(HookSession.pair())
        let lines = try hooks.runClient(
            """
            peer = Client()
            for _ in range(5000): peer.send("org.xphase.Hooks.Pause", oneway=True)
            say(peer.call("org.xphase.Phases.Sync"))
            """)
        #expect(lines == ["{'parameters': {}}"])
        let said = try hooks.end().filter { $0.contains("all hooks paused") }
        let counts = said.compactMap { $0.firstMatch(of: /\((\d+) times more\)/).flatMap { Int($0.1) } }
        let plain = said.filter { $0 == "xphase: hooks: all hooks paused" }
        #expect(plain.count == 5 && said.count == plain.count + counts.count)
        #expect(counts.reduce(plain.count, +) == 5000 && counts.count < 60)
    }
}

extension RootTests {
    @Suite struct ControlPeerTests {}
}

extension RootTests.ControlPeerTests {
    /// The test opens the folders, whose permissions would keep other users out as well.
    @Test func aClientOfAnotherUserIsNotAnswered() throws {
        let hooks = try HookSession(HookSession.pair())
        for path in ["", "/runtime", "/runtime/xphase"] { chmod(hooks.home.path + path, 0o777) }
        chmod(hooks.address, 0o777)
        let lines = try hooks.runClient(
            """
            import os
            os.setuid(65534)
            try: say(Client().write(b'{"method":"org.xphase.Hooks.Status"}\\0').reply())
            except OSError: say(None)
            """)
        #expect(lines == ["None"])
    }
}
