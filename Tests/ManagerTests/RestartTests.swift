import TestDesktop
import Testing

extension UnderManagers {
    /// A window manager that is killed and started again, again and again.
    @Suite struct RestartTests {
        @Test(arguments: Manager.restarted)
        func twentyRestartsTellOnlyWhatHappened(_ manager: Manager) async throws {
            try await UnderManagers.lanes.run {
                let rig = try Rig(manager)
                defer { print("restarted " + rig.ledger.summary) }
                try rig.openAll()
                if manager.can(.iconify) { try rig.perform(.hide(.iconify, "beta")) }
                try rig.perform(.focus("alpha"))
                let before = rig.scenes
                for count in 1...20 {
                    rig.putBack("alpha", x: 40)
                    rig.putBack("second", x: 560)
                    try rig.perform(
                        Step(
                            "restart \(count)", needs: [.restart], isTakeover: true,
                            isDone: { $0.client.isManaged }, act: { try $0.restartManager() }))
                }
                try rig.perform(.focus("alpha"))
                if manager.can(.keepIconified) { #expect(rig.scenes == before) }
            }
        }
    }
}

extension Rig {
    /// Each restart of xfwm4 moves windows by the width of their frames, off the screen in the end.
    fileprivate func putBack(_ name: String, x: Int32) {
        guard client.middle(of: window(name)).y > 300 else { return }
        window(name).move(x: x, y: 60)
        _ = waitUntil(within: .seconds(1)) { client.middle(of: window(name)).y < 300 }
    }
}
