import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// One `xphase run` for each user and display.
    @Suite struct Instance {
        /// Also with another runtime directory, in which it does not find the first. It does not touch its pairs.
        @Test func aSecondServiceExits75AndNamesTheFirst() throws {
            let hooks = try HookSession(HookSession.pair())
            try hooks.enterPair()
            let other = "\(hooks.home.path)/other"
            mkdir(other, 0o700)
            for runtime in ["\(hooks.home.path)/runtime", other] {
                let second = try XPhase.run(
                    ["run"], on: hooks.session.display,
                    environment: hooks.home.environment.merging(["XDG_RUNTIME_DIR": runtime]) { $1 })
                #expect(second.code == 75 && second.output.isEmpty && second.errors.count == 1)
                let reason = "xphase: process \(hooks.run.pid) already runs "
                #expect(second.errors.first?.hasPrefix(reason) == true)
            }
            #expect(try hooks.home.lines("log") == ["enter pair"])
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["enter pair", "leave pair"])
        }

        // MARK: Its files in the runtime directory

        /// Renamed, so that nothing in it is left in use.
        @Test(arguments: ["", ".lock", nil]) func aRemovedLockOrSocketIsMadeAgain(suffix: String?) throws {
            let hooks = try HookSession(nil)
            let folder = "\(hooks.home.path)/runtime/xphase"
            let client = try hooks.client(
                """
                peer = Client().send("org.xphase.Phases.Watch", more=True, filter={"application": ["Alpha"]})
                say("asks")
                say(peer.reply()["parameters"]["change"]["application"])
                """)
            #expect(try client.output.next() == "asks")
            for number in 1...2 {
                rename(suffix.map { hooks.address + $0 } ?? folder, "\(hooks.home.path)/old\(number)")
                for name in [hooks.address, "\(hooks.address).lock"] {
                    #expect(waitUntil { access(name, F_OK) == 0 })
                }
                #expect(try waitUntil { try hooks.xphase("hooks", "status").code == 0 })
            }
            // With another state directory, only the new lock file keeps a second service out.
            var environment = hooks.home.environment
            environment["XDG_STATE_HOME"] = "\(hooks.home.path)/other"
            let second = try XPhase.run(["run"], on: hooks.session.display, environment: environment)
            #expect(second.code == 75)
            // Who is connected stays connected.
            _ = try hooks.session.open("Alpha")
            #expect(try client.output.next() == "Alpha")
            let said = try hooks.end().filter { $0.contains("socket") }
            let line = "xphase: the Varlink socket was removed; xphase made it again"
            #expect(suffix == ".lock" ? said.isEmpty : said.first == line)
            #expect(access(hooks.address, F_OK) != 0)
        }

        /// A service that has taken the place keeps it.
        @Test func aLockThatAnotherHoldsIsLeftToIt() throws {
            let hooks = try HookSession(nil)
            let rival = try Program(
                "python3",
                [
                    "-c",
                    """
                    import fcntl, os, sys, time
                    path = sys.argv[1]
                    file = open(path + ".new", "w")
                    fcntl.lockf(file, fcntl.LOCK_EX)
                    os.rename(path + ".new", path + ".lock")
                    os.unlink(path)
                    print("done", flush=True)
                    time.sleep(1000)
                    """, hooks.address,
                ], package: "python3")
            #expect(try rival.output.next() == "done")
            try hooks.waitForMessage("cannot be made again: process \(rival.pid) already runs")
            #expect(access(hooks.address, F_OK) != 0)
            try rival.end()
        }
    }
}
