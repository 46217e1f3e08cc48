import TestDesktop
import Testing

extension UnderManagers {
    /// Actions of clients in an order that no scenario has.
    @Suite struct WalkTests {
        @Test(arguments: Manager.walked)
        func aWithdrawnWindowThatIsMappedAsIconicIsInTheBackground(_ manager: Manager) async throws {
            try await UnderManagers.executor.run {
                let rig = try Rig(manager)
                try rig.openAll()
                let alpha = rig.window("alpha")
                alpha.withdraw()
                let isGone = try waitUntil {
                    _ = try rig.readUntilQuiet()
                    return rig.scenes[alpha.name] == nil
                }
                alpha.setInitialState(isIconic: true)
                alpha.map()
                let isBack = try waitUntil {
                    _ = try rig.readUntilQuiet()
                    return rig.scenes[alpha.name] == "background"
                }
                #expect(isGone && isBack)
                #expect(try rig.settledDifferences() == [])
            }
        }
    }
}
