import TestDesktop
import Testing

extension DesktopTests {
    /// Windows with properties that no well-behaved client sets.
    @Suite struct Hostile {
        @Test func nothingThatAWindowSetsDrivesTheTerminal() throws {
            let session = try Session(.none)
            let text = try XPhase.start(
                ["watch", "--level", "scene", "--level", "application"], on: session.display)
            var lines: [String] = []
            func expect(_ end: String) throws {
                while lines.last?.contains(end) != true {
                    lines.append(try #require(try text.output.next()))
                }
            }
            var properties = TestWindow.Properties("Al\u{1B}]0;pwned\u{7}pha\nfake", instance: "a\u{85}b")
            properties.title = "t\u{1B}[2J\n\r\t\u{9B}31m\u{7F}\u{202E}"
            try session.open(properties)
            try expect("Al\\e]0;pwned\\u{7}pha\\nfake")
            for format in [[], ["--json"], ["--format", "{application} {group} {title}"]] {
                lines += try XPhase.run(["list"] + format, on: session.display).output
            }
            #expect(lines.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })

            session.client.manage()
            let check = session.window(.init())
            check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("evil\u{1B}[31m\u{7}".utf8))
            session.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
            try expect("  evil\\e[31m\\u{7} took over; phases were read again")
        }

        /// A hook that goes by the title sees what is reported of it.
        @Test func titlesAreCutAndRepaired() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "quiet"
                level = "scene"
                title = "*play*"
                while = "active"
                enter = ["sh", "-c", "echo enter $XPHASE_TITLE >> log"]
                leave = ["sh", "-c", "echo leave $XPHASE_TITLE >> log"]
                """)
            let window = try hooks.session.open("Alpha")
            let watch = try XPhase.start(["watch", "--json", "--titles"], on: hooks.session.display)
            _ = try watch.output.next()
            var lines: [String] = []
            for (bytes, title, run) in [
                (Array("play 1".utf8), "play 1", "enter play 1"),
                (
                    [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20),
                    String(repeating: "x", count: 1024),
                    "leave \(String(repeating: "x", count: 1024))"
                ), ([0x61, 0xFF, 0x0A, 0xC3], "a\u{FFFD}\n\u{FFFD}", nil),
            ] as [([UInt8], String, String?)] {
                window.setBytes("_NET_WM_NAME", "UTF8_STRING", bytes)
                var line = try Line(#require(try watch.output.next()))
                while line.change != "title" { line = try Line(#require(try watch.output.next())) }
                #expect(line.scene == window.name && line.title == title && line.cause == "title")
                lines += run.map { [$0] } ?? []
                try hooks.home.waitForLines(lines)
            }
            try hooks.end()
        }

        /// The largest and smallest values that a client can write, in every numeric property.
        @Test func noNumberIsTooLarge() throws {
            let session = try Session(.none, ["--level", "application", "--occlusion", "1ms"])
            let window = try session.open("Alpha")
            let root = session.client.setRoot
            let last: UInt = 0xFFFF_FFFF
            for value in [last, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF, 0] {
                let words = [UInt](repeating: value, count: 8)
                for name in [
                    "WM_STATE", "_NET_WM_DESKTOP", "_NET_WM_PID", "WM_TRANSIENT_FOR", "_NET_WM_STATE",
                    "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_OPACITY",
                ] {
                    let type = ["WM_STATE": "WM_STATE", "WM_TRANSIENT_FOR": "WINDOW"][name] ?? "CARDINAL"
                    window.setWords(
                        name, name.hasSuffix("_STATE") || name.hasSuffix("_TYPE") ? "ATOM" : type, words)
                    window.setWords(name, type, Array(words.prefix(4)))
                }
                for (name, type) in [
                    ("_NET_ACTIVE_WINDOW", "WINDOW"), ("_NET_CLIENT_LIST", "WINDOW"),
                    ("_NET_CLIENT_LIST_STACKING", "WINDOW"), ("_NET_SUPPORTING_WM_CHECK", "WINDOW"),
                    ("_NET_CURRENT_DESKTOP", "CARDINAL"), ("_NET_SHOWING_DESKTOP", "CARDINAL"),
                    ("XFree86_has_VT", "INTEGER"), ("_SCREENSAVER_STATUS", "INTEGER"),
                ] { root(name, type, words) }
                window.move(x: Int32(truncatingIfNeeded: value), y: Int32(Int16(truncatingIfNeeded: value)))
                try session.settle()
                for line in ["explain Alpha", "explain --json Alpha", "list --json", "phase Alpha"] {
                    let result = try XPhase.run(XPhase.words(line), on: session.display)
                    #expect([0, 1].contains(result.code), "\(line): \(result)")
                }
            }
            #expect(try session.applications { window.destroy() }.contains { $0.hasPrefix("Alpha ") })
        }

        @Test func windowsThatVanishWhileTheyAreReadAreSkipped() throws {
            let session = try Session(.openbox)
            let other = try TestClient(session.display.name)
            let lines = try session.applications {
                for number in 1...300 {
                    let window = TestWindow(other, .init("Short\(number)"), colour: 0x11_22_33)
                    window.map()
                    window.destroy()
                }
            }
            #expect(lines.allSatisfy { !$0.contains("active→inactive") })
            #expect(try session.list().isEmpty)
        }
    }
}
