import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Weights of a unit, set by a fake `systemctl`; packaging/test-reactions uses the real one.
    @Suite struct SlowTests {
        static func hook(_ reaction: String, _ keys: String = "") -> String {
            "[[hook]]\nname = \"rest\"\napplication = \"XTerm\"\nwhile = \"background\"\ndo = \"\(reaction)\"\n"
                + "\(keys)\n"
        }

        /// Starts a terminal, and slows its unit.
        private static func slowed() throws -> (HookSession, TestUnit, ProgramWindow) {
            var unit: TestUnit?
            let hooks = try HookSession(hook("slow")) { home, _ in unit = try TestUnit(home) }
            guard let unit else { throw Failure("there is no unit") }
            let terminal = try unit.terminal(hooks.session)
            terminal.iconify()
            #expect(try hooks.waitForMessage("slowed") == "xphase: hook 'rest': XTerm slowed (\(unit.name))")
            #expect(try unit.weight == "10")
            return (hooks, unit, terminal)
        }

        @Test func aPauseAndAReloadGiveTheWeightsBack() throws {
            let (hooks, unit, terminal) = try Self.slowed()
            #expect(try ControlTests.hooks(hooks, "pause").code == 0)
            try hooks.waitForMessage("XTerm no longer slowed")
            #expect(try unit.weight == "50")
            #expect(try ControlTests.hooks(hooks, "resume").code == 0)
            try hooks.waitForMessage("XTerm slowed (")
            #expect(try unit.weight == "10")
            try hooks.home.configure("")
            try hooks.waitForMessage("XTerm no longer slowed")
            #expect(try unit.weight == "50")
            try hooks.end()
            try unit.end(terminal)
        }

        /// Also after SIGKILL, by the next command.
        @Test(arguments: [("infinity", "infinity"), ("1.500s", "1500ms"), ("333.300ms", "333.3ms")])
        func aCapGivesTheQuotaBack(former: String, restored: String) throws {
            var unit: TestUnit?
            let hooks = try HookSession(Self.hook("cap", "cap = '20%'")) { home, _ in
                let made = try TestUnit(home)
                unit = made
                try home.write("quota", "CPUQuotaPerSecUSec=\(former)\n")
                try home.addTool(
                    "systemctl",
                    """
                    cd '\(home.path)'
                    if [ "$2" = show ]; then echo 'ControlGroup=/\(made.name)'; exec cat quota; fi
                    shift 5
                    [ "$1" = CPUQuota= ] && quota=infinity ||
                        quota=$(echo "$1" | awk -F'[=%]' '{ print $2 * 10 "ms" }')
                    echo "CPUQuotaPerSecUSec=$quota" >quota.new; exec mv quota.new quota
                    """)
            }
            let group = try #require(unit)
            func quota() throws -> String? {
                try hooks.home.lines("quota").first.map { String($0.dropFirst(19)) }
            }
            let terminal = try group.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage("XTerm capped at 20% (\(group.name))")
            #expect(try quota() == "200ms")
            let status = try ControlTests.hooks(hooks, "status").output.last
            #expect(status?.hasSuffix(", cap (\(group.name))") == true)
            try hooks.run.end(SIGKILL)
            let command = try XPhase.start(
                ["on", "XTerm", "background", "--initial", "--do", "cap", "--cap", "30%"],
                on: hooks.session.display, environment: hooks.home.environment)
            try command.waitForError("XTerm capped at 30% (")
            #expect(try quota() == "300ms")
            try command.end(SIGTERM)
            #expect(try quota() == restored)
            try group.end(terminal)
        }

        /// A service manager may move the processes into the unit one after another.
        @Test func aUnitThatIsMadeHasAllOfItBeforeItIsSlowed() throws {
            let hooks = try HookSession(Self.hook("slow"))
            let root = try TestUnit(hooks.home).root
            let script = "echo $$ > \(root)/cgroup.procs && exec xterm -e sh -c 'sleep 1000 & sleep 1000'"
            let terminal = try ProgramWindow(
                hooks.session, "sh", ["-c", script], package: "xterm", application: "XTerm")
            let unit = try TestUnit(hooks.home, name: "app-xphase-XTerm-\(terminal.program.pid).scope")
            try hooks.home.addTool(
                "busctl",
                """
                while [ "$1" != au ]; do shift; done
                shift 2; cd '\(unit.path)'; echo $1 >cgroup.procs; shift
                (sleep 1; for pid; do [ "$pid" = 0 ] || echo "$pid" >cgroup.procs; done) &
                """)
            terminal.iconify()
            #expect(try hooks.waitForMessage("XTerm") == "xphase: hook 'rest': XTerm slowed (\(unit.name))")
            #expect(try unit.processes.count == 4)
            try hooks.end()
            try unit.end(terminal)
        }

        /// A service manager rejects all processes if one of them has just ended.
        @Test func aProcessThatEndsKeepsNoUnitFromBeingMade() throws {
            let hooks = try HookSession(Self.hook("slow"))
            let root = try TestUnit(hooks.home).root
            let script =
                "echo $$ > \(root)/cgroup.procs && exec xterm -e sh -c 'sleep 1000 & sleep 1000 & wait'"
            let terminal = try ProgramWindow(
                hooks.session, "sh", ["-c", script], package: "xterm", application: "XTerm")
            let unit = try TestUnit(hooks.home, name: "app-xphase-XTerm-\(terminal.program.pid).scope")
            try hooks.home.addTool(
                "busctl",
                """
                while [ "$1" != au ]; do shift; done
                shift 2; cd '\(hooks.home.path)'
                if [ ! -e refused ]; then
                    for pid; do [ "$pid" = 0 ] || last=$pid; done
                    kill -KILL $last
                    while [ -e /proc/$last ] && ! grep -q ') Z' /proc/$last/stat; do sleep 0.01; done
                    echo >refused; echo "Call failed: Process with ID $last does not exist." >&2; exit 1
                fi
                cd '\(unit.path)'; for pid; do [ "$pid" = 0 ] || echo "$pid" >cgroup.procs; done
                """)
            terminal.iconify()
            #expect(try hooks.waitForMessage("XTerm") == "xphase: hook 'rest': XTerm slowed (\(unit.name))")
            #expect(hooks.home.exists("refused"))
            #expect(try unit.processes.count == 3)
            try hooks.end()
            try unit.end(terminal)
        }

        /// The other reactions still run. The start has reported those that cannot.
        @Test func withoutAServiceManagerEachEnterDoesTheRestAndReportsNoFault() throws {
            let hook = Self.hook("slow", "except = \"none\"").replacing(
                "\"slow\"", with: "[\"freeze\", \"slow\"]")
            let hooks = try HookSession(hook)
            let terminal = try ProgramWindow.terminal(hooks.session)
            for _ in 1...2 {
                terminal.iconify()
                #expect(try hooks.waitForMessage("XTerm").contains("XTerm frozen ("))
                try hooks.session.settle { terminal.activate() }
                #expect(try hooks.waitForMessage("XTerm").contains("XTerm thawed"))
            }
            let why = try ControlTests.hooks(hooks, "why", "rest").output
            #expect(why.contains { $0.contains("your service manager (systemd --user) does not run") })
            let lack =
                "slow cannot be done here, since your service manager (systemd --user) does not run"
            let reported = try hooks.end()
            #expect(
                reported.filter { $0.contains("service manager") || $0.contains("unit") }.map {
                    $0.hasSuffix(lack)
                } == [true])
        }

        @Test func withoutABusTheStartReportsThatProgramsGetNoUnit() throws {
            let home = try HookHome(Self.hook("slow"))
            let unit = try TestUnit(home)
            unlink("\(home.path)/runtime/bus")
            try unit.cover(["cgroup.controllers": "cpu io"])
            let environment = home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": nil]) { $1 }
            let check = XPhase.call(["hooks", "check"], environment: environment)
            #expect(
                check.errors == [
                    "xphase: hook 'rest': do: slow cannot be done here for programs without a systemd unit, since you "
                        + "have no session bus: install dbus-user-session"
                ])
            withExtendedLifetime(unit) {}
        }
    }
}
