import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The service from login to logout, with and without a service manager.
    @Suite struct SessionStartTests {
        private let (home, display): (HookHome, VirtualDisplay)

        init() throws {
            (home, display) = (try HookHome(FreezeTests.hook()), try VirtualDisplay())
            try home.addTool("systemctl", "exit 1")
        }

        /// Installs a `systemctl` that knows the unit, and logs its requests.
        private func makeUnit(_ state: String, _ activity: String) throws {
            try home.addTool(
                "systemctl",
                """
                case $2 in show*) ;; *) false ;; esac || echo "$*" >>'\(home.path)/asked'
                printf 'Id=xphase.service\\nUnitFileState=%s\\nActiveState=%s\\n' '\(state)' '\(activity)'
                """)
        }

        private func start() throws {
            let result = try XPhase.run(["session", "start"], on: display, environment: environment)
            #expect(result.code == 0 && result.output == [] && result.errors == [])
        }

        private var environment: [String: String?] { home.environment.merging(["XAUTHORITY": nil]) { $1 } }

        private func check() throws -> [String] {
            try XPhase.run(["hooks", "check"], on: display, environment: environment).output.suffix(2)
        }

        private var log: [String] { get throws { try home.lines("state/xphase/log") } }

        /// Waits until a process serves the display, and returns its PID.
        private func server() throws -> Int32 {
            let runs = try waitUntil { try check()[0] == "the service runs for \(display.name)" }
            guard runs else { throw Failure("nothing serves \(display.name): \(try log)") }
            let second = try XPhase.run(["run"], on: display, environment: environment)
            guard second.code == 75,
                let word = second.errors.last?.split(separator: " ").compactMap({ Int32($0) }).first
            else { throw Failure("no process serves \(display.name): \(second)") }
            return word
        }

        @Test func theServiceManagerStartsAnEnabledUnit() throws {
            try makeUnit("enabled", "inactive")
            try start()
            #expect(
                try home.lines("asked") == [
                    "--user import-environment DISPLAY", "--user unset-environment XAUTHORITY",
                    "--user start --no-block xphase.service",
                ])
            let lines = try check()
            #expect(lines[0] == "the service does not run for \(display.name): type xphase session start")
            #expect(
                lines[1].hasPrefix("at the next login, started by the first of graphical-session.target"))
        }

        @Test func nothingIsStartedThatIsNotEnabled() throws {
            try makeUnit("disabled", "inactive")
            try start()
            #expect(!home.exists("asked") && !home.exists("state/xphase/log"))
            let type = "type systemctl --user enable xphase"
            #expect(
                try check() == [
                    "the service does not run for \(display.name): \(type) && xphase session start",
                    "at the next login, nothing starts it: \(type)",
                ])
            try home.addTool("systemctl", "exit 1")
            try start()
            #expect(!home.exists("state/xphase/log"))
            #expect(
                try check()[1] == "at the next login, nothing starts it: type touch ~/.config/xphase/enabled")
            mkdir("\(home.path)/config/autostart", 0o700)
            try home.write("config/autostart/xphase.desktop", "[Desktop Entry]\nHidden=true\n")
            try start()
            #expect(!home.exists("state/xphase/log"))
        }

        /// The unit has the environment of the first display.
        @Test func aSecondDisplayIsServedBesideTheUnit() throws {
            try makeUnit("enabled", "active")
            try start()
            _ = try server()
            #expect(!home.exists("asked"))
            try endSession()
        }

        @Test func withoutAServiceManagerItIsStartedOnceAndAgainAfterACrash() throws {
            try home.write("config/xphase/enabled", "")
            try start()
            let first = try server()
            try start()
            #expect(try server() == first)
            kill(first, SIGKILL)
            #expect(try waitUntil { try server() != first })
            #expect(try log.contains("xphase: 'xphase run' was killed by signal 9; restarting"))
            try endSession()
            #expect(try log.filter { $0.contains("restarting") }.count == 1)
        }

        /// Crashes the X server, and waits until no process serves the display.
        private func endSession() throws {
            let server = try server()
            try display.crash()
            #expect(waitUntil { kill(server, 0) != 0 })
            #expect(try waitUntil { try log.last?.hasPrefix("xphase: 'xphase run' ended with 69") ?? false })
        }

        @Test func aSignalEndsItWithWhatItRuns() throws {
            let run = try XPhase.start(["run", "--respawn"], on: display, environment: environment)
            let server = try server()
            #expect(server != run.pid)
            run.send(SIGTERM)
            #expect(try run.exitCode() == 0)
            #expect(kill(server, 0) != 0)
            #expect(try log.last == "xphase: 'xphase run' ended with 0")
        }

        @Test func itsLogHasABound() throws {
            mkdir("\(home.path)/state/xphase", 0o700)
            let line = String(repeating: "x", count: 1023) + "\n"
            try home.write("state/xphase/log", String(repeating: line, count: 1100))
            try home.configure("policy = 'nonsense'\n")
            let result = try XPhase.run(["run", "--respawn"], on: display, environment: environment)
            #expect(result.code == 78 && result.output == [] && result.errors == [])
            #expect(try home.lines("state/xphase/log.old").count == 1100)
            #expect(try log.first?.contains("nonsense") ?? false)
        }
    }
}
