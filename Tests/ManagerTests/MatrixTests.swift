import Testing

/// Window managers, a few at a time: more would take the time from each other that changes are counted in.
@Suite enum UnderManagers {
    static let lanes = Lanes(count: 4)

    /// Tries something under each window manager, and judges by the rate how often more was told than has happened: one change
    /// too many may come of what else the machine does. A phase that is wrong in the end is a fault each time.
    ///
    /// - Parameters:
    ///   - percent: How many of a hundred changes may be too many.
    ///   - body: Returns what was told.
    static func judge(
        _ managers: [Manager], percent: Int = 1, _ body: @Sendable @escaping (Manager) throws -> Ledger
    ) async throws {
        let ledgers = try await withThrowingTaskGroup { group in
            for manager in managers {
                group.addTask { try await lanes.run { try body(manager) } }
            }
            return try await group.reduce(into: [Ledger]()) { $0.append($1) }
        }
        #expect(ledgers.count == managers.count && !managers.isEmpty)
        let changes = ledgers.reduce(0) { $0 + $1.changes }
        let flaps = ledgers.flatMap { ledger in
            ledger.entries.flatMap { entry in entry.flaps.map { "\(ledger.name), \(entry.action): \($0)" } }
        }
        print("\(flaps.count) flaps in \(changes) changes: \(flaps)")
        #expect(flaps.count * 100 <= percent * changes, "\(flaps)")
    }
}

extension UnderManagers {
    /// One scenario under each window manager, with the screen and the keyboard as the truth.
    @Suite struct MatrixTests {
        @Test func everyPhaseIsRightAndToldOnce() async throws {
            try await UnderManagers.judge(Manager.tested) { manager in
                let rig = try Rig(manager, recordedAs: manager.name)
                defer { print(rig.ledger.summary) }
                try rig.openAll()
                try rig.perform(
                    Step.focusing + Step.regrouping + Step.iconifying + Step.desktops + Step.showingDesktop
                        + Step.covering
                        + Step.monitors + Step.withdrawing + Step.dialogs + Step.managing)
                try rig.recording?.end()
                return rig.ledger
            }
        }
    }
}
