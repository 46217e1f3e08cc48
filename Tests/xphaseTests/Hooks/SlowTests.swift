import Glibc
import TestDesktop
import Testing

extension RootTests {
    /// Weights of a unit, set by a fake service manager; packaging/test-reactions uses the real one.
    @Suite struct SlowTests {
        static func hook(_ reaction: String, _ keys: String = "") -> String {
            "[[hook]]\nname = \"rest\"\napplication = \"XTerm\"\nwhile = \"background\"\ndo = \"\(reaction)\"\n"
                + "\(keys)\n"
        }

        /// Also after SIGKILL, by the next command.
        @Test(arguments: [UInt64.max, 1_500_000, 333_333])
        func aCapGivesTheQuotaBack(former: UInt64) throws {
            let hooks = try HookSession(Self.hook("cap", "cap = '20%'"))
            let group = try TestUnit(hooks.home, quota: former)
            func quota() throws -> UInt64? { try group.value("CPUQuotaPerSecUSec") }
            let terminal = try group.terminal(hooks.session)
            terminal.iconify()
            try hooks.waitForMessage("XTerm capped at 20% (\(group.name))")
            #expect(try quota() == 200_000)
            let status = try hooks.xphase("hooks", "status").output.last
            #expect(status?.hasSuffix(", cap (\(group.name))") == true)
            try hooks.run.end(SIGKILL)
            let command = try hooks.start(
                "on", "XTerm", "background", "--initial", "--do", "cap", "--cap", "30%",
            )
            try command.waitForError("XTerm capped at 30% (")
            #expect(try quota() == 300_000)
            try command.end(SIGTERM)
            #expect(try quota() == former)
        }

        /// Starts a terminal outside of all units, and a service manager that makes a unit for it.
        ///
        /// - Parameters:
        ///   - program: What the shell of the terminal runs.
        ///   - answer: Python code that answers a request for a unit.
        private static func unitless(
            _ hooks: HookSession, running program: String = "sleep 1000 & sleep 1000 & wait", _ answer: String
        ) throws -> (ProgramWindow, TestUnit) {
            let root = try TestGroup().root
            let script = "echo $$ > \(root)/cgroup.procs && exec xterm -e sh -c '\(program)'"
            let terminal = try ProgramWindow(
                hooks.session, "sh", ["-c", script], package: "xterm", application: "XTerm")
            let name = "app-xphase-XTerm-\(terminal.program.pid).scope"
            return (terminal, try TestUnit(hooks.home, name: name, answer: answer))
        }

        /// A service manager rejects all processes if one of them has just ended, and may move the others into the unit one
        /// after another.
        @Test func aUnitThatIsMadeHasAllThatStillRunsBeforeItIsSlowed() throws {
            let hooks = try HookSession(Self.hook("slow"))
            let (terminal, unit) = try Self.unitless(
                hooks,
                """
                \(TestUnit.pids)
                if "refused" not in state:
                    state["refused"] = True
                    os.kill(pids[-1], 9)
                    def lives(pid):
                        try: return ") Z" not in open(f"/proc/{pid}/stat").read()
                        except OSError: return False
                    while lives(pids[-1]): time.sleep(0.01)
                    open(FILE + "-refused", "w").close()
                    raise Refusal("org.freedesktop.systemd1.NoSuchProcess", "a process does not exist")
                def move(pid): print(pid, file=open(GROUP + "/cgroup.procs", "w"))
                def rest():
                    time.sleep(1)
                    for pid in pids[1:]: move(pid)
                move(pids[0])
                threading.Thread(target=rest).start()
                return "o", ("/job",)
                """)
            terminal.iconify()
            #expect(try hooks.waitForMessage("XTerm") == "xphase: hook 'rest': XTerm slowed (\(unit.name))")
            #expect(hooks.home.exists("properties-refused"))
            #expect(try unit.processes.count == 3)
            try hooks.end()
        }

        @Test func aFreezeAloneMakesAUnitToo() throws {
            let hooks = try HookSession(Self.hook("freeze", "except = \"none\""))
            // What the program itself has started a moment ago would postpone the freeze.
            let (terminal, unit) = try Self.unitless(
                hooks, running: "exec sleep 1000",
                """
                \(TestUnit.pids)
                for pid in pids: print(pid, file=open(GROUP + "/cgroup.procs", "w"))
                return "o", ("/job",)
                """)
            terminal.iconify()
            let message = try hooks.waitForMessage("XTerm")
            #expect(message == "xphase: hook 'rest': XTerm frozen (\(unit.name), 2 processes)")
            #expect(try waitUntil { try unit.isFrozen })
            try hooks.end()
            #expect(try waitUntil { try !unit.isFrozen })
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
            let why = try hooks.xphase("hooks", "why", "rest").output
            #expect(why.contains { $0.contains("systemd --user is not running") })
            let lack = "slow is unavailable: systemd --user is not running"
            let reported = try hooks.end()
            let told = reported.filter { $0.contains("systemd --user") || $0.contains("unit") }
            #expect(told.map { $0.hasSuffix(lack) } == [true])
        }

        // MARK: The cgroup2 controllers without which the weights of a unit have no effect

        private static func lack(_ controller: String) -> String {
            let reactions = controller == "cpu" ? "slow and cap have" : "slow has"
            let target = controller == "cpu" ? "the processor" : "disks"
            return
                "\(reactions) no effect on \(target): the cgroup2 controller '\(controller)' is not delegated "
                + "to systemd --user; see Delegate= in systemd.resource-control(5)"
        }

        /// Each missing controller is reported once, after the reaction.
        @Test(arguments: [["cpu", "io"], ["io"], []])
        func aUnitIsSlowedAndWhatHasNoEffectIsReported(lacking: [String]) throws {
            let hooks = try HookSession(Self.hook("slow"))
            let group = try TestUnit(hooks.home)
            let terminal = try group.terminal(hooks.session)
            let present = ["cpu", "io"].filter { !lacking.contains($0) }
            try group.cover(Dictionary(uniqueKeysWithValues: present.map { ("\($0).weight", "100") }))
            for _ in 1...2 {
                terminal.iconify()
                try hooks.waitForMessage("hook 'rest': XTerm slowed (\(group.name))")
                #expect(try group.value() == 10 && group.value("IOWeight") == 10)
                terminal.activate()
                try hooks.waitForMessage("XTerm no longer slowed")
                #expect(try group.value() == 50 && group.value("IOWeight") == .max)
            }
            let reported = try hooks.end().filter { $0.contains("controller") }
            #expect(reported == lacking.map { "xphase: hooks: " + Self.lack($0) })
            try terminal.program.end()
        }

        @Test func theCheckAndDoctorReportWhichOfTheWeightsHaveNoEffect() throws {
            let home = try HookHome(Self.hook("slow"))
            let unit = try TestUnit(home)
            let display = try VirtualDisplay()
            try home.addTool("pactl", "true")
            func reported() throws -> (check: [String], doctor: [String]) {
                let check = try home.xphase("hooks", "check")
                #expect(check.code == 0)
                let doctor = try home.xphase("doctor", on: display)
                return (check.errors, doctor.output.filter { $0.contains("controller '") })
            }
            try unit.cover(["cgroup.controllers": "cpuset cpu memory pids"])
            let (check, doctor) = try reported()
            #expect(check == ["xphase: " + Self.lack("io")])
            #expect(doctor.count == 1 && doctor.first?.contains(Self.lack("io")) == true)
            try home.write("group/cgroup.controllers", "cpu io\n")
            #expect(try reported() == ([], []))
            // `hooks check` considers the reactions that hooks use, `doctor` all of them.
            try home.write("group/cgroup.controllers", "\n")
            try home.configure(Self.hook("mute"))
            #expect(try reported().check.isEmpty)
            #expect(try reported().doctor.count == 2)
            try home.configure(Self.hook("cap", "cap = '20%'"))
            #expect(try reported().check == ["xphase: " + Self.lack("cpu")])
            try home.configure(Self.hook("slow"))
            #expect(try reported().check == ["cpu", "io"].map { "xphase: " + Self.lack($0) })
        }
    }
}
