import Testing

@testable import Scenes

@Suite struct EvaluationTests {
    /// The scenes that are read differently are those that have changed.
    @Test(arguments: 1...8, PhasePolicy.allCases)
    func itFollowsEveryChange(seed: Int, policy: PhasePolicy) {
        var source = RandomDesktop(seed: UInt64(seed), hasDialogs: seed % 2 == 0)
        var (evaluation, table) = (Evaluation(), SceneTable())
        evaluation.update(&table, to: source.desktop, under: policy)
        for step in 0..<1_500 {
            let old = table.readings
            // Several changes may occur between two updates.
            for _ in 0...Int(source.generator.next() % 3) { source.step() }
            table.changed = []
            evaluation.update(&table, to: source.desktop, under: policy)
            let truth = source.desktop.foundScenes(under: policy).mapValues(\.reading)
            guard table.readings == truth else {
                Issue.record("step \(step): \(table.readings) is not \(truth)")
                return
            }
            let differing = Set(old.keys).union(truth.keys).filter { old[$0] != truth[$0] }
            #expect(
                Set(table.changed.map { table[$0].window }) == differing
                    && table.changed.count == differing.count)
            for scene in table.changed { table.endIfGone(scene) }
            table.freeEnded()
        }
    }
}

extension SceneTable {
    fileprivate var readings: [WindowID: Reading] {
        let scenes = indices.map { self[$0] }.filter { $0.read.phase != nil }
        return Dictionary(uniqueKeysWithValues: scenes.map { ($0.window, $0.read) })
    }
}
