import Testing

extension UnderManagers {
    /// Two RandR monitors, each with its own desktop.
    @Suite struct MonitorTests {
        @Test func aDesktopOnAnyMonitorIsShown() async throws {
            try await UnderManagers.judge(Manager.tested.filter { $0.can(.moveToMonitor) }) { manager in
                let rig = try Rig(manager, hasTwoMonitors: true, recordedAs: "\(manager) two monitors")
                defer { print("two monitors, " + rig.report.summary) }
                try rig.openAll()
                try rig.perform([
                    .focus("alpha"),
                    .request(
                        .moveToMonitor, "alpha",
                        isDone: { $0.client.middle(of: $0.window("alpha")).x > 400 && $0.isVisible("beta") }),
                    .focus("beta"), .focus("alpha"), .focus("beta"),
                    .hide(.leaveMonitor, "beta"), .show(.returnToMonitor, "beta"),
                    .focus("alpha"), .focus("beta"), .focus("alpha"),
                ])
                try rig.recording?.end()
                return rig.report
            }
        }
    }
}
