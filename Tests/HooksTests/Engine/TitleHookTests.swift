import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks with a condition on the titles of scenes.
@Suite struct TitleHookTests {
    private static func titled(_ hook: Hook) -> Hook {
        var hook = hook
        hook.condition.level = .scene
        hook.condition.criteria.title = [Pattern("*play*")]
        return hook
    }

    private static func scene(
        _ title: String, _ kind: Change.Kind = .title, from: ScenePhase? = nil, _ to: ScenePhase? = .active
    ) -> HookTrigger {
        HookTrigger(
            change: Change(
                kind: kind, application: "A", group: "a",
                subject: .scene(Change.SceneFacts(id: WindowID(1), title: title)),
                from: kind == .title ? to : from,
                to: to, cause: kind == .title ? .title : .focus), time: .zero)
    }

    @Test func aRunBeginsWhenTheTitleBeginsToMatch() {
        var timeline = EngineTimeline(Self.titled(.run("note", to: [.active])))
        #expect(timeline.react(to: Self.scene("stop", .opened)).isEmpty)
        #expect(timeline.react(to: Self.scene("play 1")) == ["run note A"])
        _ = timeline.end("run note A")
        #expect(timeline.react(to: Self.scene("play 2")).isEmpty)
        #expect(timeline.react(to: Self.scene("stop")).isEmpty)
        #expect(timeline.react(to: Self.scene("play 3")) == ["run note A"])
        _ = timeline.end("run note A")
        #expect(timeline.react(to: Self.scene("play 3", .phase, from: .active, .inactive)).isEmpty)
        #expect(timeline.react(to: Self.scene("play 4", .title, .inactive)).isEmpty)
        #expect(timeline.react(to: Self.scene("play 4", .phase, from: .inactive, .active)) == ["run note A"])
    }

    @Test func aHookForAPhaseThatIsLeftIgnoresTitleChanges() {
        var hook = Self.titled(.run("note", to: []))
        hook.condition.from = [.active]
        var timeline = EngineTimeline(hook)
        _ = timeline.react(to: Self.scene("stop", .opened))
        #expect(timeline.react(to: Self.scene("play")).isEmpty)
        #expect(timeline.react(to: Self.scene("play", .phase, from: .active, .inactive)) == ["run note A"])
    }

    @Test func aPairLastsAsLongAsTheTitleMatches() {
        var timeline = EngineTimeline(Self.titled(.pair("quiet", while: [.active, .inactive])))
        _ = timeline.react(to: Self.scene("stop", .opened))
        #expect(timeline.react(to: Self.scene("play 1")) == ["enter quiet A"])
        _ = timeline.end("enter quiet A")
        #expect(timeline.react(to: Self.scene("play 2")).isEmpty)
        #expect(timeline.react(to: Self.scene("play 2", .phase, from: .active, .inactive)).isEmpty)
        #expect(timeline.react(to: Self.scene("stop", .title, .inactive)) == ["leave quiet A"])
        _ = timeline.end("leave quiet A")
        #expect(timeline.react(to: Self.scene("play 3", .title, .inactive)) == ["enter quiet A"])
        _ = timeline.end("enter quiet A")
        #expect(
            timeline.react(to: Self.scene("play 3", .phase, from: .inactive, .background)) == [
                "leave quiet A"
            ])
        _ = timeline.end("leave quiet A")
        // The hook is not for this phase.
        #expect(timeline.react(to: Self.scene("stop", .title, .background)).isEmpty)
        #expect(timeline.react(to: Self.scene("play", .title, .background)).isEmpty)
        #expect(
            timeline.react(to: Self.scene("play", .phase, from: .background, .active)) == ["enter quiet A"])
        _ = timeline.end("enter quiet A")
        #expect(timeline.react(to: Self.scene("play", .closed, from: .active, nil)) == ["leave quiet A"])
        #expect(timeline.end("leave quiet A").isEmpty)
        #expect(timeline.engine.commands.isEmpty)
    }

    @Test func aVetoHoldsUntilTheTitleMatchesAnew() {
        var timeline = EngineTimeline(Self.titled(.pair("quiet", while: [.active], unless: true)))
        #expect(timeline.react(to: Self.scene("play", .opened)) == ["check quiet A"])
        #expect(timeline.end("check quiet A") == ["vetoed: enter quiet A"])
        #expect(timeline.react(to: Self.scene("play 2")).isEmpty)
        _ = timeline.react(to: Self.scene("stop"))
        #expect(timeline.react(to: Self.scene("play 3")) == ["check quiet A"])
    }

    @Test func whatMatchesWhileEnterRunsIsCollapsed() {
        var timeline = EngineTimeline(Self.titled(.pair("quiet", while: [.active])))
        _ = timeline.react(to: Self.scene("play", .opened))
        #expect(timeline.react(to: Self.scene("stop"), Self.scene("play")).isEmpty)
        #expect(timeline.end("enter quiet A").isEmpty)
        #expect(timeline.react(to: Self.scene("stop")) == ["leave quiet A"])
    }

    @Test func aHookWithoutATitleIgnoresTitleChanges() {
        var hook = Hook.run("note", to: [])
        hook.condition.level = .scene
        var timeline = EngineTimeline(hook)
        #expect(timeline.react(to: Self.scene("play")).isEmpty)
    }
}
