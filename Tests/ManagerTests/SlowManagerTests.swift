import TestDesktop
import Testing

extension UnderManagers {
    /// A window manager that the system lets run for a tenth of the time only.
    @Suite struct SlowManagerTests {
        @Test func theEndStateIsRightAndFlapsAreRare() async throws {
            let ledgers = try await withThrowingTaskGroup { group in
                for manager in Manager.slowed { group.addTask { try await Self.slowed(manager) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let changes = ledgers.reduce(0) { $0 + $1.changes }
            let flaps = ledgers.flatMap { ledger in
                ledger.entries.flatMap { entry in
                    entry.flaps.map { "\(ledger.name), \(entry.action): \($0)" }
                }
            }
            #expect(Double(flaps.count) < 0.02 * Double(changes), "\(flaps)")
            print("slowed: \(flaps.count) flaps in \(changes) changes: \(flaps)")
        }

        private static func slowed(_ manager: Manager) async throws -> Ledger {
            try await UnderManagers.lanes.run {
                let rig = try Rig(manager, isSlowed: true)
                try rig.openAll()
                let slowing = try rig.process.program.map { try Slowing($0.pid) }
                try rig.perform(
                    Step.focusing + Step.iconifying + Step.desktops + Step.showingDesktop + Step.withdrawing)
                withExtendedLifetime(slowing) {}
                print("slowed " + rig.ledger.summary)
                return rig.ledger
            }
        }
    }
}
