import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Commands and subscribers give the answer of the service, whose options on the command line no file has.
    @Suite struct OneAnswerTests {
        private final class Asked {
            let hooks: HookSession
            private let top: TmuxTerminal
            private let beta: TestWindow
            let alpha: TestWindow

            /// Opens Beta, and Alpha, which has the focus.
            init(_ options: String...) throws {
                hooks = try HookSession(nil, ["--level", "application"] + options)
                beta = try hooks.session.open("Beta", x: 300)
                alpha = try hooks.session.open("Alpha")
                alpha.activate()
                top = try TmuxTerminal(hooks.home, hooks.session.display, columns: 80, rows: 12)
                try top.type("xphase top", "Enter")
            }

            /// Waits until the service has an answer, and expects it of everybody.
            func expect(_ phase: String, of name: String, _ state: String) throws {
                func subscriber() throws -> [String] {
                    try hooks.runClient(
                        """
                        peer = Client().send("org.xphase.Phases.Watch", more=True, filter={"application": ["\(name)"]})
                        say(peer.reply()["parameters"]["change"]["to"])
                        """)
                }
                #expect(try waitUntil { try subscriber() == [phase] }, "\(name), \(state)")
                let list = try hooks.xphase("list", "--level", "application", "--format", "{to}", name)
                #expect(list.output == [phase], "list: \(name), \(state)")
                #expect(try hooks.xphase("phase", name).output == [phase], "phase: \(name), \(state)")
                for word in ["active", "inactive", "background"] {
                    let wait = try hooks.xphase("wait", name, word, "--timeout", "1ms")
                    #expect(wait.code == (word == phase ? 0 : 124), "wait: \(name) \(word), \(state)")
                }
                let on = try hooks.start("on", name, "active", "--", "true")
                #expect(try on.errors.next()?.hasSuffix("; now: \(name) (\(phase))") == true, "on: \(state)")
                try on.end(SIGTERM)
                try top.waitForScreen("\(name) \(phase)") { lines in
                    lines.contains { $0.hasPrefix("\(name) ") && $0.contains(" \(phase) ") }
                }
            }

            /// The scene with the focus is the same in every state.
            func expectActive(_ state: String) throws {
                #expect(try hooks.xphase("active").output == ["Alpha"], "active: \(state)")
                let scene = try hooks.runClient(
                    """
                    say(Client().call("org.xphase.Phases.Active")["parameters"]["active"]["application"])
                    """)
                #expect(scene == ["Alpha"], "Active: \(state)")
                let freeze = try hooks.xphase("freeze", "--focused")
                #expect(freeze.errors.first?.hasPrefix("xphase: Alpha is not frozen") == true, "\(freeze)")
            }
        }

        @Test(arguments: [("focus", "inactive"), ("application", "inactive"), ("visible", "active")])
        func allCommandsGiveOneAnswer(policy: String, unfocused: String) throws {
            let asked = try Asked("--policy", policy)
            try asked.expect("active", of: "Alpha", policy)
            try asked.expect(unfocused, of: "Beta", policy)
            try asked.expectActive(policy)

            var properties = TestWindow.Properties("Locker")
            properties.isOverrideRedirect = true
            let session = asked.hooks.session
            let locker = session.window(properties, x: 0, y: 0, width: 640, height: 480)
            locker.map()
            session.client.grabKeyboard()
            for name in ["Alpha", "Beta"] { try asked.expect("background", of: name, "locked, \(policy)") }
            try asked.expectActive("locked, \(policy)")
            locker.destroy()
        }

        @Test(arguments: ["focus", "application", "visible"])
        func allCommandsGiveOneAnswerWhileTheUserIsIdle(policy: String) throws {
            let asked = try Asked("--policy", policy, "--idle", "1s")
            for name in ["Alpha", "Beta"] { try asked.expect("inactive", of: name, "idle, \(policy)") }
            try asked.expectActive("idle, \(policy)")
            // Without the service, too, nobody counts as active before the user counts as idle.
            try asked.hooks.home.configure("idle = '1s'\npolicy = '\(policy)'")
            try asked.hooks.end()
            #expect(try asked.hooks.xphase("phase", "Alpha").output == ["inactive"])
            #expect(try asked.hooks.xphase("wait", "Alpha", "active", "--timeout", "1ms").code == 124)
        }

        /// A command that waits for something goes on without the service.
        @Test func aCommandThatWaitsSurvivesTheEndOfTheService() throws {
            let hooks = try HookSession(nil)
            let alpha = try hooks.session.open("Alpha")
            let wait = try hooks.start("wait", "Alpha", "background")
            let on = try hooks.start("on", "Alpha", "background", "--", "echo", "seen")
            let active = try hooks.start("active", "--follow", "--empty", "nothing")
            #expect(try on.errors.next()?.contains("now: Alpha (active)") == true)
            #expect(try active.output.next() == "Alpha")
            try hooks.end()
            #expect(try hooks.xphase("phase", "Alpha").output == ["active"])
            alpha.iconify()
            #expect(try wait.exitCode() == 0)
            #expect(try on.output.next() == "seen")
            #expect(try active.output.next()?.hasPrefix("Marker") == true)
            try on.end(SIGTERM)
            try active.end(SIGTERM)
        }
    }
}
