import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The data that a hook receives about its change.
    @Suite struct HookEnvironment {
        /// Writes its environment, stdin and working directory into files whose names begin with $NOTES.
        private static let noting = """
            env > "$NOTES.env.new"; cat > "$NOTES.json.new"; pwd > "$NOTES.pwd.new"
            for file in env json pwd; do mv "$NOTES.$file.new" "$NOTES.$file"; done
            """
        private static let levels = ["application", "group", "scene"]
            .map { level in
                HookSession.hook(
                    level, "application = \"Alpha\"\nlevel = \"\(level)\"\nto = \"background\"",
                    shell: "NOTES=\(level)\n\(noting)")
            }
            .joined()

        private static func variables(_ name: String, _ home: HookHome) throws -> [String: String] {
            try home.waitForFile("\(name).pwd")
            return try home.lines("\(name).env").reduce(into: [:]) { variables, line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            }
        }

        @Test func everyVariableAndTheLineItself() throws {
            let hooks = try HookSession(
                Self.levels, ["--level", "application", "--level", "group", "--level", "scene"],
                environment: ["XPHASE_OLD": "1", "INHERITED": "yes"])
            var properties = TestWindow.Properties("Alpha")
            properties.title = "A title"
            let window = hooks.session.window(properties)
            window.setOwner(ofThisProcess: true)
            try hooks.session.settle { window.map() }
            let lines = try hooks.session.settle { window.iconify() }.filter { $0.to == "background" }
            for level in ["application", "group", "scene"] {
                let line = try #require(lines.first { $0.kind == level })
                let reported = try Self.variables(level, hooks.home)
                let pid = String(TestWindow.ownPid)
                #expect(
                    reported.filter { $0.key.hasPrefix("XPHASE_") && $0.key != "XPHASE_UNIT" } == [
                        "XPHASE_HOOK": level, "XPHASE_KIND": level, "XPHASE_CHANGE": "phase",
                        "XPHASE_APPLICATION": "Alpha",
                        "XPHASE_GROUP": level == "application" ? "" : "alpha",
                        "XPHASE_SCENE": level == "scene" ? window.name : "",
                        "XPHASE_FROM": "active", "XPHASE_TO": "background", "XPHASE_CAUSE": "iconify",
                        "XPHASE_HELD": line.heldText, "XPHASE_TITLE": level == "scene" ? "A title" : "",
                        "XPHASE_PID": pid, "XPHASE_PIDS": pid,
                        "XPHASE_DESKTOP": level == "scene" ? "0" : "", "XPHASE_ROLE": "",
                        "XPHASE_MONITOR": level == "scene" ? "screen" : "",
                        "XPHASE_DESKTOP_NAME": level == "scene" ? "desktop 1" : "",
                        "XPHASE_EXTENT": level == "scene" ? "window" : "",
                        "XPHASE_SEQ": String(line.seq), "XPHASE_TIME": line.time,
                    ])
                #expect(reported["XPHASE_UNIT"] != nil)
                #expect(reported["INHERITED"] == "yes")
                #expect(reported["DISPLAY"] == hooks.session.display.name)
                #expect(try hooks.home.lines("\(level).pwd") == [hooks.home.path])
                #expect(try hooks.home.lines("\(level).json") == [line.json])
            }
            try hooks.end()
        }

        @Test func aLineThatIsNotPrintedHasNoNumber() throws {
            let hooks = try HookSession(Self.levels)
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            #expect(try Self.variables("scene", hooks.home)["XPHASE_SEQ"] == "")
            let line = try #require(try hooks.home.lines("scene.json").first)
            #expect(line.hasPrefix(#"{"v":1,"seq":null,"#))
            #expect(line.contains(#""scene":"\#(window.name)""#))
            try hooks.end()
        }

        @Test func theDisplayIsTheOneThatIsWatched() throws {
            let stage = try Stage(.none)
            let home = try HookHome(
                HookSession.hook(shell: "echo $DISPLAY > display.new; mv display.new display"))
            let run = try Program(
                XPhase.path, ["run", "--display", stage.display.name],
                environment: home.environment.merging(["DISPLAY": ":99999"]) { $1 })
            _ = try stage.marker()
            _ = try run.output.next()
            try stage.show(.init("Alpha"))
            #expect(try home.waitForFile("display") == [stage.display.name])
            run.send(SIGTERM)
            #expect(try run.exitCode() == 0)
        }
    }
}
