import Testing

/// Tests under window managers, four at a time. More would distort the times in which changes are counted.
@Suite enum UnderManagers {
    static let executor = BlockingExecutor(count: 4)

    /// Runs a test under each window manager, and limits the rate of superfluous changes: other load on the machine
    /// may cause a single one. Each final phase that is wrong is a fault.
    ///
    /// - Parameters:
    ///   - percent: The percentage of changes that may be superfluous.
    ///   - body: Runs the test and returns its report.
    static func judge(
        _ managers: [Manager], percent: Int = 1,
        _ body: @Sendable @escaping (Manager) throws -> ScenarioReport
    ) async throws {
        let reports = try await withThrowingTaskGroup { group in
            for manager in managers {
                group.addTask { try await executor.run { try body(manager) } }
            }
            return try await group.reduce(into: [ScenarioReport]()) { $0.append($1) }
        }
        #expect(reports.count == managers.count && !managers.isEmpty)
        let changes = reports.reduce(0) { $0 + $1.changes }
        let flaps = reports.flatMap { report in
            report.entries.flatMap { entry in entry.flaps.map { "\(report.name), \(entry.action): \($0)" } }
        }
        print("\(flaps.count) flaps in \(changes) changes: \(flaps)")
        #expect(flaps.count * 100 <= percent * changes, "\(flaps)")
    }
}

extension UnderManagers {
    /// One scenario under each window manager. The screen and the keyboard are the truth.
    @Suite struct MatrixTests {
        @Test func everyPhaseIsRightAndReportedOnce() async throws {
            try await UnderManagers.judge(Manager.tested) { manager in
                let rig = try Rig(manager, recordedAs: manager.name)
                defer { print(rig.report.summary) }
                try rig.openAll()
                try rig.perform(
                    Step.focusing + Step.regrouping + Step.iconifying + Step.desktops + Step.showingDesktop
                        + Step.covering
                        + Step.monitors + Step.withdrawing + Step.dialogs + Step.managing)
                try rig.recording?.end()
                return rig.report
            }
        }
    }
}
