import Console
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Freezing, as a sequence of questions and answers.
@Suite struct FreezeTimelineTests {
    @Test func whatIsAskedRecordedAndDoneComesInThisOrder() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        #expect(timeline.go("A", .active, .background) == ["ask ice A"])
        timeline.isDiskBusy = true
        #expect(timeline.end("ask ice A").isEmpty)
        #expect(timeline.answerDisk() == ["prepare ice A"])
        #expect(timeline.end("prepare ice A") == ["aim ice A"])
        #expect(timeline.aim("ice A").isEmpty)
        #expect(timeline.engine.owed.map(\.holds) == [[.frozen(path: "/A")]])
        #expect(timeline.answerDisk() == ["freeze ice A"])
        #expect(timeline.freeze("ice A") == ["done ice A: frozen"])
        #expect(timeline.go("A", .active) == ["thaw ice A", "undo ice A"])
        #expect(timeline.end("undo ice A").isEmpty)
        #expect(timeline.engine.owed.isEmpty && timeline.engine.isIdle)
    }

    @Test func whatTheDiskRefusesIsNotFrozen() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        _ = timeline.go("A", .background)
        _ = timeline.end("ask ice A")
        _ = timeline.end("prepare ice A")
        timeline.isDiskBusy = true
        _ = timeline.aim("ice A")
        #expect(timeline.answerDisk(failure: "full").first == "not done ice A: is not frozen: full")
        #expect(timeline.engine.frozenApplications.isEmpty)
    }

    @Test func whatTwoHooksHaveFrozenRunsWhenTheLastLetsItGo() {
        var timeline = EngineTimeline.ofReactions(.ice("first"), .ice("second"))
        timeline.enterFrozen("first", "second")
        #expect(timeline.suspend("first") == ["stays frozen first A for second"])
        #expect(timeline.suspend("first", "second") == ["thaw second A", "undo second A"])
    }

    /// The programs of one hook do not run while the application is frozen for the other.
    @Test func whatTwoHooksLeaveAtOnceIsThawedFirst() {
        var timeline = EngineTimeline.ofReactions(.ice("first", hasPrograms: true), .ice("second"))
        timeline.enterFrozen("first", "second")
        #expect(
            timeline.go("A", .active) == ["thaw first and second A", "undo first A", "undo second A"])
        #expect(timeline.end("undo first A") == ["leave first A"])
    }

    /// A window manager may pass the focus through another window on its way to the target.
    @Test func whatIsFrozenWithoutTheFocusIsFrozenAgainSoonerAfterAMomentWithIt() {
        var hook = Hook.ice("ice")
        hook.reaction = .pair(Hook.Pair(phases: [.inactive, .background], builtIns: [.freeze]))
        var timeline = EngineTimeline.ofReactions(hook)
        timeline.enterFrozen("ice")
        #expect(timeline.handle(.wanted(["A"], because: .wanted)) == ["thaw ice A"])
        #expect(timeline.wait(1) == ["ask ice A"])
        _ = timeline.end("ask ice A")
        _ = timeline.aim("ice A")
        #expect(timeline.freeze("ice A") == ["done ice A: frozen"])
        #expect(timeline.handle(.wanted(["A"], because: .spokenTo("a call"))) == ["thaw ice A"])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask ice A"])
    }

    @Test func aSignThawsForAllAndItIsFrozenAgainAfterItWasAsked() {
        var timeline = EngineTimeline.ofReactions(.ice("first"), .ice("second", after: 20))
        timeline.enterFrozen("first", "second")
        #expect(timeline.handle(.wanted(["A"], because: .wanted)) == ["thaw second and first A"])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask first A"])
        #expect(timeline.except("ask first A", "it plays").isEmpty)
        #expect(timeline.wait(10) == ["ask second A", "ask first A"])
        #expect(timeline.end("ask first A") == ["aim first A"])
        #expect(timeline.aim("first A") == ["freeze first A"])
        #expect(timeline.freeze("first A") == ["done first A: frozen"])
    }

    /// Job control of a shell and a silent X server count as signs.
    @Test(arguments: [ThawReason.stopped, .deaf, .silentServer])
    func whateverThawsItFreezesItAgain(reason: ThawReason) {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        #expect(timeline.handle(.wanted(["A"], because: reason)) == ["thaw ice A"])
        #expect(timeline.wait(10) == ["ask ice A"])
    }

    @Test func aSignBetweenTheDiskAndTheFreezeCounts() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        _ = timeline.go("A", .background)
        _ = timeline.end("ask ice A")
        _ = timeline.end("prepare ice A")
        timeline.isDiskBusy = true
        _ = timeline.aim("ice A")
        _ = timeline.handle(.wanted(["A"], because: .wanted))
        #expect(!timeline.answerDisk().contains("freeze ice A"))
        #expect(timeline.wait(10) == ["prepare ice A"])
    }

    @Test func aSignBeforeTheAnswerOfTheFreezeThawsIt() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enter("ice")
        let words = timeline.handle(.wanted(["A"], because: .wanted)) + timeline.freeze("ice A")
        #expect(words == ["thaw ice A quietly"])
        #expect(timeline.engine.frozenApplications.isEmpty)
        #expect(timeline.wait(10) == ["ask ice A"])
    }

    @Test func whatBecomesActiveBeforeTheAnswerOfTheFreezeIsThawedAndLeft() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enter("ice")
        #expect(timeline.go("A", .active).isEmpty)
        #expect(timeline.freeze("ice A") == ["thaw ice A quietly", "undo ice A"])
        #expect(timeline.end("undo ice A").isEmpty && timeline.engine.owed.isEmpty)
    }

    @Test func furtherProcessesAreRecordedBeforeTheyAreStopped() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enter("ice")
        timeline.isDiskBusy = true
        #expect(timeline.answer("freeze ice A") { .froze($0, .more(.frozen(path: "/more"))) }.isEmpty)
        #expect(timeline.engine.owed.map(\.holds) == [[.frozen(path: "/A"), .frozen(path: "/more")]])
        #expect(timeline.answerDisk() == ["freeze ice A"])
    }

    @Test func aServerThatIsSilentAfterAFreezeThawsAllAndFreezesThemAgain() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        timeline.enter("ice", "B")
        #expect(
            timeline.answer("freeze ice B") { .froze($0, .silentServer) } == ["thaw ice A", "thaw ice B"])
        #expect(timeline.wait(9).isEmpty)
        #expect(timeline.wait(1) == ["ask ice A", "ask ice B"])
    }

    // MARK: Thaw-all

    @Test func thawAllForbidsUntilThePhaseBeginsAnew() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        timeline.enterFrozen("ice")
        #expect(timeline.handle(.thaw(nil)) == ["thaw ice A"])
        #expect(timeline.wait(1_000).isEmpty)
        _ = timeline.go("A", .active)
        #expect(timeline.go("A", .background) == ["ask ice A"])
    }

    /// - Parameter count: The number of answers before the thaw-all.
    @Test(arguments: 0...3) func thawAllForbidsWhatIsAboutToBeFrozen(count: Int) {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        _ = timeline.go("A", .background)
        for number in 0...3 {
            if number == count { _ = timeline.handle(.thaw(nil)) }
            _ = timeline.answerNext("ice A")
        }
        _ = timeline.end("undo ice A")
        #expect(timeline.engine.frozenApplications.isEmpty && timeline.engine.isIdle)
        #expect(timeline.wait(1_000).isEmpty)
    }

    @Test func thawAllEndsWhatAnExceptionWouldHaveAskedAgain() {
        var timeline = EngineTimeline.ofReactions(.ice("ice"))
        _ = timeline.go("A", .background)
        _ = timeline.end("ask ice A")
        _ = timeline.handle(.thaw(nil))
        _ = timeline.except("prepare ice A", "it plays")
        #expect(timeline.wait(1_000).isEmpty && timeline.engine.owed.isEmpty)
    }
}

extension EngineTimeline {
    mutating func aim(_ pair: String) -> [String] {
        answer("aim \(pair)") { .aimed($0, .frozen(path: "/\(pair.suffix(1))")) }
    }

    mutating func freeze(_ pair: String) -> [String] {
        answer("freeze \(pair)") { .froze($0, .frozen("frozen")) }
    }

    /// Answers the step that a pair waits for.
    mutating func answerNext(_ pair: String) -> [String] {
        for step in ["ask", "prepare", "undo"] where isRunning("\(step) \(pair)") {
            return end("\(step) \(pair)")
        }
        return isRunning("aim \(pair)") ? aim(pair) : freeze(pair)
    }

    /// Advances a hook until the freeze begins.
    mutating func enter(_ hook: String, _ application: String = "A") {
        _ = go(application, .active, .background)
        advance(hook, application)
    }

    private mutating func advance(_ hook: String, _ application: String) {
        _ = end("ask \(hook) \(application)")
        _ = end("enter \(hook) \(application)")
        _ = end("prepare \(hook) \(application)")
        _ = aim("\(hook) \(application)")
    }

    /// Freezes the application with these hooks.
    mutating func enterFrozen(_ hooks: String...) {
        _ = go("A", .active, .background)
        _ = wait(60)
        for hook in hooks {
            advance(hook, "A")
            #expect(freeze("\(hook) A") == ["done \(hook) A: frozen"])
        }
    }
}

extension Hook {
    static func ice(
        _ name: String, _ others: Set<BuiltIn> = [], after: Int = 0, hasPrograms: Bool = false,
        wake: Wake? = nil
    ) -> Hook {
        var hook = Hook.pair(name, after: after)
        let programs: [Hooks.Program?] =
            hasPrograms ? [.arguments(["enter"]), .arguments(["leave"])] : [nil, nil]
        hook.reaction = .pair(
            Hook.Pair(
                phases: [.background], enter: programs[0], leave: programs[1],
                builtIns: others.union([.freeze])))
        hook.wake = wake
        return hook
    }
}
