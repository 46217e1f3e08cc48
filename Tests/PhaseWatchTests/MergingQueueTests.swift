import Scenes
import Testing

@testable import PhaseWatch

/// The changes that wait for a slow consumer. `A a→i` is a change of the application A from active to inactive; `-` is
/// no phase.
@Suite struct MergingQueueTests {
    @Test(arguments: [
        // In the order of the last changes, one for each application.
        ("A a→i, B i→a", "A a→i, B i→a"), ("A a→i, B i→a, A i→b", "B i→a, A a→b"),
        // Nothing once all is as it was.
        ("A a→i, A i→a", ""), ("A -→a, A a→b, A b→-", ""),
        ("A -→i, A i→a", "A -→a"),
        // An application that ends passes through the background, however late.
        ("A a→b, A b→-", "A a→b, A b→-"), ("A a→-", "A a→b, A b→-"), ("A a→i, A i→b", "A a→b"),
    ])
    func unreadChangesAreMerged(changes: String, read: String) {
        #expect(self.read(changes) == read)
    }

    @Test(arguments: [("A a→i, A i→b", "A a→i, A i→b"), ("A a→-", "A a→i, A i→b, A b→-")])
    func stepsAreKeptHoweverLate(changes: String, read: String) {
        #expect(self.read(changes, isStepwise: true) == read)
    }

    /// One that continues under another name has not ended.
    @Test func aRenamedApplicationDoesNotPassThroughTheBackground() {
        var renamed = Change("A a→-")
        renamed.cause = .regroup
        #expect(texts(of: [renamed]) == ["A a→-"])
    }

    @Test func timeSpentIsThatInThePhaseThatWasRead() {
        var changes = [Change("A a→i"), Change("A i→b")]
        (changes[0].held, changes[1].held) = (.seconds(7), .seconds(1))
        var queue = queue(of: changes)
        #expect(queue.next()?.held == .seconds(7))
    }

    @Test func aTitleIsNotLostThoughPhasesWereLeftAgain() {
        func scene(_ text: String, _ title: String, _ kind: Change.Kind? = nil) -> Change {
            var change = Change(text)
            change.subject = .scene(.init(id: WindowID(1), title: title))
            if let kind { (change.kind, change.cause) = (kind, .title) }
            return change
        }
        let retitled = [scene("A a→i", "old"), scene("A i→i", "new", .title)]
        #expect(texts(of: retitled) == ["A a→i"])
        let back = retitled + [scene("A i→a", "new")]
        #expect(texts(of: back) == ["A a→a"])
        #expect(texts(of: back + [scene("A a→b", "new")]) == ["A a→b"])
        #expect(texts(of: back + [scene("A a→-", "new")]) == ["A a→-"])
        #expect(texts(of: [scene("A -→a", "old")] + back + [scene("A a→-", "new")]) == [])
        var queue = queue(of: back)
        let change = queue.next()
        #expect(change?.kind == .title && change?.cause == .title)
    }

    private func read(_ changes: String, isStepwise: Bool = false) -> String {
        let changes = changes.split(separator: ", ").map { Change(String($0)) }
        return texts(of: changes, isStepwise: isStepwise).joined(separator: ", ")
    }

    private func texts(of changes: [Change], isStepwise: Bool = false) -> [String] {
        func letter(_ phase: ScenePhase?) -> Character { phase?.rawValue.first ?? "-" }
        var queue = queue(of: changes, isStepwise: isStepwise)
        var texts: [String] = []
        while let change = queue.next() {
            #expect(change.kind == (change.from == nil ? .opened : change.to == nil ? .closed : change.kind))
            texts.append("\(change.application) \(letter(change.from))→\(letter(change.to))")
        }
        return texts
    }

    private func queue(of changes: [Change], isStepwise: Bool = false) -> MergingQueue {
        var queue = MergingQueue(isStepwise: isStepwise)
        for change in changes { queue.add(change) }
        return queue
    }
}

extension Change {
    /// Creates a change of an application: `A a→i`.
    init(_ text: String) {
        let words = text.split(separator: " ")
        let phases = words[1].split(separator: "→").map { letter in
            ScenePhase.allCases.first { $0.rawValue.hasPrefix(letter) }
        }
        self.init(
            kind: phases[0] == nil ? .opened : phases[1] == nil ? .closed : .phase,
            application: String(words[0]),
            subject: .application(Members(counts: Counts(), pids: [], groups: [words[0].lowercased()])),
            from: phases[0], to: phases[1], cause: .focus)
    }
}
