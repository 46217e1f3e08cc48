import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The one-liners of README.md, in a real bash.
    @Suite struct OneLiners {
        private static func bash(_ script: String, on stage: Stage, path: String = XPhase.searchPath) throws
            -> Program
        {
            try Program(
                "bash", ["--norc", "-c", script],
                environment: stage.display.environment.merging(["PATH": path]) { $1 })
        }

        @Test func aTestOfAPhaseReadsNaturally() throws {
            let (stage, firefox) = try Stage.active(.init("firefox", instance: "Navigator"))
            let script = #"[ "$(xphase phase firefox)" = active ]"#
            #expect(try Self.bash(script, on: stage).exitCode() == 0)
            try stage.hide(firefox, "firefox")
            #expect(try Self.bash(script, on: stage).exitCode() == 1)
            firefox.destroy()
            let gone = try Self.bash(script, on: stage)
            #expect(try gone.exitCode() == 1)
            #expect(
                try waitUntil {
                    try Self.bash(script, on: stage).errors.rest()
                        == ["xphase: no application matches 'firefox': no application is running"]
                })
        }

        @Test func whatFollowsAWaitHappensOnlyWhenItCameTrue() throws {
            let (stage, mpv) = try Stage.active(.init("mpv", instance: "gl"))
            let folder = try TemporaryFolder()
            try folder.write("systemctl", "#!/bin/sh\necho \"systemctl $*\"\n", mode: 0o700)
            let path = "\(folder.path):\(XPhase.searchPath)"
            let script = "xphase wait mpv background --timeout 10m && systemctl suspend"

            let late = try Self.bash(
                script.replacing("10m", with: "1ms"), on: stage, path: path)
            #expect(try late.exitCode() == 124)
            #expect(try late.output.rest().isEmpty)

            let bash = try Self.bash(script, on: stage, path: path)
            mpv.iconify()
            #expect(try bash.output.next() == "systemctl suspend")
            #expect(try bash.exitCode() == 0)
        }

        @Test func jqPrintsWhatBecomesActive() throws {
            _ = try Program.find("jq", package: "jq")
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            try stage.show(.init("Beta"), x: 300)
            try stage.wait(for: "Beta", "active")
            // On a terminal, jq writes each line at once.
            let terminal = try Terminal()
            let bash = try Program(
                "bash",
                ["--norc", "-c", #"xphase watch --json | jq -r 'select(.to=="active").application'"#],
                environment: stage.display.environment.merging(["PATH": XPhase.searchPath]) { $1 },
                terminal: terminal)
            #expect(try terminal.output.next() == "Beta\r")
            alpha.activate()
            #expect(try terminal.output.next() == "Alpha\r")
            try stage.hide(alpha, "Alpha")
            #expect(try terminal.output.next() == "Beta\r")
            terminal.type("\u{3}")
            // 128 + SIGINT, which ended jq.
            #expect(try bash.exitCode() == 130)
        }
    }
}
