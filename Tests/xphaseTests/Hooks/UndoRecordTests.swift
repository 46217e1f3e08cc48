import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The record of pending `leave`s, which survives a crash.
    @Suite struct UndoRecordTests {
        @Test func afterACrashTheNextStartLeaves() throws {
            let hooks = try HookSession(
                HookSession.pair().replacing(
                    "echo leave $XPHASE_HOOK",
                    with: "env | grep ^XPHASE_ | sort > left; echo leave $XPHASE_HOOK"))
            let window = hooks.session.window(.init("Alpha"))
            window.setOwner(ofThisProcess: true)
            try hooks.session.settle { window.map() }
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["enter pair"])
            try hooks.run.end(SIGKILL)
            #expect(try hooks.home.records().count == 1)
            // `leave` runs even if the new configuration has no such hook.
            try hooks.home.configure("")
            try hooks.session.restart()
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try waitUntil { try hooks.home.records().isEmpty })
            let reported = try hooks.home.lines("left")
            let pid = TestWindow.ownPid
            for line in [
                "HOOK=pair", "KIND=application", "CHANGE=closed", "APPLICATION=Alpha", "FROM=background",
                "TO=",
                "CAUSE=resync", "HELD=", "SEQ=", "PID=\(pid)", "PIDS=\(pid)",
            ] { #expect(reported.contains("XPHASE_\(line)")) }
            try hooks.run.end(SIGKILL)
            try hooks.session.restart()
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        /// What a running service has entered is not left behind.
        @Test func doctorAndThawAllNameThePairThatAKilledServiceHasLeft() throws {
            let hooks = try HookSession(HookSession.pair())
            try hooks.enterPair()
            let text =
                "hook 'pair' is still entered for Alpha, since 'xphase run' was killed: the next 'xphase run' on "
                + "display \(hooks.session.display.name) undoes it"
            func isNamed() throws -> Bool {
                let doctor = try hooks.xphase("doctor").output.contains("  left behind     \(text)")
                let thaw = try hooks.xphase("thaw", "--all")
                #expect(thaw.code == 0 && thaw.output == ["nothing is frozen"], "\(thaw)")
                #expect(thaw.errors == (doctor ? ["xphase: \(text)"] : []))
                return doctor
            }
            #expect(try !isNamed())
            try hooks.run.end(SIGKILL)
            #expect(try isNamed())
            try hooks.session.restart()
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try waitUntil { try !isNamed() })
        }

        @Test func anEnterThatDoesNotEndAfterACrashIsEndedByItsTimeLimit() throws {
            let hooks = try HookSession(
                HookSession.pair("pair", "timeout = \"2s\"").replacing(
                    "echo enter $XPHASE_HOOK >> log", with: "echo enter begins >> log; sleep 1000"))
            let window = try hooks.session.open("Alpha")
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["enter begins"])
            try hooks.run.end(SIGKILL)
            try hooks.session.restart()
            try hooks.waitForMessage("which an earlier xphase started")
            try hooks.waitForMessage("enter: timed out after")
            try hooks.home.waitForLines(["enter begins", "leave pair"])
        }

        /// A power loss must not lose the name of the file either.
        @Test func theRecordAndItsNameAreOnDiskBeforeAnythingIsEntered() throws {
            let hooks = try HookSession(HookSession.pair())
            let calls = "\(hooks.home.path)/calls"
            let trace = try hooks.trace(["-y", "-e", "trace=fsync,execve", "-o", calls])
            try hooks.enterPair()
            try trace.end()
            let place = #/fsync\(\d+<.*/state/(.*?)>|execve\(.*(enter)/#
            let places = try hooks.home.lines("calls").compactMap { try place.firstMatch(in: $0) }
                .map { "\($0.1 ?? $0.2 ?? "")" }
            let before = places.prefix { $0 != "enter" }
            #expect(before.count == 2 && before.first?.hasPrefix("xphase/.undo-record-") == true, "\(places)")
            #expect(before.last == "xphase")
        }

        /// Each fsync(2) takes a minute, and operations that do not need the disk do not wait.
        @Test func onlyPairsWaitForASlowDisk() throws {
            let hooks = try HookSession(
                HookSession.pair()
                    + HookSession.hook("other", "application = \"Beta\"", shell: "echo $XPHASE_TO >> other"))
            let window = try hooks.session.open("Alpha")
            let slowness = try hooks.slowDisk()
            try hooks.session.applicationLine("Alpha", to: "background") { window.iconify() }
            try hooks.session.open("Beta", x: 300)
            try hooks.home.waitForLines(["active"], in: "other")
            #expect(!hooks.home.exists("log"))
            // The record exists, and `enter` has not begun.
            #expect(try hooks.home.records().count == 1)
            hooks.run.send(SIGKILL)
            try slowness.end()
            try hooks.run.end()
            try hooks.session.restart()
            try hooks.end()
            #expect(try hooks.home.lines("log").allSatisfy { $0 == "leave pair" })
        }

        /// A pair that an earlier run entered is not entered again while its record cannot be read, and is left once it
        /// can.
        @Test func aRecordThatCannotBeReadIsReadAgain() throws {
            let hooks = try HookSession(HookSession.pair())
            let window = try hooks.enterPair()
            try hooks.run.end(SIGKILL)
            let (state, aside) = ("\(hooks.home.path)/state/xphase", "\(hooks.home.path)/state/aside")
            try #require(rename(state, aside) == 0)
            try hooks.home.write("state/xphase", "in the way")
            try hooks.session.restart()
            try hooks.session.settle { window.activate() }
            try hooks.session.settle { window.iconify() }
            try hooks.waitForMessage("'pair': enter: not run, since its 'leave' cannot be recorded: ")
            #expect(try hooks.home.lines("log") == ["enter pair"])
            try #require(unlink(state) == 0 && rename(aside, state) == 0)
            try hooks.home.waitForLines(["enter pair", "leave pair"])
            #expect(try hooks.end().filter { $0.hasPrefix("xphase: hooks: ") }.count == 1)
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }
    }
}
