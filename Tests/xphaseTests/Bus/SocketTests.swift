import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The files of a service in the runtime directory.
    @Suite struct SocketTests {
        /// Renamed, so that nothing in it is left in use.
        @Test(arguments: ["", ".lock", nil]) func whatWasRemovedIsMadeAgain(suffix: String?) throws {
            let hooks = try HookSession(nil)
            let folder = "\(hooks.home.path)/runtime/xphase"
            let client = try hooks.client(
                """
                peer = Client().send("org.xphase.Phases.Watch", more=True, filter={"application": ["Alpha"]})
                say("asks")
                say(peer.reply()["parameters"]["change"]["application"])
                """)
            #expect(try client.output.next() == "asks")
            for number in 1...2 {
                rename(suffix.map { hooks.address + $0 } ?? folder, "\(hooks.home.path)/old\(number)")
                for name in [hooks.address, "\(hooks.address).lock"] {
                    #expect(waitUntil { access(name, F_OK) == 0 })
                }
                #expect(try waitUntil { try hooks.xphase("hooks", "status").code == 0 })
            }
            // With another state directory, only the new lock file keeps a second service out.
            var environment = hooks.home.environment
            environment["XDG_STATE_HOME"] = "\(hooks.home.path)/other"
            let second = try XPhase.run(["run"], on: hooks.session.display, environment: environment)
            #expect(second.code == 75)
            // Who is connected stays connected.
            _ = try hooks.session.open("Alpha")
            #expect(try client.output.next() == "Alpha")
            let said = try hooks.end().filter { $0.contains("socket") }
            let line = "xphase: the Varlink socket was removed, and is made again"
            #expect(suffix == ".lock" ? said.isEmpty : said.first == line)
            #expect(access(hooks.address, F_OK) != 0)
        }
    }
}
