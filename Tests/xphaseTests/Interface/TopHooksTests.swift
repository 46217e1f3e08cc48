import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The hooks and the journal of a real `xphase run`, as `xphase top` shows them.
    @Suite struct TopHooksTests {
        private static let configuration = """
            journal = true

            [[hook]]
            name = "sleep"
            application = "Frozen"
            while = "background"
            do = "freeze"

            \(HookSession.pair("later", "after = \"1h\""))
            """

        @Test func itShowsWhatIsFrozenAndWaitedFor() throws {
            let hooks = try HookSession(Self.configuration)
            let session = hooks.session
            let alpha = try session.open("Alpha")
            let frozen = try ProgramWindow(
                session, "xterm", ["-class", "Frozen", "-e", "sleep", "1000"], package: "xterm",
                application: "Frozen")
            let terminal = try TmuxTerminal(hooks.home, session.display, columns: 100, rows: 12)
            try terminal.type("xphase top", "Enter")
            func waitForRow(_ name: String, _ words: String...) throws {
                try terminal.waitForScreen("\(name): \(words)") { screen in
                    screen.contains { line in
                        line.hasPrefix("\(name) ") && words.allSatisfy { line.contains($0) }
                    }
                }
            }
            // The journal supplies the times of today.
            try waitForRow("Frozen", " s ")
            frozen.iconify()
            try hooks.waitForMessage("Frozen frozen (")
            try waitForRow("Frozen", "  frozen")
            alpha.iconify()
            try waitForRow("Alpha", " background ", "  waiting 'later'")
            frozen.activate()
            try terminal.waitForScreen("Frozen runs") {
                $0.contains { $0.hasPrefix("Frozen ") && $0.contains(" active ") && !$0.contains("frozen") }
            }
            try terminal.type("q")
            try hooks.end()
        }
    }
}
