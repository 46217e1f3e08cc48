import Testing

/// Window managers, a few at a time: more would take the time from each other that changes are counted in.
@Suite enum UnderManagers {
    static let executor = BlockingExecutor(count: 4)

    /// Runs a test under each window manager, and limits the rate of superfluous changes: one change
    /// too many may be due to other load on the machine. Each phase that is wrong in the end is a fault.
    ///
    /// - Parameters:
    ///   - percent: How many of a hundred changes may be too many.
    ///   - body: Returns what was reported.
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
    /// One scenario under each window manager, with the screen and the keyboard as the truth.
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
