import TestDesktop
import Testing

extension DesktopTests {
    /// The cgroup2 controllers without which the weights of a unit have no effect.
    @Suite struct ControllerTests {
        private static func lack(_ controller: String) -> String {
            (controller == "cpu"
                ? "slow and cap have no effect on the processor"
                : "slow has no effect on disks")
                + ": the cgroup2 controller '\(controller)' is not delegated to systemd --user; "
                + "see Delegate= in systemd.resource-control(5)"
        }

        /// Each missing controller is reported once, after the reaction.
        @Test(arguments: [["cpu", "io"], ["io"], []])
        func aUnitIsSlowedAndWhatHasNoEffectIsReported(lacking: [String]) throws {
            let (hooks, group) = try TestUnit.session(SlowTests.hook("slow"))
            let terminal = try group.terminal(hooks.session)
            let present = ["cpu", "io"].filter { !lacking.contains($0) }
            try group.cover(Dictionary(uniqueKeysWithValues: present.map { ("\($0).weight", "100") }))
            for _ in 1...2 {
                terminal.iconify()
                try hooks.waitForMessage("hook 'rest': XTerm slowed (\(group.name))")
                #expect(try group.value() == 10)
                terminal.activate()
                try hooks.waitForMessage("XTerm no longer slowed")
                #expect(try group.value() == 50)
            }
            let reported = try hooks.end().filter { $0.contains("controller") }
            #expect(reported == lacking.map { "xphase: hooks: " + Self.lack($0) })
            try terminal.program.end()
        }

        @Test func theCheckAndDoctorReportWhichOfTheWeightsHaveNoEffect() throws {
            let home = try HookHome(SlowTests.hook("slow"))
            let unit = try TestUnit(home)
            let display = try VirtualDisplay()
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
            try home.configure(SlowTests.hook("mute"))
            #expect(try reported().check.isEmpty)
            #expect(try reported().doctor.count == 2)
            try home.configure(SlowTests.hook("cap", "cap = '20%'"))
            #expect(try reported().check == ["xphase: " + Self.lack("cpu")])
            try home.configure(SlowTests.hook("slow"))
            #expect(try reported().check == ["cpu", "io"].map { "xphase: " + Self.lack($0) })
        }
    }
}
