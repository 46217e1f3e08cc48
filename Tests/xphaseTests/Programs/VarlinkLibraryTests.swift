import TestDesktop
import Testing

extension ProgramTests {
    /// The service as Varlink libraries see it.
    @Suite struct VarlinkLibraryTests {
        @Test func aClientOfVarlinkReadsWhoAnswersAndWhat() throws {
            let hooks = try HookSession(HookSession.pair())
            try hooks.session.open("Alpha")
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
                        except varlink.VarlinkError as error: say(error.error(), dict(sorted(error.parameters().items())))
                    refused(lambda: hooks.Why("fair"))
                    refused(lambda: hooks.Pause(None, 0))
                    refused(lambda: phases.List({"application": ["/(/"]}))
                """, python: PyPI.python, package: PyPI.packages)
            #expect(
                lines == [
                    "org.varlink.service org.xphase.Phases org.xphase.Hooks", "xphase True",
                    "org.varlink.service GetInfo GetInterfaceDescription",
                    "org.xphase.Phases List Watch Active Sync",
                    "org.xphase.Hooks Status Why Pause Resume Freeze Thaw Hold",
                    "Alpha initial active", "Alpha alpha 0x", "{}", "pair [] all hooks paused",
                    "'pair' resumed ['nothing is frozen']",
                    "org.xphase.Hooks.Refused {'text': \"there is no hook 'fair'; did you mean 'pair'?\"}",
                    "org.varlink.service.InvalidParameter {'parameter': 'milliseconds'}",
                    // The library keeps no other parameter of this error.
                    "org.varlink.service.InvalidParameter {'parameter': 'filter'}",
                ])
        }

        @Test func aClientOfAsyncvarlinkReadsWhoAnswersAndWhatIsRefused() throws {
            let lines = try HookSession(nil).runClient(
                """
                import asyncio, asyncvarlink
                from asyncvarlink.serviceinterface import *
                async def main():
                    _, client = await asyncvarlink.connect_unix_varlink(asyncvarlink.VarlinkClientProtocol, address)
                    service = client.make_proxy(VarlinkServiceInterface)
                    info = await service.GetInfo()
                    say(info["product"], *info["interfaces"])
                    description = await service.GetInterfaceDescription(interface="org.xphase.Phases")
                    say("method Watch(" in description["description"])
                    try: await service.GetInterfaceDescription(interface="org.example.Other")
                    except InterfaceNotFound as error: say(type(error).__name__, error.p_interface)
                    async def refused(method, **parameters):
                        reply, _ = await client.call(asyncvarlink.VarlinkMethodCall(method, parameters))
                        say(reply.error, reply.parameters)
                    await refused("org.xphase.Phases.Watch")
                    await refused("org.xphase.Hooks.Why", hook=7)
                asyncio.run(main())
                """, python: PyPI.python, package: PyPI.packages)
            #expect(
                lines == [
                    "xphase org.varlink.service org.xphase.Phases org.xphase.Hooks", "True",
                    "InterfaceNotFound org.example.Other", "org.varlink.service.ExpectedMore {}",
                    "org.varlink.service.InvalidParameter {'parameter': 'hook'}",
                ])
        }

        /// Each calls a function with the parameters of each reply.
        private static let followers = [
            "varlink": """
            import varlink
            def follow(method, take, **parameters):
                with varlink.Client("unix:" + address) as client:
                    phases = client.open("org.xphase.Phases")
                    for reply in getattr(phases, method)(**parameters, _more=True): take(reply)
            """,
            "asyncvarlink": """
            import asyncio, asyncvarlink
            def follow(method, take, **parameters):
                async def main():
                    _, client = await asyncvarlink.connect_unix_varlink(asyncvarlink.VarlinkClientProtocol, address)
                    call = asyncvarlink.VarlinkMethodCall("org.xphase.Phases." + method, parameters, more=True)
                    async for reply, _ in client.call_more(call): take(reply.parameters)
                asyncio.run(main())
            """,
        ]

        @Test(arguments: followers.keys.sorted())
        func aLibraryFollowsAnApplicationAndTheSceneInUse(library: String) throws {
            let hooks = try HookSession(nil)
            let beta = try hooks.session.open("Beta")
            let alpha = try hooks.session.open("Alpha")
            func start(_ call: String) throws -> Program {
                try hooks.client(
                    "\(Self.followers[library] ?? "")\n\(call)", python: PyPI.python, package: PyPI.packages)
            }
            let watch = try start(
                """
                def take(reply): say(*(reply["change"][key] for key in ("application", "change", "to")))
                follow("Watch", take, filter={"application": ["Alpha"]})
                """)
            let active = try start("follow('Active', lambda reply: say(reply['active']['application']))")
            func expect(_ line: String, of client: Program) throws {
                guard let next = try client.output.next() else {
                    throw Failure("\(library) of PyPI: \(try client.errors.rest())")
                }
                #expect(next == line)
            }
            try expect("Alpha initial active", of: watch)
            try expect("Alpha", of: active)
            beta.activate()
            try expect("Alpha phase inactive", of: watch)
            try expect("Beta", of: active)
            alpha.iconify()
            try expect("Alpha phase background", of: watch)
            alpha.activate()
            try expect("Alpha phase active", of: watch)
            try expect("Alpha", of: active)
        }
    }
}
