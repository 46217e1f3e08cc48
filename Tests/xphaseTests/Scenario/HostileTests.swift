import TestDesktop
import Testing

/// Windows with properties that no well-behaved client sets.
struct HostileTests {
    @Test func nothingThatAWindowSetsDrivesTheTerminal() throws {
        let session = try Session(.none)
        let text = try session.start("watch --level scene --level application")
        var lines: [String] = []
        func expect(_ end: String) throws {
            while lines.last?.contains(end) != true { lines.append(try #require(try text.output.next())) }
        }
        var properties = TestWindow.Properties("Al\u{1B}]0;pwned\u{7}pha\nfake", instance: "a\u{85}b")
        properties.title = "t\u{1B}[2J\n\r\t\u{9B}31m\u{7F}\u{202E}"
        try session.open(properties)
        try expect("Al\\e]0;pwned\\u{7}pha\\nfake")
        for format in ["", "--json", "--format {application}:{group}:{title}"] {
            lines += try session.output("list \(format)")
        }
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })

        session.client.manage()
        let check = session.window(.init())
        check.setWords("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("evil\u{1B}[31m\u{7}".utf8))
        session.client.setRoot("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id])
        try expect("  evil\\e[31m\\u{7} took over; phases were read again")
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
                let result = try session.run(line)
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
