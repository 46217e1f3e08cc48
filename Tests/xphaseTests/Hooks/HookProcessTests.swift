import TestDesktop
import Testing

extension DesktopTests {
    /// The process that a hook runs in, and its output.
    @Suite struct HookProcess {
        /// It has stdin, which can be read again and from any offset, stdout and stderr. What it prints stands behind its
        /// name.
        @Test func itInheritsNoDescriptorsAndNoSignalMask() throws {
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

        @Test func aReaderOfTheLinesThatDoesNotReadHoldsUpNoHook() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "last", "application = \"Last*\"", shell: "echo $XPHASE_APPLICATION >> log"),
                manager: .none)
            // More lines than a pipe holds.
            for number in 1...1000 { hooks.session.client.queueSmallWindow(className: "Many\(number)") }
            for number in 1...3 {
                hooks.session.client.queueSmallWindow(className: "Last\(number)")
                hooks.session.client.sync()
                try hooks.home.waitForLines((1...number).map { "Last\($0)" })
            }
            try hooks.end()
        }
    }
}
