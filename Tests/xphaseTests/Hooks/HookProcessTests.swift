import TestDesktop
import Testing

extension DesktopTests {
    /// The process that a hook runs in.
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
    }
}
