import TestDesktop
import Testing

extension ProgramTests {
    /// The service as a Varlink library sees it.
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
    }
}
