import TestDesktop
import Testing

extension DesktopTests {
    /// The files in packaging/examples/bars, unmodified, with the real bars.
    @Suite struct Bars {
        private static let folder =
            #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
            + "/packaging/examples/bars"

        private let stage: Stage
        private let window: TestWindow
        private let home: HookHome
        private let environment: [String: String?]

        init() throws {
            stage = try Stage(.openbox)
            var properties = TestWindow.Properties("Alpha")
            // Formatting commands of polybar and of tmux.
            properties.title = "%{F#f00} #[fg=red] 100 %"
            window = try stage.show(properties)
            try stage.wait(for: "Alpha", "active")
            home = try HookHome()
            let folder = XPhase.path.prefix(upTo: XPhase.path.lastIndex(of: "/") ?? XPhase.path.endIndex)
            environment = stage.display.environment.merging(home.environment) { $1 }
                .merging(["PATH": "\(folder):/usr/bin:/bin", "TMUX": nil, "LC_ALL": "C.UTF-8"]) { $1 }
        }

        /// Sets the window's title to each text, and reads the output of a bar until it shows the title. Then iconifies
        /// the window, and reads until it shows none.
        private func shows(_ bar: Program, _ first: String) throws {
            func read(until isRight: (String) -> Bool) throws {
                while true {
                    guard let line = try bar.output.next() else {
                        throw Failure("\(bar.name) ended: \(try bar.errors.rest())")
                    }
                    if isRight(line) { return }
                }
            }
            for (title, text) in [(nil, first), ("Sent", "Alpha: Sent"), ("Draft", "Alpha: Draft")] {
                if let title { window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array(title.utf8)) }
                try read { $0.contains(text) }
            }
            window.iconify()
            try read { !$0.contains("Alpha") }
        }

        @Test func i3blocksShowsTheActiveTitle() throws {
            let bar = try Program(
                "i3blocks", ["-c", "\(Self.folder)/i3blocks.conf"], package: "i3blocks",
                environment: environment)
            try shows(bar, "Alpha: %{F#f00} #[fg=red] 100 %")
        }

        @Test func polybarShowsTheActiveTitle() throws {
            try home.write(
                "config.ini",
                "include-file = \(Self.folder)/polybar.ini\n[bar/test]\nmodules-left = xphase\nfont-0 = fixed\n"
            )
            let bar = try Program(
                "polybar", ["--stdout", "-c", "\(home.path)/config.ini", "test"], package: "polybar",
                environment: environment)
            try shows(bar, "Alpha: % {F#f00} #[fg=red] 100 %")
        }

        /// xmobar watches the power supply on the session bus, and exits without a bus.
        @Test func xmobarShowsTheActiveTitle() throws {
            let bus = try SessionBus()
            let bar = try Program(
                "xmobar", ["-T", "\(Self.folder)/xmobar.hs"], package: "xmobar",
                environment: environment.merging(bus.environment) { $1 })
            try shows(bar, "Alpha: %{F#f00} #[fg=red] 100 %")
        }

        @Test func tmuxShowsTheActiveTitle() throws {
            func tmux(_ words: String...) throws -> [String] {
                let server = ["-S", "\(home.path)/outer"]
                return try Program.run("tmux", server + words, package: "tmux", environment: environment)
                    .output
            }
            // An inner tmux runs in an outer one, which captures the status line as text.
            let inner = "env -u TMUX tmux -S \(home.path)/inner -f \(Self.folder)/tmux.conf new-session sh"
            _ = try tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "10", inner)
            defer {
                _ = try? Program.run("tmux", ["-S", "\(home.path)/inner", "kill-server"])
                _ = try? tmux("kill-server")
            }
            func shows(_ text: String, _ isThere: Bool = true) throws -> Bool {
                try waitUntil { try tmux("capture-pane", "-p").contains { $0.contains(text) } == isThere }
            }
            #expect(try shows("Alpha: %{F f00}  [fg=red] 100 %"))
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Sent".utf8))
            #expect(try shows("Alpha: Sent"))
            window.iconify()
            #expect(try shows("Alpha", false))
        }

        /// Debian lacks eww, and waybar needs Wayland, so only their command lines are compared with the others.
        @Test(arguments: ["eww.yuck", "waybar.json"]) func othersListenToTheSame(file: String) throws {
            let lines = try [file, "i3blocks.conf"].map { name in
                try Program.run("grep", ["-oE", "xphase active[^\"]*", "\(Self.folder)/\(name)"]).output.last
            }
            #expect(lines[0] != nil && lines[0] == lines[1])
        }
    }
}
