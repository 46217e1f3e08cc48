import TestDesktop
import Testing

extension UnderManagers {
    /// A window manager is killed and restarted repeatedly.
    @Suite struct RestartTests {
        @Test func twentyRestartsReportOnlyWhatHappened() async throws {
            try await Self.restart(20, recordedAs: "restarted")
        }

        /// Every window that is visible for a moment would be active.
        @Test func threeRestartsReportOnlyWhatHappenedUnderThePolicyVisible() async throws {
            try await Self.restart(3, policy: "visible")
        }

        private static func restart(
            _ count: Int, policy: String = "focus", recordedAs name: String? = nil
        ) async throws {
            try await UnderManagers.judge(Manager.restarted) { manager in
                let rig = try Rig(manager, policy: policy, recordedAs: name.map { "\(manager) \($0)" })
                defer { print("restarted, \(policy), " + rig.report.summary) }
                try rig.openAll()
                if manager.can(.iconify) { try rig.perform(.hide(.iconify, "beta")) }
                try rig.perform(.focus("alpha"))
                let before = rig.scenes
                for number in 1...count {
                    rig.putBack("alpha", x: 40)
                    rig.putBack("second", x: 560)
                    try rig.perform(
                        Step(
                            "restart \(number)", needs: [.restart], isTakeover: true,
                            isDone: { $0.client.isManaged }, act: { try $0.restartManager() }))
                }
                try rig.perform(.focus("alpha"))
                if manager.can(.keepIconified) { #expect(rig.scenes == before, "\(manager)") }
                try rig.recording?.end()
                return rig.report
            }
        }

        /// No frame or check window vanishes with the manager, so xphase notices its death only with the next event.
        @Test(arguments: Manager.tested.filter { !$0.can(.reportDeath) })
        func aDeathThatNothingReportsIsNoticedWithTheNextWindow(_ manager: Manager) async throws {
            try await UnderManagers.executor.run {
                let rig = try Rig(manager)
                try rig.openAll()
                try rig.process.kill()
                try rig.make("fourth", "Delta", x: 300, y: 300).window.map()
                rig.scenarioClient("fourth").life = .mapped
                var texts: [String] = []
                let isReported = try waitUntil {
                    texts += try rig.readUntilQuiet().compactMap(\.text)
                    return texts.count == 2
                }
                #expect(isReported, "\(texts)")
                #expect(texts.first?.hasSuffix("went away; phases are frozen") == true)
                #expect(texts.last == "no window manager; every mapped window counts")
                #expect(try Truth(of: rig).faults(of: rig) == [])
            }
        }
    }
}

extension Rig {
    /// Moves a window back: each restart of xfwm4 moves windows by the width of their frames, in the end off the
    /// screen.
    fileprivate func putBack(_ name: String, x: Int32) {
        guard client.middle(of: window(name)).y > 300 else { return }
        window(name).move(x: x, y: 60)
        _ = waitUntil(within: .seconds(1)) { client.middle(of: window(name)).y < 300 }
    }
}
