import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The service from login to logout, with and without a service manager.
    @Suite struct SessionStartTests {
        private let (home, display): (HookHome, VirtualDisplay)

        init() throws {
            let wrong = HookSession.hook(
                "wrong", "application = 'XTerm'\nto = 'background'", shell: "nothing")
            (home, display) = (try HookHome(FreezeTests.hook() + wrong), try VirtualDisplay())
        }

        /// Starts a service manager that knows the unit, and logs requests for changes.
        private func manager(_ state: String, _ activity: String) throws -> FakeBus {
            mkdir("\(home.path)/runtime/systemd", 0o700)
            return try FakeBus(
                "\(home.path)/runtime/systemd/private",
                """
                def answer(member, arguments, path):
                    if member == "GetUnitFileState": return "s", ("\(state)",)
                    if member == "Get": return "v", (("s", "\(activity)"),)
                    print(member, *arguments, file=open("\(home.path)/asked", "a"))
                    return "", ()
                """)
        }

        private func log(_ display: VirtualDisplay) -> String { "state/xphase/log-\(display.name)" }

        /// Runs `session start` or `session stop`, on the display of the test unless DISPLAY is nil.
        private func session(_ word: String, _ changes: [String: String?] = [:]) throws -> XPhase.Result {
            try XPhase.run(
                ["session", word], on: display, environment: home.environment.merging(changes) { $1 })
        }

        private func start(on other: VirtualDisplay? = nil, isEnabled: Bool = true) throws {
            let result = try XPhase.run(
                ["session", "start"], on: other ?? display,
                environment: home.environment.merging(["XAUTHORITY": nil]) { $1 })
            let words = isEnabled ? ["starts", "already runs"] : ["is not running"]
            #expect(result.code == (isEnabled ? 0 : 1) && result.output.count == 1, "\(result)")
            #expect(words.contains { result.output[0].contains("the service \($0)") }, "\(result)")
        }

        /// Returns the last two lines of `hooks check`.
        private func check(_ other: VirtualDisplay? = nil) throws -> [String] {
            try home.xphase("hooks", "check", on: other ?? display).output.suffix(2)
        }

        /// Waits until a process serves the display, and returns its PID.
        private func server(on other: VirtualDisplay? = nil) throws -> Int32 {
            let display = other ?? display
            let runs = try waitUntil { try check(display)[0] == "the service runs for \(display.name)" }
            #expect(runs, "\(log(display))")
            let second = try home.xphase("run", on: display)
            #expect(second.code == 75)
            return try #require(second.errors.last?.split(separator: " ").lazy.compactMap { Int32($0) }.first)
        }

        @Test func theServiceManagerStartsAnEnabledUnit() throws {
            let manager = try manager("enabled", "inactive")
            try start()
            #expect(
                try home.lines("asked") == [
                    "SetEnvironment ['DISPLAY=\(display.name)']", "UnsetEnvironment ['XAUTHORITY']",
                    "StartUnit xphase.service replace",
                ])
            let lines = try check()
            #expect(lines[0].hasSuffix(" not running for \(display.name); to start it: xphase session start"))
            #expect(
                lines[1].hasPrefix("next login: started by ") && lines[1].contains("graphical-session.target")
            )
            withExtendedLifetime(manager) {}
        }

        @Test func nothingIsStartedThatIsNotEnabled() throws {
            var manager: FakeBus? = try manager("disabled", "inactive")
            try start(isEnabled: false)
            #expect(!home.exists("asked") && !home.exists(log(display)))
            let type = "systemctl --user enable xphase"
            #expect(
                try check() == [
                    "the service is not running for \(display.name); to start it: \(type) && xphase session start",
                    "next login: not enabled; to enable it: \(type)",
                ])
            withExtendedLifetime(manager) {}
            manager = nil
            try start(isEnabled: false)
            #expect(!home.exists(log(display)))
            let enabling = "next login: not enabled; to enable it: mkdir -p \(home.path)/config/xphase"
            #expect(try check()[1].hasPrefix(enabling))
            mkdir("\(home.path)/config/autostart", 0o700)
            try home.write("config/autostart/xphase.desktop", "[Desktop Entry]\nHidden=true\n")
            try start(isEnabled: false)
            #expect(!home.exists(log(display)))
        }

        /// A unit that is active has the environment of the first display, and this is another one.
        @Test(arguments: [false, true])
        func sessionStartBesideTheUnitOrWithoutAServiceManagerStartsOneService(hasManager: Bool) throws {
            let manager = try hasManager ? manager("enabled", "active") : nil
            try home.write("config/xphase/enabled", "")
            let gone = home.environment.merging(["DISPLAY": ":4711"]) { $1 }
            #expect(try XPhase.run(["session", "start"], on: nil, environment: gone).code == 69)
            try start()
            let first = try server()
            try start()
            #expect(try server() == first && !home.exists("asked"))
            let doctor = try home.xphase("doctor", on: display).output
            let lines = try home.lines(log(display))
            let form = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d xphase: .*/
            #expect(!lines.isEmpty && lines.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(lines)")
            let log = "\(home.path)/\(log(display))"
            #expect(doctor.contains { $0.hasPrefix("  log ") && $0.hasSuffix(" \(log)") }, "\(doctor)")
            try endSession()
            withExtendedLifetime(manager) {}
        }

        /// Starts the service on a further display, and waits until it has frozen a terminal there.
        private func frozen() throws -> (session: Session, terminal: ProgramWindow, service: Int32) {
            try home.write("config/xphase/enabled", "")
            let session = try Session(.openbox)
            let terminal = try FreezeTests.terminal(session)
            try start(on: session.display)
            let service = try server(on: session.display)
            terminal.iconify()
            #expect(try waitUntil { try FreezeTests.isFrozen(terminal) })
            return (session, terminal, service)
        }

        /// The end of another display thaws nothing.
        @Test(arguments: [SIGKILL, SIGTERM])
        func aFrozenProgramIsThawedAtTheEndOfAStartedService(signal: Int32) throws {
            let (session, terminal, first) = try frozen()
            let why = try home.xphase("hooks", "why", "wrong", on: session.display)
            let place = "\(home.path)/\(log(session.display))"
            #expect(why.errors == ["xphase: what its programs printed is in the log: \(place)"], "\(why)")
            try start()
            let parent = try Program.run("ps", ["-o", "ppid=", "-p", "\(server())"], package: "procps").output
            let shell = try #require(parent.first.flatMap { Int32($0.drop { $0 == " " }) })
            try endSession()
            #expect(waitUntil { kill(shell, 0) != 0 })
            #expect(try FreezeTests.isFrozen(terminal))
            #expect(home.exists(log(session.display)) && home.exists(log(display)))
            kill(first, signal)
            #expect(try waitUntil { try FreezeTests.runs(terminal) })
        }

        /// The service is stopped by SIGSTOP, or not; the command knows its display, or finds it.
        @Test(arguments: [(false, true), (true, false)])
        func aStopThawsEverythingBeforeItEnds(isStopped: Bool, hasDisplay: Bool) throws {
            let (session, terminal, service) = try frozen()
            if isStopped { kill(service, SIGSTOP) }
            let name = session.display.name
            let variable = ["DISPLAY": hasDisplay ? name : nil]
            let first = try self.session("stop", variable)
            #expect(first.code == 0 && first.output == ["the service of \(name) has ended"], "\(first)")
            // Its parent may not have waited for it yet.
            let states = try Program.run("ps", ["-o", "stat=", "-p", "\(service)"], package: "procps").output
            #expect(states.allSatisfy { $0.hasPrefix("Z") }, "\(states)")
            #expect(try FreezeTests.runs(terminal))
            let second = try self.session("stop", variable)
            let place = hasDisplay ? "serves display '\(name)'" : "of this user serves a display"
            #expect(second.code == 1 && second.errors.first?.contains("no 'xphase run' \(place): ") == true)
        }

        /// Otherwise, it would start the unit again.
        @Test func aUnitIsStoppedByTheServiceManager() throws {
            let service = try XPhase.start(["run"], on: display, environment: home.environment)
            _ = try server()
            mkdir("\(home.path)/runtime/systemd", 0o700)
            let manager = try FakeBus(
                "\(home.path)/runtime/systemd/private",
                """
                def answer(member, arguments, path):
                    if member == "GetUnitFileState": return "s", ("enabled",)
                    if member == "Get": return "v", (("u", \(service.pid)),)
                    print(member, *arguments, file=open("\(home.path)/asked", "a"))
                    os.kill(\(service.pid), 2)
                    return "", ()
                """)
            #expect(try session("stop").output == ["the service of \(display.name) has ended"])
            #expect(try home.lines("asked") == ["StopUnit xphase.service replace"])
            #expect(try service.exitCode() == 0)
            withExtendedLifetime(manager) {}
        }

        @Test func sessionStartReportsWhatWouldEndTheService() throws {
            try home.write("config/xphase/enabled", "")
            try home.configure("policy = 2\njournal = 1\n")
            let faults = try home.xphase("hooks", "check", on: display)
            #expect(faults.code == 78 && faults.errors.count == 2)
            let result = try session("start")
            #expect(result.code == 78 && result.errors == faults.errors && result.output.isEmpty)
            #expect(!home.exists(log(display)))
            func doctor(_ text: String) throws {
                let lines = try home.xphase("doctor", on: display).output
                #expect(lines.contains { $0.contains(text) }, "\(lines)")
                #expect(!lines.contains { $0.contains("xphase session start") && !$0.contains("next login") })
            }
            try doctor("to start it, first correct the faults that 'xphase hooks check' reports")
            try home.configure("")
            let on = try XPhase.start(
                ["on", "XTerm", "background", "--do", "freeze"], on: display, environment: home.environment)
            try on.waitForError("waiting for ")
            #expect(try waitUntil { try session("start").code == 75 })
            try doctor(
                "process \(on.pid) already runs the hooks of this display, as 'xphase on': end it first")
            try on.end(SIGTERM)
            let gone = try session("start", ["DISPLAY": ":4711"])
            let check = try XPhase.run(
                ["hooks", "check"], on: nil,
                environment: home.environment.merging(["DISPLAY": ":4711"]) { $1 })
            #expect(
                gone.code == 69 && !check.output.contains { $0.contains("to start it: xphase") }, "\(check)")
        }

        /// A script that runs the service itself needs nothing that is enabled.
        @Test func theFilesOfTheUserDecideWhetherTheServiceIsStarted() throws {
            try home.write(".xinitrc", "# xphase session start\nexec openbox\n")
            #expect(try check()[1].hasPrefix("next login: not enabled; to enable it: "))
            try home.write(".xsession", "xphase session start &\nexec openbox\n")
            #expect(try check()[1].hasPrefix("next login: not enabled; to enable it: "))
            try home.write("config/xphase/enabled", "")
            #expect(try check()[1].hasSuffix("~/.xsession"))
            unlink("\(home.path)/config/xphase/enabled")
            try home.write(".xinitrc", "xphase run >/dev/null &\nexec openbox\n")
            #expect(try check()[1] == "next login: started by ~/.xinitrc")
        }

        @Test func hooksHaveTheSessionBusThatTheServiceUses() throws {
            try home.configure(HookSession.hook(shell: "echo $DBUS_SESSION_BUS_ADDRESS >> log"))
            try home.write("config/xphase/enabled", "")
            try home.write("runtime/bus", "")
            let session = try Session(.openbox)
            let environment = ["DBUS_SESSION_BUS_ADDRESS": nil, "DISPLAY": session.display.name]
            #expect(try self.session("start", environment).code == 0)
            _ = try server(on: session.display)
            try session.open("Alpha").iconify()
            #expect(try home.waitForFile("log").first == "unix:path=\(home.path)/runtime/bus")
            #expect(try self.session("stop", environment).code == 0)
        }

        @Test(arguments: [1, 1 << 20])
        func theLogIsKeptAndItsSizeLimited(size: Int) throws {
            let earlier = String(repeating: "x", count: size)
            try home.write("config/xphase/enabled", "")
            mkdir("\(home.path)/state/xphase", 0o700)
            try home.write(log(display), earlier + "\n")
            try start()
            _ = try server()
            #expect(try home.lines(log(display)).contains(earlier) == (size == 1))
            #expect(home.exists(log(display) + ".old") == (size > 1))
            try endSession()
        }

        /// Crashes the X server, and waits until no process serves the display.
        private func endSession() throws {
            let server = try server()
            try display.crash()
            #expect(waitUntil { kill(server, 0) != 0 })
        }
    }
}
