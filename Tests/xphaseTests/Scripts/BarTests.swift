import TestDesktop
import Testing

extension DesktopTests {
    /// The lines of packaging/examples/bars.md. tmux stands for all bars: they read the same lines.
    @Suite struct Bars {
        private static let page =
            #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
            + "/packaging/examples/bars.md"

        @Test func tmuxShowsTheActiveTitle() throws {
            let stage = try Stage(.openbox)
            var properties = TestWindow.Properties("Alpha")
            // A formatting command of tmux.
            properties.title = "#[fg=red] 100 %"
            let window = try stage.show(properties)
            try stage.wait(for: "Alpha", "active")
            let home = try HookHome()
            let environment = stage.display.environment.merging(home.environment) { $1 }
                .merging(["TMUX": nil, "LC_ALL": "C.UTF-8"]) { $1 }
            func tmux(_ words: String...) throws -> [String] {
                let server = ["-S", "\(home.path)/outer"]
                return try Program.run("tmux", server + words, package: "tmux", environment: environment)
                    .output
            }
            let settings = try Program.run("grep", ["^set ", Self.page]).output.joined(separator: "\n")
            let file = try home.folder.write("tmux.conf", settings + "\n")
            // An inner tmux runs in an outer one, which captures the status line as text.
            let inner = "env -u TMUX tmux -S \(home.path)/inner -f \(file) new-session sh"
            _ = try tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "10", inner)
            defer {
                _ = try? Program.run("tmux", ["-S", "\(home.path)/inner", "kill-server"])
                _ = try? tmux("kill-server")
            }
            func shows(_ text: String, _ isThere: Bool = true) throws -> Bool {
                try waitUntil { try tmux("capture-pane", "-p").contains { $0.contains(text) } == isThere }
            }
            #expect(try shows("Alpha:  [fg=red] 100 %"))
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Sent".utf8))
            #expect(try shows("Alpha: Sent"))
            window.iconify()
            #expect(try shows("Alpha", false))
        }

        @Test func everyBarReadsTheSameLines() throws {
            let command = "xphase active --follow --empty ' ' --format '{application}: {title}'"
            #expect(try Program.run("grep", ["-Fc", command, Self.page]).output == ["6"])
        }
    }
}
