import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The service as its clients see it, most of which keep their connection open.
    @Suite struct SubscriberTests {
        /// Also after the client has shut down its sending side; the connection ends with the last reply, whether it came at
        /// once or later. A oneway call has no reply, and a oneway `Hold` is not kept.
        @Test func callsOfOneConnectionAreAnsweredInOrder() throws {
            let hooks = try HookSession(HookSession.pair())
            let lines = try hooks.runClient(
                """
                peer = Client()
                peer.send("org.xphase.Hooks.Hold", more=True, oneway=True, application="Alpha", phases=["background"], after=0,
                    reactions=["freeze"])
                peer.send("org.xphase.Phases.List", oneway=True)
                for method in "Phases.Sync", "Phases.List", "Phases.Active", "Phases.Sync", "Hooks.Status", "Phases.List":
                    peer.send(f"org.xphase.{method}")
                peer.socket.shutdown(socket.SHUT_WR)
                while reply := peer.reply(): say(*sorted(reply["parameters"]))
                peer = Client().send("org.xphase.Hooks.Status")
                peer.socket.shutdown(socket.SHUT_WR)
                while reply := peer.reply(): say(*sorted(reply["parameters"]))
                """)
            let status = "configuration rows"
            #expect(lines == ["", "rows", "active", "", status, "rows", status])
            #expect(try ControlTests.states(hooks) == ["pair: ready"])
        }

        /// By level, phase and name, with and without the initial state.
        @Test func aFilterChoosesTheChangesOfASubscriber() throws {
            let hooks = try HookSession(nil)
            var properties = TestWindow.Properties("Alpha")
            properties.title = "old"
            let alpha = try hooks.session.open(properties)
            _ = try hooks.session.open("Beta")
            let client = try hooks.client(
                """
                def watch(**filter): return Client().send("org.xphase.Phases.Watch", more=True, filter=filter)
                # The one that is answered at once comes last: then the others are registered, too.
                peers = [watch(phase=["background"], initial=False),
                    watch(titles=True, application=["Alpha"], initial=False), watch(level=["scene"], application=["alp*"])]
                def reported(peer):
                    change = peer.reply()["parameters"]["change"]
                    say(change["kind"], change["change"], change["application"], change["to"], change.get("title"))
                for peer in peers[-1:] + peers: reported(peer)
                """)
            #expect(try client.output.next() == "scene initial Alpha inactive old")
            alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("new".utf8))
            try hooks.session.settle()
            try hooks.session.settle { alpha.activate() }
            try hooks.session.settle { alpha.iconify() }
            #expect(try client.output.next() == "application phase Alpha background None")
            #expect(try client.output.next() == "scene title Alpha inactive new")
            #expect(try client.output.next() == "scene phase Alpha active new")
        }

        /// After it has read its backlog, the client gets the current state. Meanwhile it does not block the service.
        @Test func aSubscriberThatDoesNotReadGetsThePresentStateLater() throws {
            let hooks = try HookSession(HookSession.pair(), settle: "0")
            let windows = (0..<40).map { hooks.session.window(.init("Window\($0)")) }
            let client = try hooks.client(
                """
                peer = Client().send("org.xphase.Phases.Watch", more=True, filter={"level": ["scene", "group", "application"]})
                last, phases, lost = 0, {}, 0
                say("asks")
                while "Alpha" not in phases:
                    change = peer.reply()["parameters"]["change"]
                    assert change["seq"] == last + 1
                    last += 1
                    if change["kind"] == "notice":
                        if change["notice"] == "resync": lost = int(change["text"].split()[0])
                    elif change["kind"] == "application":
                        phases[change["application"]] = change["to"]
                say(f"{last * 300 > 1 << 20} {lost > 300} {last} {lost}")
                say(*(name for name, phase in phases.items() if phase and not name.startswith("Marker")))
                """)
            #expect(try client.output.next() == "asks")
            try hooks.session.settle()
            client.send(SIGSTOP)
            for _ in 0..<40 {
                try hooks.session.settle { for window in windows { window.queueMap() } }
                try hooks.session.settle { for window in windows { window.withdraw() } }
            }
            try hooks.session.settle { windows[7].map() }
            try hooks.enterPair()
            #expect(try hooks.run.residentKilobytes() < 80 << 10)
            client.send(SIGCONT)
            #expect(try client.output.next()?.hasPrefix("True True") == true)
            #expect(try client.output.next() == "Window7 Alpha")
        }

        /// Idle connections make room for others, first those of the same process. The command reports that there is none,
        /// whether the service closes its connection before or after it has sent the call.
        @Test func theConnectionAfter256IsRefusedUntilOneHasEnded() throws {
            let hooks = try HookSession(nil)
            let client = try hooks.client(
                """
                import os, signal
                peers = [Client() for _ in range(256)]
                for peer in peers: peer.call("org.xphase.Phases.Sync")
                reply = Client().reply()
                say(reply["error"], reply["parameters"]["text"])
                os.kill(os.getpid(), signal.SIGSTOP)
                peers.pop().socket.close()
                say(peers[0].call("org.xphase.Phases.Sync"))
                time.sleep(1000)
                """)
            let reason =
                "'xphase run' accepts no more connections: it has 256, 256 of them from process "
                + "\(client.pid) (python3)"
            #expect(try client.output.next() == "org.xphase.Phases.TooManyConnections \(reason)")
            let status = try hooks.xphase("hooks", "status", "--json")
            #expect(status.code == 69 && status.output.isEmpty)
            #expect(status.errors == ["xphase: \(reason)"])
            // Nothing of those that were refused is left to handle.
            #expect(try waitUntil { try hooks.run.status("wchan").contains("poll") })
            client.send(SIGCONT)
            #expect(try client.output.next() == "{'parameters': {}}")
            #expect(try waitUntil { try hooks.xphase("hooks", "status").code == 0 })
            try client.end()
        }

        /// Everything that the X server did before the call is reported before the reply, whatever the settle time.
        @Test func syncWaitsUntilAllIsReported() throws {
            let hooks = try HookSession(nil, manager: .none, settle: "500ms")
            let alpha = try hooks.session.open("Alpha")
            for phase in ["", "inactive", ""] {
                if phase.isEmpty { alpha.queueUnmap() } else { alpha.map() }
                // The X server has processed the request once it answers this query.
                #expect(alpha.isOnScreen == !phase.isEmpty)
                let sync = try hooks.xphase("wait", "--sync")
                #expect(sync.code == 0)
                let rows = try hooks.runClient(
                    """
                    rows = Client().call("org.xphase.Phases.List", filter={"application": ["Alpha"]})
                    say(*(row["to"] for row in rows["parameters"]["rows"]))
                    """)
                #expect(rows == [phase])
            }
            try hooks.end()
            #expect(try hooks.xphase("wait", "--sync").code == 69)
        }
    }
}
