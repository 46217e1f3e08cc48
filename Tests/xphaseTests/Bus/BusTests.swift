import TestDesktop
import Testing

extension DesktopTests {
    /// The service as Varlink clients see it.
    @Suite struct BusTests {
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
                while reply := peer.reply(): say(*reply["parameters"])
                peer = Client().send("org.xphase.Hooks.Status")
                peer.socket.shutdown(socket.SHUT_WR)
                while reply := peer.reply(): say(*reply["parameters"])
                """)
            #expect(lines == ["", "rows", "active", "", "rows", "rows", "rows"])
            #expect(try ControlTests.states(hooks) == ["pair: has nothing to do"])
            try hooks.end()
        }
    }
}
