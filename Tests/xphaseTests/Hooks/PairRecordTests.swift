import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The record of what is owed, which outlives a crash.
    @Suite struct PairRecordFile {
        @Test func itIsThereBeforeEnterRuns() throws {
            let hooks = try HookSession(
                HookSession.pair().replacing(
                    "echo enter", with: "cat $XDG_STATE_HOME/xphase/*.json > seen; echo enter"))
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            try hooks.home.awaits(["enter pair"])
            let record = try hooks.home.lines("seen").joined()
            #expect(record.contains(#""hook":"pair""#))
            #expect(record.contains("echo leave $XPHASE_HOOK"))
            try hooks.end()
        }

        @Test func afterACrashTheNextStartLeaves() throws {
            let hooks = try HookSession(
                HookSession.pair().replacing(
                    "echo leave $XPHASE_HOOK",
                    with: "env | grep ^XPHASE_ | sort > left; echo leave $XPHASE_HOOK"))
            let window = hooks.session.window(.init("Alpha"))
            window.setOwner(ofThisProcess: true)
            try hooks.session.settle { window.map() }
            try hooks.session.settle { window.iconify() }
            try hooks.home.awaits(["enter pair"])
            try hooks.run.end(SIGKILL)
            #expect(try hooks.home.files("state").count == 1)
            // Another configuration: what was entered is left all the same.
            try hooks.home.configure("")
            try hooks.session.restart()
            try hooks.home.awaits(["enter pair", "leave pair"])
            #expect(try waitUntil { try hooks.home.files("state").isEmpty })
            let told = try hooks.home.lines("left")
            let pid = TestWindow.ownPid
            for line in [
                "HOOK=pair", "KIND=application", "CHANGE=closed", "APPLICATION=Alpha", "FROM=background",
                "TO=",
                "CAUSE=resync", "HELD=", "SEQ=", "PID=\(pid)", "PIDS=\(pid)",
            ] { #expect(told.contains("XPHASE_\(line)")) }
            try hooks.run.end(SIGKILL)
            try hooks.session.restart()
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        @Test func aCrashAfterTheLeaveOwesNothing() throws {
            let hooks = try HookSession(HookSession.pair())
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            try hooks.session.settle { window.activate() }
            try hooks.home.awaits(["enter pair", "leave pair"])
            #expect(try waitUntil { try hooks.home.files("state").isEmpty })
            try hooks.run.end(SIGKILL)
            try hooks.session.restart()
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        @Test func whatCannotBeRecordedIsNotEntered() throws {
            let hooks = try HookSession(HookSession.pair()) { home, _ in
                try home.write("state/xphase", "in the way")
            }
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            #expect(
                try hooks.says("not run")
                    .hasPrefix("xphase: hook 'pair': enter: not run, since its 'leave' could be forgotten: "))
            try hooks.session.settle { window.activate() }
            try hooks.end()
            #expect(!hooks.home.exists("log"))
        }

        @Test func aRecordThatMakesNoSenseIsSetAside() throws {
            let hooks = try HookSession(HookSession.pair()) { home, stage in
                mkdir("\(home.path)/state/xphase", 0o700)
                try home.write("state/xphase/pairs-\(stage.display.name).json", "rubbish")
            }
            try hooks.says("makes no sense")
            try hooks.end()
            #expect(
                try hooks.home.files("state") == ["pairs-\(hooks.session.display.name).json.bad"])
        }
    }
}
