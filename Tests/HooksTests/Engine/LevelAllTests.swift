import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks that take everything that they match as one.
@Suite struct LevelAllTests {
    private static func quiet(_ hook: Hook = .pair("quiet", while: [.active])) -> Hook {
        var hook = hook
        hook.condition.level = .all
        return hook
    }

    @Test func aPairIsEnteredForTheFirstAndLeftAfterTheLast() {
        var timeline = EngineTimeline(Self.quiet())
        #expect(timeline.go("A", .active) == ["enter quiet A"])
        // No `leave` runs beside the `enter`.
        #expect(timeline.go("A", .background).isEmpty)
        #expect(timeline.end("enter quiet A") == ["leave quiet A"])
        #expect(timeline.go("B", .active).isEmpty)
        #expect(timeline.end("leave quiet A") == ["enter quiet B"])
        _ = timeline.end("enter quiet B")
        #expect(timeline.go("B", nil) == ["leave quiet B"])
        _ = timeline.end("leave quiet B")
        #expect(timeline.isAtRest)
    }

    @Test func aSwitchFromOneToAnotherIsNoStep() {
        var timeline = EngineTimeline(Self.quiet(), Self.quiet(.run("note", to: [])))
        #expect(timeline.go("A", .active) == ["run note A", "enter quiet A"])
        _ = timeline.settle()
        for (one, other) in [("A", "B"), ("B", "A"), ("A", "B")] {
            let switched = [timeline.trigger(one, to: .inactive), timeline.trigger(other, to: .active)]
            #expect(timeline.handle(.changes(switched)).isEmpty)
        }
        #expect(timeline.go("B", .inactive) == ["leave quiet B", "run note B"])
    }

    @Test func allOfThemAreInTheBackground() {
        var timeline = EngineTimeline(Self.quiet(.pair("rest", after: 5)))
        _ = timeline.go("A", .active) + timeline.go("B", .inactive)
        #expect(timeline.go("A", .background).isEmpty && timeline.wait(10).isEmpty)
        #expect(timeline.go("B", .background).isEmpty)
        #expect(timeline.wait(4).isEmpty)
        #expect(timeline.wait(1) == ["enter rest B"])
        _ = timeline.end("enter rest B")
        #expect(timeline.go("A", .inactive) == ["leave rest A"])
    }

    @Test func whatExistsCountsWithoutBeingAChange() {
        var timeline = EngineTimeline(Self.quiet())
        #expect(timeline.find("A", .active).isEmpty)
        #expect(timeline.go("B", .active).isEmpty)
        #expect(timeline.go("A", .inactive).isEmpty && timeline.go("B", .inactive).isEmpty)
        #expect(timeline.go("A", .active) == ["enter quiet A"])
        var hook = Self.quiet()
        hook.condition.initial = true
        timeline = EngineTimeline(hook)
        #expect(timeline.find("A", .active) == ["enter quiet A"])
    }

    @Test func aTitleThatMatchesNoLongerEndsIt() {
        var hook = Self.quiet(.pair("quiet", while: [.active, .inactive, .background]))
        hook.condition.criteria.title = [Pattern("play")]
        var timeline = EngineTimeline(hook)
        func scene(_ title: String, _ kind: Change.Kind, _ id: UInt32) -> HookTrigger {
            var change = Change.step("A", from: kind == .opened ? nil : .active, to: .active)
            change.kind = kind
            change.subject = .scene(Change.SceneFacts(id: WindowID(id), title: title))
            return HookTrigger(change: change, time: .zero)
        }
        #expect(timeline.react(to: scene("play", .opened, 1)) == ["enter quiet A"])
        _ = timeline.end("enter quiet A")
        #expect(timeline.react(to: scene("play", .opened, 2)).isEmpty)
        #expect(timeline.react(to: scene("stop", .title, 1)).isEmpty)
        #expect(timeline.react(to: scene("stop", .title, 2)) == ["leave quiet A"])
    }

    @Test func anEarlierProcessIsLeftForAllOfThem() {
        var earlier = EngineTimeline(Self.quiet())
        earlier.enterActive("A")
        var timeline = EngineTimeline(Self.quiet(), restored: nil)
        #expect(timeline.restore(earlier.engine.owed[0]) == ["leave quiet A"])
        #expect(timeline.go("B", .active).isEmpty)
        #expect(timeline.end("leave quiet A") == ["enter quiet B"])
    }
}

extension EngineTimeline {
    fileprivate mutating func enterActive(_ application: String) {
        _ = go(application, .active) + settle()
    }
}
