import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Title changes in watches and hooks.
    @Suite struct Titles {
        private static func set(_ title: String, _ window: TestWindow) {
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array(title.utf8))
        }

        @Test func isALineOfItsOwn() throws {
            let session = try Session(.openbox, ["--titles"])
            var properties = TestWindow.Properties("Alpha")
            properties.title = "old"
            let window = try session.open(properties)
            window.setBytes("WM_WINDOW_ROLE", "STRING", Array("mail".utf8))
            Self.set("new \u{1B}[2J", window)
            let line = try session.titles(of: window, until: "new \u{1B}[2J")[0]
            let expected =
                ##""kind":"scene","change":"title","application":"Alpha","group":"alpha","scene":"\##(window.name)","##
                + ##""from":"active","to":"active","cause":"title","held":\##(line.heldText),"##
                + ##""title":"new \u001b[2J","pid":null,"desktop":0,"role":"mail","monitor":null,"desktop_name":null,"extent":"window"}"##
            #expect(line.json.hasSuffix(expected), "\(line.json)")
        }

        @Test func isNoLineOfWhoDoesNotAskForIt() throws {
            let session = try Session(.openbox, ["--level", "scene"])
            let window = try session.open("Alpha")
            Self.set("new", window)
            let lines = try session.settle() + session.settle { window.iconify() }
            #expect(lines.filter { $0.change == "title" }.isEmpty)
            #expect(lines.last { $0.scene == window.name }?.title == "new")
        }

        @Test func isTextForPeople() throws {
            let stage = try Stage(.openbox)
            let window = try stage.show(.init("Alpha"))
            let watch = try Program(
                XPhase.path, ["--titles", "--application", "alpha"], environment: stage.display.environment)
            for _ in ["scene", "application"] { _ = try watch.output.next() }
            Self.set("new", window)
            let text = try #require(try watch.output.next())
            #expect(text.contains("Alpha/alpha \(window.name)") && text.hasSuffix("  \"new\""))
            #expect(text.contains(" active ") && text.contains(" title "))
            #expect(!text.contains("→"))
        }

        /// As from a misbehaving browser: one line per second, and the last one is true.
        @Test func tenThousandChangesASecondAreALineASecond() throws {
            let session = try Session(.none, ["--titles"])
            let window = try session.open("Alpha")
            let end = ContinuousClock.now + .seconds(4)
            var number = 0
            while ContinuousClock.now < end {
                number += 1
                Self.set("busy \(number)", window)
            }
            Self.set("done", window)
            let lines = try session.titles(of: window, until: "done")
            #expect(lines.count > 1)
            let moments = lines.map(\.second)
            for (one, next) in zip(moments, moments.dropFirst()) {
                #expect((next - one + 86_400).truncatingRemainder(dividingBy: 86_400) >= 0.99)
            }
        }

        @Test func oneMegabyteInvalidBytesAndControlCharactersAreReported() throws {
            let session = try Session(.none, ["--titles"])
            let window = try session.open("Alpha")
            window.setBytes(
                "_NET_WM_NAME", "UTF8_STRING", [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
            let long = String(repeating: "x", count: 1024)
            #expect(try session.titles(of: window, until: long).count == 1)
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", [0x61, 0xFF, 0x0A, 0xC3])
            #expect(try session.titles(of: window, until: "a\u{FFFD}\n\u{FFFD}").count == 1)
        }

        @Test func aHookRunsAndAPairLastsByTheTitle() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "note"
                application = "Alpha"
                level = "scene"
                title = "/^play/"
                to = "active"
                shell = "echo run $XPHASE_CHANGE $XPHASE_TITLE >> log"
                [[hook]]
                name = "quiet"
                level = "scene"
                title = "*play*"
                while = "active"
                enter = ["sh", "-c", "echo enter $XPHASE_TITLE >> log"]
                leave = ["sh", "-c", "echo leave $XPHASE_TITLE >> log"]
                """)
            let window = try hooks.session.open("Alpha")
            Self.set("play 1", window)
            #expect(try hooks.logs(2) == ["enter play 1", "run title play 1"])
            Self.set("stop", window)
            #expect(try hooks.logs(3).contains("leave stop"))
            Self.set("play 2", window)
            #expect(try hooks.logs(5).suffix(2) == ["enter play 2", "run title play 2"])
            try hooks.end()
            #expect(try hooks.logs(6).contains("leave play 2"))
        }

        /// The phase stays the same.
        @Test func aPairOfADesktopIsLeftWithIt() throws {
            let hooks = try HookSession(HookSession.pair("one", "desktop = 1"))
            let window = try hooks.session.open("Alpha")
            var expected: [String] = []
            for (desktop, line) in [(1, "enter one"), (2, "leave one"), (1, "enter one")] {
                window.moveToDesktop(desktop)
                expected.append(line)
                #expect(try waitUntil { try hooks.home.lines("log") == expected })
            }
            #expect(
                try hooks.end().contains {
                    $0.hasSuffix(
                        "leave for Alpha, background, another desktop, monitor, extent, process or role")
                })
            #expect(try hooks.home.lines("log") == expected + ["leave one"])
        }
    }
}

extension HookSession {
    /// Waits until the log has at least this many lines, and returns it with the last two lines sorted, since their
    /// hooks run concurrently.
    fileprivate func logs(_ count: Int) throws -> [String] {
        var lines: [String] = []
        _ = try waitUntil {
            lines = try home.lines("log")
            return lines.count >= count
        }
        return lines.dropLast(2) + lines.suffix(2).sorted()
    }
}

extension Session {
    /// Reads the title lines of a window through the given title.
    fileprivate func titles(of window: TestWindow, until title: String) throws -> [Line] {
        var lines: [Line] = []
        while let text = try watch.output.next() {
            let line = try Line(text)
            guard line.change == "title", line.scene == window.name else { continue }
            lines.append(line)
            if line.title == title { return lines }
        }
        throw Failure("xphase ended: \(try watch.errors.rest())")
    }
}

extension Line {
    /// The seconds since midnight.
    fileprivate var second: Double {
        let clock = time.drop { $0 != "T" }.dropFirst().dropLast().split(separator: ":").compactMap {
            Double($0)
        }
        return clock.reduce(0) { 60 * $0 + $1 }
    }
}
