import FoundationEssentials
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

extension Hook {
    /// A pair for states of the session.
    fileprivate static func pair(
        _ name: String, session: SessionLimit..., initial: Bool = false, after: Int = 0, unless: Bool = false
    ) -> Hook {
        var hook = pair(name, while: [], after: after, unless: unless)
        (hook.condition.session, hook.condition.initial) = (Set(session), initial)
        return hook
    }
}

extension SessionChange {
    fileprivate static let locked = locked(by: "i3lock", scenes: 2)
    fileprivate static let blanked = displayOff(.blanked)
}

extension EngineTimeline {
    /// Begins or ends states of the session at one time.
    fileprivate mutating func session(_ changes: SessionChange..., isStart: Bool = false) -> [String] {
        let events = changes.map { Event.notice(.session($0)) }
        return handle(
            .changes(
                HookTrigger.of(
                    events, numbers: [], for: engine.hooks, isStart: isStart, at: machine.time)))
    }
}

/// Hooks on the session: on a lock, an idle user, a display that is off or not shown.
@Suite struct SessionTimelineTests {
    @Test func aPairLastsWhileTheScreenIsLocked() {
        var timeline = EngineTimeline(.pair("vault", session: .lock))
        #expect(timeline.session(.locked) == ["enter vault session"])
        #expect(timeline.end("enter vault session").isEmpty && timeline.engine.owed.count == 1)
        #expect(timeline.session(.unlocked) == ["leave vault session"])
        #expect(timeline.end("leave vault session").isEmpty && timeline.isAsleep)
    }

    @Test func aHookOnTheSessionIsAboutNoApplicationAndNoOtherState() {
        var timeline = EngineTimeline(
            .pair("vault", session: .lock), .run("note").on(.away), .run("sync"))
        #expect(timeline.go("A", .active, .background) == ["run sync A"])
        #expect(timeline.go("B", .background, nil) == ["run sync B"])
        #expect(timeline.session(.blanked, .idle).isEmpty)
        // Once, whatever windows there are.
        #expect(timeline.session(.away) == ["run note session"])
    }

    @Test func aListHoldsWhileAnyOfItsStatesHolds() {
        var timeline = EngineTimeline(.pair("vault", session: .lock, .displayOff, .idle))
        #expect(timeline.session(.idle) == ["enter vault session"])
        _ = timeline.settle()
        #expect(timeline.session(.locked).isEmpty && timeline.session(.returned).isEmpty)
        // One ends as another begins, in any order.
        #expect(timeline.session(.unlocked, .blanked).isEmpty)
        #expect(timeline.session(.locked, .displayOn).isEmpty)
        #expect(timeline.session(.unlocked) == ["leave vault session"])
    }

    @Test func aCommandRunsWhenTheStateBegins() {
        var note = Hook.run("note").on(.lock)
        note.every = .seconds(60)
        var timeline = EngineTimeline(note, .run("late", after: 5).on(.lock))
        #expect(timeline.session(.locked) == ["run note session"])
        #expect(timeline.end("run note session").isEmpty)
        #expect(timeline.session(.unlocked) == ["too early: run late session"])
        #expect(timeline.session(.locked).isEmpty && timeline.wait(5) == ["run late session"])
        #expect(timeline.end("run late session").isEmpty && timeline.session(.unlocked).isEmpty)
        #expect(timeline.wait(60).isEmpty && timeline.session(.locked) == ["run note session"])
    }

    @Test func aStateThatDoesNotLastEntersNothing() {
        var timeline = EngineTimeline(.pair("vault", session: .lock, after: 5, unless: true))
        _ = timeline.session(.locked)
        #expect(timeline.session(.unlocked) == ["too early: enter vault session"] && timeline.isAsleep)
        #expect((timeline.session(.locked) + timeline.wait(5)) == ["check vault session"])
        #expect(timeline.end("check vault session") == ["vetoed: enter vault session"])
        #expect(timeline.status == ["excepted: 'unless' ended with 0"])
        #expect(timeline.session(.unlocked).isEmpty)
        #expect(timeline.session(.locked).isEmpty && timeline.session(.unlocked).count == 1)
    }

    @Test(arguments: [false, true]) func aStateThatHoldsAtTheStartCountsIfTheHookSaysSo(initial: Bool) {
        var timeline = EngineTimeline(.pair("vault", session: .lock, initial: initial))
        #expect(timeline.session(.locked, isStart: true) == (initial ? ["enter vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.session(.unlocked) == (initial ? ["leave vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.session(.locked) == ["enter vault session"])
    }

    @Test(arguments: [false, true]) func aReloadWhileTheStateHoldsIsAsAStart(initial: Bool) {
        let hook = Hook.pair("vault", session: .lock, initial: initial)
        var timeline = EngineTimeline(hook)
        _ = timeline.session(.locked) + timeline.settle()
        #expect(timeline.replace(hook, .run("other")).isEmpty)
        let other = Hook.pair("vault", session: .lock, initial: initial, after: 1)
        #expect(timeline.replace(other) == ["leave vault session"])
        _ = timeline.settle()
        #expect(timeline.wait(1) == (initial ? ["enter vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.replace() == (initial ? ["leave vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.replace(hook) == (initial ? ["enter vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.session(.unlocked) == (initial ? ["leave vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.session(.locked) == ["enter vault session"])
    }

    @Test func aPauseAndTheEndLeaveWhatIsEntered() {
        var timeline = EngineTimeline(.pair("vault", session: .lock))
        _ = timeline.session(.locked) + timeline.settle()
        #expect(timeline.suspend("vault") == ["leave vault session"])
        _ = timeline.settle()
        #expect(timeline.suspend() == ["enter vault session"])
        _ = timeline.settle() + timeline.suspend("vault") + timeline.settle()
        #expect(timeline.session(.unlocked).isEmpty && timeline.suspend().isEmpty)
        #expect(timeline.session(.locked) == ["enter vault session"])
        _ = timeline.settle()
        #expect(timeline.handle(.stop) == ["leave vault session"])
        #expect(timeline.settle().isEmpty && timeline.isAtRest)
    }

    /// As by a reload with `session = "none"` above the hooks.
    @Test func aStateThatIsNoLongerFollowedHasEnded() {
        var timeline = EngineTimeline(.pair("vault", session: .lock))
        _ = timeline.session(.locked) + timeline.settle()
        #expect(timeline.session(.dropped(.lock)) == ["leave vault session"])
    }

    @Test(arguments: [false, true]) func afterACrashTheRecordLeavesAPairOfTheSession(initial: Bool) throws {
        let hook = Hook.pair("vault", session: .lock, initial: initial)
        var former = EngineTimeline(hook)
        _ = former.session(.locked) + former.settle()
        let bytes = try JSONEncoder().encode(former.engine.owed)
        let pairs = try JSONDecoder().decode([UndoRecordEntry].self, from: bytes)
        #expect(pairs == former.engine.owed && pairs.allSatisfy(\.isPlausible))

        var timeline = EngineTimeline(hook, restored: nil)
        #expect(timeline.session(.locked, isStart: true).isEmpty)
        #expect(timeline.restore(pairs) == ["leave vault session"])
        #expect(timeline.end("leave vault session") == (initial ? ["enter vault session"] : []))
        _ = timeline.settle()
        #expect(timeline.session(.unlocked) == (initial ? ["leave vault session"] : []))
    }

    @Test func aReloadDuringTheStopEntersNothing() {
        var timeline = EngineTimeline(.pair("other", session: .lock))
        #expect(timeline.session(.locked, isStart: true).isEmpty && timeline.handle(.stop).isEmpty)
        #expect(timeline.replace(.pair("vault", session: .lock, initial: true)).isEmpty)
        #expect(timeline.engine.owed.isEmpty)
    }

    @Test func theLogAndTheHistoryNameTheState() {
        var timeline = EngineTimeline(.pair("vault", session: .displayOff, after: 2))
        _ = timeline.session(.blanked) + timeline.wait(2)
        let job = timeline.tasks.first?.job
        #expect(job.flatMap(JobEvent.started.line) == "hook 'vault': enter for session, display-off")
        let early = job.flatMap { JobEvent.left.report(of: $0).reason }
        #expect(early == "display-off did not last for 2s")
        _ = timeline.settle()
        let rows = timeline.engine.status { _, _ in }
        #expect(rows.map(\.subject) == ["session"] && rows.first?.application == nil)
        #expect(rows.first?.state == .entered)
        #expect(timeline.engine.history["vault"].map(\.reason) == ["display-off", "enter"])
        #expect(timeline.engine.history["vault"].allSatisfy { $0.application == nil })
        _ = timeline.handle(.stop)
        let last = timeline.tasks.first?.job
        #expect(last.flatMap(JobEvent.started.line) == "hook 'vault': leave for session, still display-off")
    }
}
