import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The scene in use: `xphase active`, and the example that asks the service.
    @Suite struct ActiveTests {
        /// A title change is followed, too. Under the policy, every visible scene is active.
        @Test func theSceneThatHasTheFocusIsPrintedAndFollowed() throws {
            let hooks = try HookSession("policy = 'visible'")
            let other = try hooks.session.open("Beta")
            var properties = TestWindow.Properties("Alpha")
            properties.title = "one"
            let alpha = try hooks.session.open(properties)
            func active(_ words: String...) throws -> [String] {
                try XPhase.run(
                    ["active"] + words, on: hooks.session.display, environment: hooks.home.environment
                ).output
            }
            let line = try Line(active("--json")[0])
            #expect(line.application == "Alpha" && line.kind == "scene" && line.title == "one")
            let format = "{application}/{group}: {title} {to}"
            #expect(try active("--format", format) == ["Alpha/alpha: one active"])
            let following = try hooks.start("active", "--follow", "--empty", "nothing")
            #expect(try following.output.next() == "Alpha  one")
            alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("two".utf8))
            #expect(try following.output.next() == "Alpha  two")
            hooks.session.client.showDesktop(true)
            #expect(try following.output.next() == "nothing")
            #expect(try active("--empty", "nothing") == ["nothing"])
            #expect(try active("--empty", "nothing", "--json") == ["null"])
            #expect(try hooks.xphase("active").errors == ["xphase: no scene has the focus"])
            alpha.activate()
            #expect(try following.output.next() == "Alpha  two")
            other.activate()
            #expect(try following.output.next() == "Beta")
            // The end of a scene is reported at once, and the next focus settles.
            other.destroy()
            #expect(try following.output.next() == "Alpha  two")
            following.send(SIGTERM)
            #expect(try following.exitCode() == 0)
        }

        /// packaging/examples/deck/deck.py, unmodified. `doctor` names the address that it uses.
        @Test func theKeysOfADeckFollowTheApplicationInUse() throws {
            let hooks = try HookSession(nil)
            let line = try hooks.xphase("doctor").output.first { $0.hasPrefix("  Varlink ") }
            #expect(line?.hasSuffix(" unix:\(hooks.address)") == true)
            let alpha = try hooks.session.open("Alpha")
            let deck = try Program(
                "python3", ["\(XPhase.project)/packaging/examples/deck/deck.py", "Alpha=web", "Beta=code"],
                package: "python3",
                environment: hooks.session.display.environment.merging(hooks.home.environment) { $1 })
            #expect(try deck.output.next() == "web")
            _ = try hooks.session.open("Beta")
            #expect(try deck.output.next() == "code")
            _ = try hooks.session.open("Gamma")
            #expect(try deck.output.next() == "home")
            alpha.activate()
            #expect(try deck.output.next() == "web")
            try deck.end()
        }
    }
}
