import TestDesktop
import Testing

extension UnderManagers {
    /// A window manager that runs only a tenth of the time.
    @Suite struct SlowManagerTests {
        @Test func theEndStateIsRightAndFlapsAreRare() async throws {
            try await UnderManagers.judge(Manager.slowed, percent: 5, Self.slowed)
        }

        private static func slowed(_ manager: Manager) throws -> ScenarioReport {
            let rig = try Rig(manager, isSlowed: true, recordedAs: "\(manager) slowed")
            try rig.openAll()
            let throttle = try rig.process.program.map { try ManagerThrottle($0.pid) }
            try rig.perform(
                Step.focusing + Step.iconifying + Step.desktops + Step.showingDesktop + Step.withdrawing)
            withExtendedLifetime(throttle) {}
            print("slowed " + rig.report.summary)
            try rig.recording?.end()
            return rig.report
        }
    }
}
