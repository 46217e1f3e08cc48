import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Three applications: A and B share a process, and B and C share another one.
@Suite struct SharedProcessTests {
    private static let all = ["A", "B", "C"]
    private static let asks = [
        "ask A: freeze with B, C", "ask B: freeze with A, C", "ask C: freeze with A, B",
    ]
    private static let thaws = ["thaw A", "thaw B", "thaw C"]
    private static let glances = thaws.map { "\($0) quietly" }
    private static let sharing: [String: Set<String>] = ["A": ["B"], "B": ["A", "C"], "C": ["B"]]

    private static func frozen(wake: Wake? = nil) -> EngineTimeline {
        var timeline = EngineTimeline(.doing("ice", .freeze, wake: wake), sharing: sharing)
        for name in all { _ = timeline.go(name, .active) }
        for name in all { _ = timeline.go(name, .background) }
        _ = timeline.settle()
        #expect(timeline.engine.frozenApplications == Set(all))
        return timeline
    }

    @Test func applicationsOfOneProcessAreFrozenTogetherOrNotAtAll() {
        var timeline = EngineTimeline(.doing("ice", .freeze), sharing: Self.sharing)
        _ = timeline.go("A", .active) + timeline.go("C", .active)
        #expect(timeline.go("B", .background) == ["ask B: freeze"])
        #expect(timeline.settle() == ["excepted ice B: it shares a process with 'A'"])
        #expect(timeline.go("A", .background) == ["ask A: freeze with B", "ask B: freeze with A"])
        #expect(timeline.settle() == ["excepted ice B: it shares a process with 'C'"])
        #expect(timeline.engine.frozenApplications.isEmpty && timeline.engine.owed.isEmpty)
        // Nobody asks again before another application changes.
        #expect(timeline.engine.next == nil)
        let words = timeline.go("C", .background) + timeline.settle()
        #expect(words.filter { $0.hasSuffix(" frozen") }.count == 3)
        #expect(timeline.engine.frozenApplications == Set(Self.all))
    }

    @Test(arguments: all) func aSignForOneThawsAllAndOneThatIsActiveKeepsThemThawed(name: String) {
        var timeline = Self.frozen()
        #expect(timeline.sign(name) == Self.thaws)
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == Self.asks)
        _ = timeline.settle()
        #expect(timeline.go(name, .active) == Self.thaws)
        #expect(timeline.engine.next == nil && timeline.engine.owed.isEmpty)
        let words = timeline.go(name, .background) + timeline.settle()
        #expect(words.filter { $0.hasSuffix(" frozen") }.count == 3)
    }

    /// One that closes, or takes the name of another one, keeps nothing thawed.
    @Test(arguments: [Cause.close, .regroup]) func aCompanionThatNoLongerExistsIsForgotten(cause: Cause) {
        var timeline = Self.frozen()
        #expect(
            timeline.go("B", nil, cause: cause) == Self.thaws + [
                "ask A: freeze with C", "ask C: freeze with A",
            ])
        _ = timeline.settle()
        #expect(timeline.engine.frozenApplications == ["A", "C"])
        #expect(timeline.go("A", .active) == ["thaw A"])
    }

    @Test func anApplicationThatSharesNoProcessAnyLongerIsThawedAlone() {
        var timeline = Self.frozen()
        #expect(timeline.sign("A") == Self.thaws)
        timeline.machine.sharing = [:]
        _ = timeline.wait(10) + timeline.settle()
        #expect(timeline.engine.frozenApplications == Set(Self.all))
        #expect(timeline.go("B", .active) == ["thaw B"])
    }

    /// Questions about others do not find what has no window.
    @Test(arguments: [["A", "B"], ["B", "A"]]) func anApplicationInTheTrayIsThawedWithItsProcess(
        order: [String]
    ) {
        var timeline = EngineTimeline(
            Hook.doing("ice", .freeze).closed, sharing: ["A": ["B"], "B": ["A"]])
        _ = timeline.go("A", .active) + timeline.go("B", .active)
        var closed = timeline.trigger("A", to: nil, .close)
        closed.isSurvived = true
        _ = timeline.handle(.changes([closed])) + timeline.settle() + timeline.go("B", .background)
        for name in order { _ = timeline.end("ask \(name)") }
        _ = timeline.settle()
        #expect(timeline.engine.frozenApplications == ["A", "B"])
        #expect(timeline.go("B", .active) == ["thaw A", "thaw B"])
    }

    @Test func nothingIsFrozenOnceAnotherOneIsWanted() {
        var timeline = EngineTimeline(.doing("ice", .freeze), sharing: Self.sharing)
        for name in Self.all { _ = timeline.go(name, .background) }
        timeline.isDiskBusy = true
        for name in Self.all { _ = timeline.end("ask \(name)") }
        #expect(timeline.go("C", .active).isEmpty)
        #expect(timeline.answerDisk().isEmpty && timeline.engine.heldApplications.isEmpty)
    }

    /// Each thaw has its own answer, and is tried again later and later.
    @Test func stuckApplicationsThatShareProcessesAreThawedAgainTogether() {
        var timeline = Self.frozen()
        func retries(_ delay: Int) -> [String] {
            Self.all.map { "ice: leave for \($0) is retried in \(delay)s" }
        }
        timeline.failsToThaw = true
        #expect(Set(timeline.go("A", .active)) == Set(Self.thaws + retries(1)))
        #expect(Set(timeline.wait(1)) == Set(Self.thaws + retries(2)))
        timeline.failsToThaw = false
        #expect(timeline.wait(2) == Self.thaws && timeline.engine.heldApplications.isEmpty)
    }

    @Test func aStuckApplicationKeepsThoseThatShareItsProcessesThawed() throws {
        var timeline = Self.frozen()
        let call = BusCall(sender: ":1.7", serial: 1)
        #expect(timeline.handle(.called("A", call)) == Self.glances)
        let job = try #require(timeline.engine.votes.first { $0.application == "A" })
        _ = timeline.handle(.notThawed(job, timeline.engine.freeze(of: "A")))
        #expect(timeline.engine.frozenApplications == ["A"] && timeline.engine.heldApplications == ["A"])
        #expect(timeline.handle(.answered("A", call)).isEmpty)
        #expect(timeline.wait(1).first == "thaw A")
        _ = timeline.settle()
        #expect(timeline.engine.frozenApplications == Set(Self.all))
    }

    @Test func aGlanceOfOneLiftsAllQuietlyAndAThawByTheUserOfOneLasts() {
        var timeline = Self.frozen()
        let (call, writes) = (BusCall(sender: ":1.7", serial: 1), timeline.writes)
        #expect(timeline.handle(.called("A", call)) == Self.glances)
        #expect(timeline.handle(.answered("A", call)) == ["freeze A", "freeze B", "freeze C"])
        #expect(timeline.settle().isEmpty && timeline.writes == writes)
        #expect(timeline.handle(.thaw(["C"])) == Self.thaws && timeline.engine.next == nil)
    }
}
