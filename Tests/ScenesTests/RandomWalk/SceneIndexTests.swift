import Testing

@testable import Scenes

@Suite struct SceneIndexTests {
    /// What is kept current must be what a look at everything tells.
    @Test(arguments: 1...8, PhasePolicy.allCases)
    func itFollowsEveryChange(seed: Int, policy: PhasePolicy) {
        var source = RandomDesktop(seed: UInt64(seed), hasDialogs: seed % 2 == 0)
        var index = SceneIndex()
        _ = index.update(to: source.desktop, under: policy, touched: nil)
        for step in 0..<1_500 {
            let (before, old) = (source.desktop, index.readings)
            // Several things may have happened between two looks.
            for _ in 0...Int(source.generator.next() % 3) { source.step() }
            let changed = index.update(
                to: source.desktop, under: policy, touched: source.desktop.touched(since: before))
            let truth = source.desktop.scenes(under: policy)
            guard index.readings == truth else {
                Issue.record("step \(step): \(index.readings) is not \(truth)")
                return
            }
            let differing = Set(old.keys).union(truth.keys).filter { old[$0] != truth[$0] }
            #expect(Set(changed) == differing && changed.count == differing.count)
            #expect(index.awaiting == Set(truth.values.filter(\.awaitsFocus).map(\.id)))
        }
    }

    /// With ten thousand windows a look at each would be felt.
    @Test func aMoveOfTheFocusConcernsTwoWindows() {
        var desktop = Desktop.managed()
        for xid in 1...500 as ClosedRange<UInt32> { desktop.add(SeenWindow.client(WindowID(xid))) }
        desktop.screens[0].activeWindow = 1
        var index = SceneIndex()
        _ = index.update(to: desktop, under: .focus, touched: nil)
        desktop.screens[0].activeWindow = 2
        let changed = index.update(to: desktop, under: .focus, touched: [])
        #expect(Set(changed) == [WindowID(1), WindowID(2)])
        #expect(index.update(to: desktop, under: .focus, touched: []).isEmpty)
    }

    @Test func manyThatNameTheRootWindowAreNoFamily() {
        var desktop = Desktop.managed()
        for xid in 1...3 as ClosedRange<UInt32> {
            var window = SeenWindow.client(WindowID(xid))
            window.transientFor = 99
            desktop.add(window)
        }
        var families = Families()
        #expect(families.relatives(of: [1, 2, 3], on: desktop).isSuperset(of: [1, 2, 3]))
        #expect(families.relatives(of: [1], on: desktop).isDisjoint(with: [2, 3]))
        // It becomes a window after all.
        desktop.add(SeenWindow.client(WindowID(99)))
        #expect(families.relatives(of: [99], on: desktop).isSuperset(of: [1, 2, 3]))
    }
}
