import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The process that a hook runs in, its environment and its output.
    @Suite struct HookProcess {
        /// It has stdin, which can be read again and from any offset, stdout and stderr. What it prints stands behind its
        /// name.
        @Test func aHookInheritsNoDescriptorsAndNoSignalMask() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    shell: #"""
                        readlink /proc/$$/fd/0 > input
                        ls /proc/$$/fd
                        grep -E '^Sig(Blk|Ign):' /proc/self/status > signals
                        cut -d ' ' -f 1,5 /proc/$$/stat > group
                        echo two >&2; printf '\033[2Jthree\r'; printf 4
                        cat > line; cat /proc/self/fd/0 > again; mv line done
                        """#))
            try hooks.session.open("Alpha")
            let line = try hooks.home.waitForFile("done")
            #expect(line.count == 1)
            #expect(try hooks.home.lines("again") == line)
            #expect(try hooks.home.lines("input") == ["/memfd:xphase (deleted)"])
            #expect(
                try hooks.home.lines("signals") == ["SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"])
            let group = try #require(try hooks.home.lines("group").first).split(separator: " ")
            #expect(group.count == 2 && group.first == group.last)
            let prefix = "xphase: hook 'note': "
            let lines = try hooks.end().filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
            #expect(lines == ["run for Alpha, active, open", "0", "1", "2", "two", #"\e[2Jthree\r4"#])
        }

        // MARK: No property of a window reaches a command line or a shell word

        // The command line is what the user wrote, whatever the names of the window.
        private static let text = """
            tr '\\0' '\\n' < /proc/$$/environ > environ; tr '\\0' '\\n' < /proc/$$/cmdline > words
            echo $XPHASE_TITLE $XPHASE_APPLICATION $XPHASE_GROUP > words.shell; cat > line; mv line done
            """
        private static let hook = """
            [[hook]]
            name = "note"
            title = "*Evil*"
            level = "scene"
            to = "background"
            run = ["sh", "-c", '''\(text)''']

            """

        private static let texts = [
            "$(touch x)", "`touch x`", "'; touch x; '", "\"; touch x; \"", "&& touch x #", "| touch x", "> x",
            "a\nXPHASE_HOOK=b\ntouch x", "\u{1B}]0;x\u{7}\u{1B}[2J", "\u{85}\u{7F}\r\t", "a=b=c", "%s%n",
            String(repeating: "ä", count: 100_000),
        ]
        private static let bytes: [[UInt8]] = [
            [0xFF, 0xFE, 0xC3], [0x41, 0, 0x42, 0], [0xED, 0xA0, 0x80, 0xF8, 0x88],
        ]

        @Test func aTitleOrAClassIsNoWordOfAShell() throws {
            let hooks = try HookSession(Self.hook, ["--level", "scene"])
            for text in Self.texts {
                let line = try line(title: Array("Evil \(text)".utf8), class: Array(text.utf8), hooks)
                if text.utf8.count < 1000, text.allSatisfy({ !$0.isNewline }) {
                    #expect(line.title == "Evil \(text)")
                }
            }
            for bytes in Self.bytes { _ = try line(title: Array("Evil ".utf8) + bytes, class: bytes, hooks) }
            #expect(!hooks.home.exists("x"))
            #expect(try hooks.end().allSatisfy { $0.hasPrefix("xphase: ") })
        }

        /// Hides a window with this title and class, and returns the line that the hook has received.
        private func line(title: [UInt8], class name: [UInt8], _ hooks: HookSession) throws -> Line {
            unlink("\(hooks.home.path)/done")
            let window = hooks.session.window(.init("Alpha"))
            window.setBytes("_NET_WM_NAME", "UTF8_STRING", title)
            window.setBytes("WM_CLASS", "STRING", Array("i\0".utf8) + name + [0])
            try hooks.session.settle { window.map() }
            let line = try #require(
                try hooks.session.settle { window.iconify() }.first { $0.scene == window.name })
            #expect(try hooks.home.waitForFile("done") == [line.json])
            let environ = try hooks.home.lines("environ").filter { $0.hasPrefix("XPHASE_") }
            #expect(environ.count == 22)
            let values = environ.flatMap(\.unicodeScalars)
            #expect(!values.contains { $0.properties.generalCategory == .control })
            #expect(environ.contains("XPHASE_HOOK=note"))
            #expect(
                try hooks.home.lines("words") == ["sh", "-c"]
                    + Self.text.split(separator: "\n").map(String.init))
            try hooks.session.settle { window.destroy() }
            return line
        }
    }
}
