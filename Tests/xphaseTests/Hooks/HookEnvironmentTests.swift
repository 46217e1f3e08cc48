import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The data that a hook receives about its change.
    @Suite struct HookEnvironment {
        /// Writes its environment, stdin and working directory into files.
        private static let noting = "env > env; cat > json; pwd > pwd.new; mv pwd.new pwd"
        private static let hook = HookSession.hook(
            "note", "application = \"Alpha\"\nlevel = \"scene\"\nto = \"background\"", shell: noting)

        private static func variables(_ home: HookHome) throws -> [String: String] {
            try home.waitForFile("pwd")
            return try home.lines("env").reduce(into: [:]) { variables, line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            }
        }

        @Test func theVariablesAndTheLineItself() throws {
            let hooks = try HookSession(
                Self.hook, ["--level", "scene"], environment: ["XPHASE_OLD": "1", "INHERITED": "yes"])
            var properties = TestWindow.Properties("Alpha")
            properties.title = "A title"
            let window = hooks.session.window(properties)
            window.setOwner(ofThisProcess: true)
            try hooks.session.settle { window.map() }
            let lines = try hooks.session.settle { window.iconify() }
            let line = try #require(lines.first { $0.to == "background" })
            let reported = try Self.variables(hooks.home)
            for (name, value) in [
                "SCENE": window.name, "TITLE": "A title", "PID": String(TestWindow.ownPid), "DESKTOP": "0",
                "MONITOR": "screen", "DESKTOP_NAME": "desktop 1", "EXTENT": "window", "SEQ": String(line.seq),
                "TIME": line.time, "HELD": line.heldText,
            ] {
                #expect(reported["XPHASE_\(name)"] == value, "\(name)")
            }
            #expect(reported["XPHASE_OLD"] == nil && reported["INHERITED"] == "yes")
            #expect(try hooks.home.lines("pwd") == [hooks.home.path])
            #expect(try hooks.home.lines("json") == [line.json])
            try hooks.end()
        }
    }
}
