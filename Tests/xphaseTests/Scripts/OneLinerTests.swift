import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The pipe of README.md, in a real bash.
    @Suite struct OneLiners {
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
