import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks with a condition on more than phases and names, and those that take everything as one.
@Suite struct ConditionTimelineTests {
    /// A criterion, subjects that match it, and one that does not.
    struct Fact: Sendable {
        let criteria: Criteria
        let matching: [Change.Subject]
        let other: Change.Subject

        init(_ matching: [Change.Subject], _ other: Change.Subject, _ set: (inout Criteria) -> Void) {
            var criteria = Criteria()
            set(&criteria)
            (self.criteria, self.matching, self.other) = (criteria, matching, other)
        }

        /// Returns the hook with the criterion.
        func of(_ hook: Hook) -> Hook {
            var hook = hook
            hook.condition.criteria = criteria
            if case .scene = other { hook.condition.level = .scene }
            return hook
        }
    }

    private static func desktops(_ desktops: Int...) -> Change.Subject {
        .application(Change.Members(counts: .init(), pids: [], groups: [], desktops: desktops))
    }

    private static func scene(_ title: String? = nil, role: String? = nil, id: UInt32 = 1) -> Change.Subject {
        .scene(Change.SceneFacts(id: WindowID(id), title: title, role: role))
    }

    private static let facts = [
        Fact([desktops(0, 1), desktops(-1), desktops(1)], desktops(0, 2)) { $0.desktop = [1] },
        Fact([scene(role: "browser"), scene(role: "brown")], scene(role: "popup")) {
            $0.role = [Pattern("brow*")]
        },
        Fact([scene("play 1"), scene("play 2")], scene("stop")) { $0.title = [Pattern("*play*")] },
    ]

    @Test(arguments: facts) func aPairLastsAsLongAsItMatches(fact: Fact) {
        var timeline = EngineTimeline(
            fact.of(.pair("quiet", while: [.active, .inactive])), isPrompt: true)
        #expect(timeline.go(fact.other, .active).isEmpty)
        #expect(timeline.go(fact.matching[0], .active) == ["enter quiet A"])
        for subject in fact.matching { #expect(timeline.go(subject, .active, .inactive).isEmpty) }
        #expect(timeline.go(fact.other, .inactive) == ["leave quiet A"])
        #expect(timeline.go(fact.matching[1], .inactive) == ["enter quiet A"])
        #expect(timeline.go(fact.matching[1], .background) == ["leave quiet A"])
        // The hook is not for this phase.
        #expect(timeline.go(fact.other, .background).isEmpty)
        #expect(timeline.go(fact.matching[0], .background).isEmpty)
        #expect(timeline.go(fact.matching[0], .active) == ["enter quiet A"])
        #expect(timeline.go(fact.other, .inactive) == ["leave quiet A"])
        #expect(timeline.go(fact.matching[0], .active) == ["enter quiet A"])
        #expect(timeline.go(fact.matching[0], nil) == ["leave quiet A"])
        #expect(timeline.isAsleep && timeline.status == ["ready"])
    }

    /// A desktop or a role only filters runs.
    @Test(arguments: facts) func aRunBeginsWithThePhaseOrTheTitle(fact: Fact) {
        var leaving = fact.of(.run("left", to: []))
        leaving.condition.from = [.active]
        var timeline = EngineTimeline(fact.of(.run("note", to: [.active])), leaving, isPrompt: true)
        let words = fact.criteria.title.isEmpty ? [] : ["run note A"]
        #expect(timeline.go(fact.other, .active).isEmpty)
        #expect(timeline.go(fact.matching[0], .active) == words)
        #expect(timeline.go(fact.matching[1], .active).isEmpty)
        #expect(timeline.go(fact.other, .active).isEmpty)
        #expect(timeline.go(fact.matching[0], .active) == words)
        #expect(timeline.go(fact.matching[0], .inactive) == ["run left A"])
        #expect(timeline.go(fact.matching[1], .inactive).isEmpty)
        #expect(timeline.go(fact.matching[1], .active) == ["run note A"])
    }

    @Test(arguments: facts) func aMatchThatDoesNotLastIsTooShortForAfter(fact: Fact) {
        var timeline = EngineTimeline(fact.of(.pair("slow", after: 5)), fact.of(.run("sync", after: 5)))
        #expect(timeline.go(fact.matching[0], .background).isEmpty)
        let words = ["too early: enter slow A", "too early: run sync A"]
        #expect(timeline.go(fact.other, .background) == words)
        #expect(timeline.go(fact.matching[0], .background).isEmpty)
        #expect(timeline.wait(5).contains("enter slow A"))
    }

    @Test(arguments: facts) func anExistingSubjectIsEnteredOnceItHasCeasedToMatch(fact: Fact) {
        var timeline = EngineTimeline(fact.of(.pair("slow")))
        #expect(timeline.find("A", .background, fact.matching[0]).isEmpty)
        #expect(timeline.go(fact.matching[1], .background).isEmpty)
        #expect(timeline.go(fact.other, .background).isEmpty)
        #expect(timeline.go(fact.matching[0], .background) == ["enter slow A"])
        // What ceases to match while `enter` runs, and matches again, goes on.
        #expect((timeline.go(fact.other, .background) + timeline.go(fact.matching[0], .background)).isEmpty)
        #expect(timeline.end("enter slow A").isEmpty)
        #expect(timeline.go(fact.other, .background) == ["leave slow A"])
    }

    @Test(arguments: facts) func aHookWithoutACriterionIgnoresFacts(fact: Fact) {
        var (pair, run) = (fact.of(.pair("slow")), fact.of(.run("sync", to: [])))
        (pair.condition.criteria, run.condition.criteria) = (Criteria(), Criteria())
        var timeline = EngineTimeline(pair, run, isPrompt: true)
        #expect(timeline.go(fact.other, .background) == ["run sync A", "enter slow A"])
        #expect(timeline.go(fact.matching[0], .background).isEmpty)
    }

    // MARK: Everything as one

    private static func all(_ hook: Hook = .pair("quiet", while: [.active])) -> Hook { hook.all }

    /// It matches what it did not match before, and the reverse.
    @Test func aChangedHookKnowsNothingOfWhatItMatchedBefore() {
        var timeline = EngineTimeline(Self.all(), isPrompt: true)
        #expect(timeline.go("A", .active) == ["enter quiet A"])
        var hook = Self.all()
        hook.condition.criteria.application = [Pattern("B")]
        #expect(timeline.handle(.reload([hook])) == ["leave quiet A"])
        #expect(timeline.go("B", .active) == ["enter quiet B"])
    }

    @Test(arguments: facts) func aChangedHookIsEnteredForWhatItMatchesAlready(fact: Fact) {
        var hook = fact.of(.pair("slow"))
        var timeline = EngineTimeline(hook, isPrompt: true)
        #expect(timeline.go(fact.matching[0], .background) == ["enter slow A"])
        hook.condition.initial = true
        #expect(timeline.handle(.reload([hook])) == ["leave slow A"])
        #expect(timeline.find("A", .background, fact.matching[1]) == ["enter slow A"])
    }

    @Test func allAreEnteredForTheFirstAndLeftAfterTheLast() {
        var timeline = EngineTimeline(Self.all())
        #expect(timeline.go("A", .active) == ["enter quiet A"])
        // No `leave` runs beside the `enter`.
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("enter quiet A") == ["leave quiet A"])
        #expect(timeline.go("B", .active).isEmpty)
        #expect(timeline.end("leave quiet A") == ["enter quiet B"])
        _ = timeline.end("enter quiet B")
        #expect(timeline.go("B", nil) == ["leave quiet B"])
        #expect(timeline.settle().isEmpty && timeline.isAtRest)
    }

    @Test func aSwitchFromOneToAnotherIsNoStep() {
        var timeline = EngineTimeline(Self.all(), Self.all(.run("note", to: [])), isPrompt: true)
        #expect(timeline.go("A", .active) == ["run note A", "enter quiet A"])
        for (one, other) in [("A", "B"), ("B", "A"), ("A", "B")] {
            let switched = [timeline.trigger(one, to: .inactive), timeline.trigger(other, to: .active)]
            #expect(timeline.handle(.changes(switched)).isEmpty)
        }
        #expect(timeline.go("B", .inactive) == ["leave quiet B", "run note B"])
    }

    @Test func allOfThemAreInTheBackground() {
        var timeline = EngineTimeline(Self.all(.pair("rest", after: 5)), isPrompt: true)
        _ = timeline.go("A", .active) + timeline.go("B", .inactive)
        #expect(timeline.go("A", .background).isEmpty && timeline.wait(10).isEmpty)
        #expect(timeline.go("B", .background).isEmpty)
        #expect(timeline.wait(4).isEmpty)
        #expect(timeline.wait(1) == ["enter rest B"])
        #expect(timeline.go("A", .inactive) == ["leave rest A"])
    }

    @Test func anExistingSubjectCountsWithoutBeingAChange() {
        var hook = Self.all()
        var timeline = EngineTimeline(hook)
        #expect((timeline.find("A", .active) + timeline.go("B", .active)).isEmpty)
        #expect((timeline.go("A", .inactive) + timeline.go("B", .inactive)).isEmpty)
        #expect(timeline.go("A", .active) == ["enter quiet A"])
        hook.condition.initial = true
        timeline = EngineTimeline(hook)
        #expect(timeline.find("A", .active) == ["enter quiet A"])
    }
}
