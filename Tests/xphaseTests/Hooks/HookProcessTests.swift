import TestDesktop
import Testing

extension DesktopTests {
    /// The process that a hook runs in, and its output.
    @Suite struct HookProcess {
        @Test func itInheritsNoDescriptorsAndNoSignalMask() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    shell: """
                        readlink /proc/$$/fd/0 > input
                        ls /proc/$$/fd
                        grep -E '^Sig(Blk|Ign):' /proc/self/status > signals
                        cut -d ' ' -f 1,5 /proc/$$/stat > group
                        cat > line; cat /proc/self/fd/0 > again; mv line done
                        """))
            try hooks.session.open("Alpha")
            let line = try hooks.home.waitForFile("done")
            #expect(line.count == 1)
            #expect(try hooks.home.lines("again") == line)
            // Stdin is a file, which can be read again and from any offset.
            #expect(try hooks.home.lines("input") == ["/memfd:xphase (deleted)"])
            #expect(
                try hooks.home.lines("signals") == ["SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"])
            let group = try #require(try hooks.home.lines("group").first).split(separator: " ")
            #expect(group.count == 2 && group.first == group.last)
            let prefix = "xphase: hook 'note': "
            let descriptors = try hooks.end().filter { $0.hasPrefix(prefix) && !$0.contains("run for") }
            #expect(descriptors == ["\(prefix)0", "\(prefix)1", "\(prefix)2"])
        }

        @Test func oneThatClosesItsOutputRunsOn() throws {
            let hooks = try HookSession(
                HookSession.hook(shell: "exec >&- 2>&-; until [ -e go ]; do sleep 0.05; done; exit 3"))
            try hooks.session.open("Alpha")
            try hooks.waitForMessage("run for Alpha")
            try hooks.session.settle()
            try hooks.home.write("go", "")
            #expect(try hooks.waitForMessage("exit").hasPrefix("xphase: hook 'note': exit 3 after "))
            try hooks.end()
        }

        @Test func eachLineStandsBehindTheName() throws {
            let hooks = try HookSession(
                HookSession.hook(shell: #"echo one; echo two >&2; printf '\033[2Jthree\r'; printf 4"#))
            try hooks.session.open("Alpha")
            try hooks.waitForMessage("three")
            let lines = try hooks.end().filter { $0.hasPrefix("xphase: hook 'note': ") }
            #expect(
                lines.map { String($0.dropFirst("xphase: hook 'note': ".count)) } == [
                    "run for Alpha, active, open", "one", "two", #"\e[2Jthree\r4"#,
                ])
        }

        @Test func oneThatPrintsForEverBlocksNothing() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "yes", "application = \"Alpha\"\nto = \"active\"\ntimeout = \"1s\"", shell: "yes"))
            let alpha = try hooks.session.open("Alpha")
            let beta = try hooks.session.open("Beta", x: 300)
            // Neither the unread output nor the hook blocks the monitor.
            for _ in 1...5 {
                try hooks.session.applicationLine("Beta", to: "background") { beta.iconify() }
                try hooks.session.applicationLine("Beta", to: "active") { beta.activate() }
            }
            try hooks.waitForMessage("timed out after")
            try hooks.session.settle { alpha.destroy() }
            try hooks.end()
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
