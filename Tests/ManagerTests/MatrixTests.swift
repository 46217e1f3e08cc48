import Testing

/// Window managers, a few at a time: more would take the time from each other that changes are counted in.
@Suite enum UnderManagers {
    static let lanes = Lanes(count: 4)
}

extension UnderManagers {
    /// One scenario under each window manager, with the screen and the keyboard as the truth.
    @Suite struct MatrixTests {
        @Test(arguments: Manager.tested)
        func everyPhaseIsRightAndToldOnce(_ manager: Manager) async throws {
            try await UnderManagers.lanes.run {
                let rig = try Rig(manager)
                defer { print(rig.ledger.summary) }
                try rig.openAll()
                try rig.perform(
                    Step.focusing + Step.regrouping + Step.iconifying + Step.desktops + Step.showingDesktop
                        + Step.covering
                        + Step.monitors + Step.withdrawing + Step.dialogs + Step.managing)
            }
        }
    }
}
