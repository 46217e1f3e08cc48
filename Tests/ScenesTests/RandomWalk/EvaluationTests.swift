import Glibc
import Testing

@testable import Scenes

@Suite struct EvaluationTests {
    /// The incremental evaluation must equal a full one.
    @Test(arguments: 1...8, PhasePolicy.allCases)
    func itFollowsEveryChange(seed: Int, policy: PhasePolicy) {
        var source = RandomDesktop(seed: UInt64(seed), hasDialogs: seed % 2 == 0)
        var (evaluation, table) = (Evaluation(), SceneTable())
        evaluation.update(&table, to: source.desktop, under: policy, touched: nil)
        for step in 0..<1_500 {
            let (before, old) = (source.desktop, table.readings)
            // Several changes may occur between two updates.
            for _ in 0...Int(source.generator.next() % 3) { source.step() }
            table.changed = []
            evaluation.update(
                &table, to: source.desktop, under: policy, touched: source.desktop.touched(since: before))
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
            table.freeEnded { evaluation.forget($0, $1) }
        }
    }

    /// Evaluating each of ten thousand windows would take noticeable time.
    @Test func aMoveOfTheFocusConcernsTwoWindows() {
        var desktop = Desktop.managed()
        for xid in 1...500 as ClosedRange<UInt32> { desktop.add(SeenWindow.client(WindowID(xid))) }
        desktop.screens[0].activeWindow = 1
        var (evaluation, table) = (Evaluation(), SceneTable())
        evaluation.update(&table, to: desktop, under: .focus, touched: nil)
        desktop.screens[0].activeWindow = 2
        table.changed = []
        evaluation.update(&table, to: desktop, under: .focus, touched: [])
        #expect(Set(table.changed.map { table[$0].window }) == [WindowID(1), WindowID(2)])
        table.changed = []
        evaluation.update(&table, to: desktop, under: .focus, touched: [])
        #expect(table.changed.isEmpty)
    }

    /// The windows have _NET_WM_STATE_HIDDEN, and none of them covers another at first.
    @Test func oneWindowThatCoversAllThatSayThatTheyAreHiddenChangesEachOfThem() {
        let count: UInt32 = 300
        var desktop = Desktop.managed()
        for xid in 1...count {
            var window = SeenWindow.client(WindowID(xid))
            window.states = .hidden
            window.place = Rectangle(x: Int32(xid), y: Int32(count - xid), width: 8, height: 8)
            desktop.add(window)
        }
        var (evaluation, table) = (Evaluation(), SceneTable())
        func changes(_ edit: (inout Desktop) -> Void) -> Int {
            let old = desktop
            edit(&desktop)
            table.changed = []
            evaluation.update(&table, to: desktop, under: .focus, touched: desktop.touched(since: old))
            return table.changed.count
        }
        #expect(changes { _ in } == Int(count))
        // The window has the focus and is visible itself.
        #expect(changes { $0.screens[0].activeWindow = 1 } == 1)
        #expect(changes { $0.edit(1) { $0.place = Rectangle(width: 1280, height: 800) } } == Int(count) - 1)
        #expect(changes { $0.edit(1) { $0.place = Rectangle(width: 1, height: 1) } } == Int(count) - 1)
        #expect(changes { $0.edit(1) { $0.states = [] } } == 0)
    }

    @Test func manyThatNameTheRootWindowAreNotRelated() {
        var desktop = Desktop.managed()
        for xid in 1...3 as ClosedRange<UInt32> {
            var window = SeenWindow.client(WindowID(xid))
            window.transientFor = 99
            desktop.add(window)
        }
        var tree = TransientTree()
        #expect(tree.relatives(of: [1, 2, 3], on: desktop).isSuperset(of: [1, 2, 3]))
        #expect(tree.relatives(of: [1], on: desktop).isDisjoint(with: [2, 3]))
        // The id becomes that of a client window.
        desktop.add(SeenWindow.client(WindowID(99)))
        #expect(tree.relatives(of: [99], on: desktop).isSuperset(of: [1, 2, 3]))
    }

    @Test func aRowOfTheTableFitsACacheLine() {
        #expect(MemoryLayout<WindowFacts>.stride <= 64)
        #expect(MemoryLayout<Reading>.stride <= 8)
    }
}

extension SceneTable {
    fileprivate var readings: [WindowID: Reading] {
        let scenes = indices.map { self[$0] }.filter { $0.read.phase != nil }
        return Dictionary(uniqueKeysWithValues: scenes.map { ($0.window, $0.read) })
    }
}
