import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks with a condition on the desktop or on the process.
@Suite struct FactHookTests {
    private static func onOne(_ hook: Hook) -> Hook {
        var hook = hook
        hook.condition.criteria.desktop = [1]
        return hook
    }

    /// Returns a change of an application on these desktops. With the kind `.facts`, its phase stays the same.
    private static func application(
        _ desktops: [Int], _ kind: Change.Kind = .facts, from: ScenePhase? = nil,
        _ to: ScenePhase? = .background
    ) -> HookTrigger {
        let members = Change.Members(counts: .init(), pids: [], groups: [], desktops: desktops)
        return HookTrigger(
            change: Change(
                kind: kind, application: "A", subject: .application(members),
                from: kind == .facts ? to : from,
                to: to, cause: kind == .facts ? .desktop : .iconify), time: .zero)
    }

    @Test func aPairIsEnteredAndLeftWithItsDesktop() {
        var timeline = EngineTimeline(Self.onOne(.pair("slow")))
        #expect(timeline.react(to: Self.application([0, 1], .phase, from: .active)) == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(timeline.react(to: Self.application([1, 2])).isEmpty)
        #expect(timeline.react(to: Self.application([2])) == ["leave slow A"])
        _ = timeline.end("leave slow A")
        #expect(timeline.react(to: Self.application([3])).isEmpty)
        #expect(timeline.react(to: Self.application([-1])) == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(
            timeline.react(to: Self.application([-1], .phase, from: .background, .active)) == ["leave slow A"]
        )
        _ = timeline.end("leave slow A")
        // The hook is not for this phase.
        #expect(
            timeline.react(to: Self.application([0], .facts, .active), Self.application([1], .facts, .active))
                .isEmpty)
    }

    @Test func aPairIsEnteredAndLeftWithItsRole() {
        func scene(_ role: String?, _ kind: Change.Kind = .facts) -> HookTrigger {
            let facts = Change.SceneFacts(id: WindowID(1), role: role)
            return HookTrigger(
                change: Change(
                    kind: kind, application: "A", group: "a", subject: .scene(facts),
                    from: kind == .facts ? .background : nil, to: .background, cause: .open), time: .zero)
        }
        var hook = Hook.pair("slow")
        hook.condition.level = .scene
        hook.condition.criteria.role = [Pattern("brow*")]
        var timeline = EngineTimeline(hook)
        #expect(timeline.react(to: scene("popup", .opened)).isEmpty)
        #expect(timeline.react(to: scene("browser")) == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(timeline.react(to: scene(nil)) == ["leave slow A"])
    }

    @Test func aPairIsLeftWhenAPhaseChangeMovesItToAnotherDesktop() {
        var timeline = EngineTimeline(Self.onOne(.pair("slow", while: [.inactive, .background])))
        #expect(timeline.react(to: Self.application([1], .phase, from: .active)) == ["enter slow A"])
        _ = timeline.end("enter slow A")
        #expect(
            timeline.react(to: Self.application([2], .phase, from: .background, .inactive)) == [
                "leave slow A"
            ])
    }

    @Test func aDesktopThatDoesNotLastIsTooShortForAfter() {
        var timeline = EngineTimeline(
            Self.onOne(.pair("slow", after: 5)), Self.onOne(.run("sync", after: 5)))
        #expect(timeline.react(to: Self.application([1], .phase, from: .active)).isEmpty)
        #expect(
            timeline.react(to: Self.application([2])) == ["too early: enter slow A", "too early: run sync A"])
        #expect(timeline.react(to: Self.application([1])).isEmpty)
        #expect(timeline.wait(5) == ["enter slow A"])
    }

    @Test func aChangeOfTheDesktopAloneRunsNothing() {
        var timeline = EngineTimeline(Self.onOne(.run("sync")))
        #expect(timeline.react(to: Self.application([2], .phase, from: .active)).isEmpty)
        #expect(timeline.react(to: Self.application([1])).isEmpty)
        #expect(timeline.react(to: Self.application([1], .phase, from: .active)) == ["run sync A"])
    }

    @Test func anInitialApplicationIsEnteredOnlyAfterItCameFromAnotherDesktop() {
        var timeline = EngineTimeline(Self.onOne(.pair("slow")))
        #expect(timeline.react(to: Self.application([1], .initial)).isEmpty)
        #expect(timeline.react(to: Self.application([0, 1])).isEmpty)
        #expect(timeline.react(to: Self.application([0])).isEmpty)
        #expect(timeline.react(to: Self.application([1])) == ["enter slow A"])
    }

    @Test func aHookWithoutACriterionIgnoresDesktops() {
        var timeline = EngineTimeline(.pair("slow"), .run("sync"))
        #expect(timeline.react(to: Self.application([1])).isEmpty)
        #expect(
            timeline.react(to: Self.application([1], .phase, from: .active)) == [
                "run sync A", "enter slow A",
            ])
        _ = (timeline.end("run sync A"), timeline.end("enter slow A"))
        #expect(timeline.react(to: Self.application([2])).isEmpty)
    }
}
