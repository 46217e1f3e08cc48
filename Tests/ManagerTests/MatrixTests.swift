import TestDesktop
import Testing

/// What counts changes in time, which other tests on the same cores would disturb.
@Suite(.serialized) enum UnderManagers {}

extension UnderManagers {
    /// One scenario under each window manager, with the screen and the keyboard as the truth.
    @Suite(.serialized) struct MatrixTests {
        @Test(arguments: Manager.tested)
        func everyPhaseIsRightAndToldOnce(_ manager: Manager) throws {
            let rig = try Rig(manager)
            defer { print(rig.ledger.summary) }
            try rig.openAll()
            try rig.perform(
                Step.focusing + Step.iconifying + Step.desktops + Step.showingDesktop
                    + Step.covering
                    + Step.monitors + Step.withdrawing + Step.dialogs + Step.managing)
        }
    }
}
