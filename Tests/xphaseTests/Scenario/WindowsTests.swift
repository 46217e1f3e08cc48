import Glibc
import TestDesktop
import Testing

/// The lines about a window, from the events of the server to stdout. ScenesTests and X11Tests have the cases.
struct FocusTests {
    @Test(arguments: [WindowManager.none, .openbox, .i3])
    func aWindowIsReportedFromItsOpeningToItsEnd(_ manager: WindowManager) throws {
        let session = try Session(
            manager, ["--level", "application", "--level", "group", "--level", "scene"])
        let alpha = session.window(.init("Alpha"))
        let phase = manager == .none ? "inactive" : "active"
        func expect(_ wanted: [String], after action: () throws -> Void) throws {
            let lines = try session.settle(action).map { "\($0.change ?? ""): \($0)" }
            #expect(lines == wanted)
        }
        try expect(
            [
                "opened: \(alpha.name) →\(phase) open", "opened: Alpha/alpha →\(phase) open",
                "opened: Alpha →\(phase) open",
            ]
        ) { alpha.map() }
        try session.settle {
            if manager == .none { session.client.setFocus(alpha.id) } else { alpha.activate() }
        }
        try expect(
            [
                "closed: \(alpha.name) active→ regroup", "closed: Alpha/alpha active→ regroup",
                "closed: Alpha active→ regroup", "opened: \(alpha.name) →active regroup",
                "opened: Omega/one →active regroup", "opened: Omega →active regroup",
            ]
        ) { alpha.setClass("one", "Omega") }
        try expect(
            [
                "closed: \(alpha.name) active→ close", "closed: Omega/one active→ close",
                "phase: Omega active→background close", "closed: Omega background→ close",
            ]
        ) { alpha.destroy() }
    }
}

struct StormTests {
    /// More than 300,000 queued events take 6 MB, and 100 MB in the queue of Xlib. Both must be freed.
    @Test func theMemoryOfAStormIsGivenBack() throws {
        let session = try Session(.none)
        let windows = (1...50).map { session.window(.init("Storm\($0)"), width: 4, height: 4) }
        for window in windows { window.map() }
        // The first storm allocates the memory that is needed only once.
        let memory = try [10, 2000].map { rounds in
            session.watch.send(SIGSTOP)
            for _ in 1...rounds {
                for window in windows { window.queueRemap() }
            }
            session.client.sync()
            session.watch.send(SIGCONT)
            try session.settle()
            return try session.watch.residentKilobytes()
        }
        #expect(memory[1] < memory[0] + 4096)
        // The marker is one more.
        #expect(try session.output("list --level scene --format {application}").count == windows.count + 1)
    }

    @Test func tenThousandWindowsAreAllTracked() throws {
        let display = try VirtualDisplay(arguments: ["-maxclients", "512"])
        let client = try TestClient(display.name)
        for number in 1...10_000 { client.queueSmallWindow(className: "Many\(number % 100)") }
        client.sync()
        let list = try XPhase.run(["list", "--json"], on: display).output.map { try Line($0) }
        #expect(list.count { $0.kind == "scene" } == 10_000)
        #expect(list.count { $0.kind == "application" } == 100)
    }
}

/// Windows with properties that no well-behaved client sets.
struct HostileTests {
    @Test func nothingThatAWindowSetsDrivesTheTerminal() throws {
        let session = try Session(.none)
        let text = try session.start("watch --titles --level application")
        var lines: [String] = []
        func expect(_ end: String) throws {
            while lines.last?.contains(end) != true { lines.append(try #require(try text.output.next())) }
        }
        var properties = TestWindow.Properties("Al\u{1B}]0;pwned\u{7}pha\nfake", instance: "a\u{85}b")
        properties.title = "t\u{1B}[2J\n\r\t\u{9B}31m\u{7F}\u{202E}"
        let window = try session.open(properties)
        try expect("Al\\e]0;pwned\\u{7}pha\\nfake")
        for format in ["", "--json", "--format {application}:{group}:{title}"] {
            lines += try session.output("list \(format)")
        }
        window.setBytes("_NET_WM_NAME", "UTF8_STRING", [0x1B] + Array(repeating: 0x78, count: 1 << 20))
        try expect("\"\\exxxx")
        #expect(lines.allSatisfy { $0.utf8.count < 1500 })
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
        for value in [0xFFFF_FFFF as UInt, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF, 0] {
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
        #expect(try session.settle { window.destroy() }.contains { $0.application == "Alpha" })
    }

    @Test func windowsThatVanishWhileTheyAreReadAreSkipped() throws {
        let session = try Session(.openbox)
        let other = try TestClient(session.display.name)
        let lines = try session.settle {
            for number in 1...300 {
                let window = TestWindow(other, .init("Short\(number)"), colour: 0x11_22_33)
                window.map()
                window.destroy()
            }
        }
        #expect(!lines.contains { $0.from == "active" && $0.to == "inactive" })
        // Only the marker is left.
        #expect(try session.output("list --level scene --format {application}").count == 1)
    }
}
