import Scenes
import Testing

@testable import PhaseWatch

/// The changes that wait for a slow consumer.
@Suite struct MergingQueueTests {
    @Test func isReadInItsOrder() {
        #expect(
            read([.phase("A", .active, .inactive), .phase("B", .inactive, .active)]) == ["A a→i", "B i→a"])
    }

    @Test func isOfEachApplicationTheLatest() {
        #expect(
            read([
                .phase("A", .active, .inactive), .phase("B", .inactive, .active),
                .phase("A", .inactive, .background),
            ]) == ["B i→a", "A a→b"])
    }

    @Test func isNothingOnceAllIsAsItWas() {
        #expect(read([.phase("A", .active, .inactive), .phase("A", .inactive, .active)]) == [])
        #expect(
            read([
                .phase("A", nil, .active), .phase("A", .active, .background), .phase("A", .background, nil),
            ]) == [])
    }

    @Test func tellsThatAnApplicationOpenedByWhereItIsNow() {
        #expect(read([.phase("A", nil, .inactive), .phase("A", .inactive, .active)]) == ["A -→a opened"])
    }

    @Test func anApplicationThatEndsPassesThroughTheBackgroundHoweverLate() {
        #expect(
            read([.phase("A", .active, .background), .phase("A", .background, nil)])
                == ["A a→b", "A b→- closed"])
        #expect(read([.phase("A", .active, nil, cause: .regroup)]) == ["A a→- closed"])
    }

    @Test func keepsItsStepsHoweverLate() {
        let changes = [Change.phase("A", .active, .inactive), .phase("A", .inactive, .background)]
        #expect(read(changes, isStepwise: true) == ["A a→i", "A i→b"])
        #expect(read(changes) == ["A a→b"])
        #expect(
            read([.phase("A", .active, nil)], isStepwise: true) == ["A a→i", "A i→b", "A b→- closed"])
    }

    @Test func timeSpentIsThatInThePhaseThatWasRead() {
        var changes = MergingQueue(isStepwise: false)
        changes.add(.phase("A", .active, .inactive, held: .seconds(7)))
        changes.add(.phase("A", .inactive, .background, held: .seconds(1)))
        let change = changes.next()
        #expect(change?.held == .seconds(7))
    }

    @Test func isNeverMoreThanTheApplicationsThereWere() {
        var changes = MergingQueue(isStepwise: false)
        for number in 0..<100_000 {
            let name = "A\(number % 10)"
            let isUp = number / 10 % 2 == 0
            changes.add(.phase(name, isUp ? .inactive : .active, isUp ? .active : .inactive))
            #expect(changes.count <= 10)
        }
    }

    @Test func aTitleIsNotLostThoughPhasesWereLeftAgain() {
        func scene(_ kind: Change.Kind, _ from: ScenePhase?, _ to: ScenePhase?, _ title: String) -> Change {
            var change = Change.phase("A", from, to, cause: kind == .title ? .title : .focus)
            (change.kind, change.subject) = (kind, .scene(.init(id: WindowID(1), title: title)))
            return change
        }
        let retitled = [
            scene(.phase, .active, .inactive, "old"), scene(.title, .inactive, .inactive, "new"),
        ]
        #expect(read(retitled) == ["A a→i"])
        let back = retitled + [scene(.phase, .inactive, .active, "new")]
        #expect(read(back) == ["A a→a title"])
        #expect(read(back + [scene(.phase, .active, .background, "new")]) == ["A a→b"])
        #expect(read(back + [scene(.closed, .active, nil, "new")]) == ["A a→- closed"])
        #expect(
            read([scene(.opened, nil, .active, "old")] + back + [scene(.closed, .active, nil, "new")]) == [])
        var changes = MergingQueue(isStepwise: false)
        for change in back { changes.add(change) }
        #expect(changes.next()?.cause == .title)
    }

    private func read(_ all: [Change], isStepwise: Bool = false) -> [String] {
        var changes = MergingQueue(isStepwise: isStepwise)
        for change in all { changes.add(change) }
        var texts: [String] = []
        while let change = changes.next() {
            let kind = change.kind == .phase ? "" : " \(change.kind)"
            texts.append("\(change.application) \(letter(change.from))→\(letter(change.to))\(kind)")
        }
        return texts
    }

    private func letter(_ phase: ScenePhase?) -> String { phase.map { String($0.rawValue.prefix(1)) } ?? "-" }
}

extension Change {
    /// Returns a change of an application.
    static func phase(
        _ name: String, _ from: ScenePhase?, _ to: ScenePhase?, cause: Cause = .focus, held: Duration? = nil
    ) -> Change {
        Change(
            kind: from == nil ? .opened : to == nil ? .closed : .phase, application: name, group: nil,
            subject: .application(Members(counts: Counts(), pids: [], groups: [name.lowercased()])),
            from: from, to: to, cause: cause, held: held)
    }
}
