import TestDesktop
import Testing

extension UnderManagers {
    /// A window manager that the system lets run for a tenth of the time only.
    @Suite(.serialized) struct SlowManagerTests {
        @Test func theEndStateIsRightAndFlapsAreRare() throws {
            var changes = 0
            var flaps: [String] = []
            for manager in Manager.slowed {
                let rig = try Rig(manager, isSlowed: true)
                try rig.openAll()
                let slowing = try rig.process.program.map { try Slowing($0.pid) }
                try rig.perform(
                    Step.focusing + Step.iconifying + Step.desktops + Step.showingDesktop + Step.withdrawing)
                withExtendedLifetime(slowing) {}
                print("slowed " + rig.ledger.summary)
                changes += rig.ledger.changes
                flaps += rig.ledger.entries.flatMap { entry in
                    entry.flaps.map { "\(manager), \(entry.action): \($0)" }
                }
            }
            #expect(Double(flaps.count) < 0.02 * Double(changes), "\(flaps)")
            if !flaps.isEmpty { print("slowed: \(flaps.count) flaps in \(changes) changes: \(flaps)") }
        }
    }
}
