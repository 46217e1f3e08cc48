import PhaseWatch
import TestDesktop
import Testing

extension UnderManagers {
    /// Random walks under the window managers that every run of the tests has.
    @Suite struct CoreWalkTests {
        @Test(arguments: Manager.core, [UInt64(3), 4])
        func aNewListAgreesWithTheRunningWatchAfterEachStep(_ manager: Manager, seed: UInt64) async throws {
            try await UnderManagers.executor.run { try walk(under: manager, seed: seed) }
        }
    }

    /// Random walks under other window managers.
    @Suite struct WalkTests {
        @Test(arguments: Manager.walked, [UInt64(1), 2])
        func aNewListAgreesWithTheRunningWatchAfterEachStep(_ manager: Manager, seed: UInt64) async throws {
            try await UnderManagers.executor.run { try walk(under: manager, seed: seed) }
        }

        @Test(arguments: (Manager.core + Manager.walked).filter { $0.can(.startIconic) })
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

/// Performs random steps, and compares the watch with a new list after each: that of the program at the end. Every second
/// seed judges which windows are covered, too, and each third one has the same policy.
private func walk(under manager: Manager, seed: UInt64) throws {
    let rig = try Rig(manager)
    try rig.openAll()
    let watch = try RunningWatch(
        .init(
            policy: PhasePolicy.allCases[Int(seed % 3)], settle: .milliseconds(20),
            occlusion: seed % 2 == 0 ? .milliseconds(50) : nil, display: rig.display.name,
            details: [.titles, .locations]))
    var random = SeededGenerator(seed: seed)
    var steps: [String] = []
    for _ in 1...120 {
        steps.append(try rig.stepAtRandom(using: &random))
        let differences = try watch.settledDifferences(isKnown: rig.knownDifferences.contains)
        #expect(differences == [], "\(manager) after \(steps)")
        if !differences.isEmpty { return }
    }
    #expect(try rig.settledDifferences() == [], "\(manager) after \(steps)")
}
