import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The service as third-party Varlink clients see it.
    @Suite struct BusTests {
        @Test func aClientOfVarlinkReadsWhoAnswersAndWhat() throws {
            let hooks = try HookSession(HookSession.pair())
            _ = try hooks.session.open("Alpha")
            let lines = try hooks.runClient(
                """
                import varlink
                with varlink.Client("unix:" + address) as client:
                    say(*client.get_interfaces())
                    service = client.open("org.varlink.service")
                    info = service.GetInfo()
                    say(info["product"], info["version"] != "")
                    for name in client.get_interfaces():
                        members = varlink.scanner.Interface(service.GetInterfaceDescription(name)["description"])
                        say(members.name, *(name for name, kind in members.members.items() if type(kind).__name__ == "_Method"))
                    phases, hooks = client.open("org.xphase.Phases"), client.open("org.xphase.Hooks")
                    rows = phases.List({"level": ["application"], "application": ["Alpha"]})["rows"]
                    say(*(f'{row["application"]} {row["change"]} {row["to"]}' for row in rows))
                    active = phases.Active()["active"]
                    say(active["application"], active["group"], active["scene"][:2])
                    say(phases.Sync())
                    say(hooks.Status()["rows"][0]["hook"], hooks.Why("pair")["events"], hooks.Pause(None, None)["text"])
                    say(hooks.Resume(["pair"])["text"], hooks.Thaw()["texts"])
                    def refused(ask):
                        try: say(ask())
                        except varlink.VarlinkError as error: say(error.error(), error.parameters())
                    refused(lambda: hooks.Why("fair"))
                    refused(lambda: hooks.Freeze("Beta"))
                    refused(lambda: hooks.Pause([], None))
                    refused(lambda: hooks.Pause(None, 0))
                    refused(lambda: phases.List({"application": ["/(/"]}))
                """)
            #expect(
                lines == [
                    "org.varlink.service org.xphase.Phases org.xphase.Hooks", "xphase True",
                    "org.varlink.service GetInfo GetInterfaceDescription",
                    "org.xphase.Phases List Watch Active Sync",
                    "org.xphase.Hooks Status Why Pause Resume Freeze Thaw Hold Work Yield",
                    "Alpha initial active", "Alpha alpha 0x", "{}", "pair [] all hooks paused",
                    "'pair' resumed ['nothing is frozen']",
                    "org.xphase.Hooks.Refused {'text': \"there is no hook 'fair'; did you mean 'pair'?\"}",
                    "org.xphase.Hooks.Refused {'text': 'Beta is not frozen: it has no window'}",
                    "org.varlink.service.InvalidParameter {'parameter': 'hooks'}",
                    "org.varlink.service.InvalidParameter {'parameter': 'milliseconds'}",
                    "org.varlink.service.InvalidParameter {'parameter': 'filter'}",
                ])
            try hooks.end()
        }

        /// Also after the client has shut down its sending side. A oneway `Hold` is not kept.
        @Test func callsOfOneConnectionAreAnsweredInOrder() throws {
            let hooks = try HookSession(HookSession.pair())
            let lines = try hooks.runClient(
                """
                peer = Client()
                peer.send("org.xphase.Hooks.Hold", more=True, oneway=True, application="Alpha", phases=["background"], after=0,
                    reactions=["freeze"])
                for method in "Sync", "List", "Active", "Sync": peer.send(f"org.xphase.Phases.{method}")
                peer.send("org.xphase.Hooks.Status")
                peer.socket.shutdown(socket.SHUT_WR)
                while reply := peer.reply(): say(*reply["parameters"])
                """)
            #expect(lines == ["", "rows", "active", "", "rows"])
            #expect(try ControlTests.hooks(hooks, "status").output == ["pair: has nothing to do"])
            try hooks.end()
        }

        @Test func aClientOfAsyncvarlinkFollowsWindows() throws {
            let hooks = try HookSession(nil)
            let client = try hooks.client(
                """
                import asyncio, asyncvarlink
                from asyncvarlink.message import VarlinkMethodCall
                async def main():
                    loop = asyncio.get_running_loop()
                    transport, protocol = await asyncvarlink.connect_unix_varlink(
                        asyncvarlink.VarlinkClientProtocol, address)
                    call = VarlinkMethodCall("org.xphase.Phases.Watch", {"filter": {"application": ["Alpha", "Beta"]}}, more=True)
                    count = 0
                    say("asks")
                    async for reply, _ in protocol.call_more(call):
                        change = reply.parameters["change"]
                        say(change["seq"], change["application"], change["from"], change["to"], change["cause"])
                        count += 1
                        if count == 4: break
                asyncio.run(main())
                """)
            #expect(try client.output.next() == "asks")
            let alpha = try hooks.session.open("Alpha")
            _ = try hooks.session.open("Beta")
            alpha.iconify()
            let lines = try (0..<5).map { _ in try client.output.next() }
            #expect(
                lines == [
                    "1 Alpha None active open", "2 Alpha active inactive blur", "3 Beta None active open",
                    "4 Alpha inactive background iconify", nil,
                ])
            try hooks.end()
        }
    }
}
