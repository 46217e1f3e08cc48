import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Title changes in watches and hooks.
    @Suite struct Titles {
        @Test func oneMegabyteInvalidBytesAndControlCharactersAreReported() throws {
            let session = try Session(.none, ["--titles"])
            let window = try session.open("Alpha")
            for (bytes, title) in [
                ([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20), String(repeating: "x", count: 1024)),
                ([0x61, 0xFF, 0x0A, 0xC3], "a\u{FFFD}\n\u{FFFD}"),
            ] {
                window.setBytes("_NET_WM_NAME", "UTF8_STRING", bytes)
                var line = try Line(#require(try session.watch.output.next()))
                while line.change != "title" { line = try Line(#require(try session.watch.output.next())) }
                #expect(line.scene == window.name && line.title == title && line.cause == "title")
            }
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
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("play 1".utf8))
            try hooks.home.waitForLines(["enter play 1"])
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("stop".utf8))
            try hooks.home.waitForLines(["enter play 1", "leave stop"])
            try hooks.end()
        }
    }
}
