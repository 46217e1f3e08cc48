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

        @Test func aPairLastsAsLongAsTheTitle() throws {
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
            Self.set("play 1", window)
            try hooks.home.waitForLines(["enter play 1"])
            Self.set("stop", window)
            try hooks.home.waitForLines(["enter play 1", "leave stop"])
            try hooks.end()
        }
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
