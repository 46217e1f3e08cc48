import Loop
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks of scenes that have a title.
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
        var play = Play(Self.titled(.run("note", to: [.active])))
        #expect(play.take(Self.scene("stop", .opened)).isEmpty)
        #expect(play.take(Self.scene("play 1")) == ["run note A"])
        _ = play.end("run note A")
        #expect(play.take(Self.scene("play 2")).isEmpty)
        #expect(play.take(Self.scene("stop")).isEmpty)
        #expect(play.take(Self.scene("play 3")) == ["run note A"])
        _ = play.end("run note A")
        #expect(play.take(Self.scene("play 3", .phase, from: .active, .inactive)).isEmpty)
        #expect(play.take(Self.scene("play 4", .title, .inactive)).isEmpty)
        #expect(play.take(Self.scene("play 4", .phase, from: .inactive, .active)) == ["run note A"])
    }

    @Test func aPhaseThatWasLeftIsNoTitle() {
        var hook = Self.titled(.run("note", to: []))
        hook.condition.from = [.active]
        var play = Play(hook)
        _ = play.take(Self.scene("stop", .opened))
        #expect(play.take(Self.scene("play")).isEmpty)
        #expect(play.take(Self.scene("play", .phase, from: .active, .inactive)) == ["run note A"])
    }

    @Test func aPairLastsAsLongAsTheTitleMatches() {
        var play = Play(Self.titled(.pair("quiet", while: [.active, .inactive])))
        _ = play.take(Self.scene("stop", .opened))
        #expect(play.take(Self.scene("play 1")) == ["enter quiet A"])
        _ = play.end("enter quiet A")
        #expect(play.take(Self.scene("play 2")).isEmpty)
        #expect(play.take(Self.scene("play 2", .phase, from: .active, .inactive)).isEmpty)
        #expect(play.take(Self.scene("stop", .title, .inactive)) == ["leave quiet A"])
        _ = play.end("leave quiet A")
        #expect(play.take(Self.scene("play 3", .title, .inactive)) == ["enter quiet A"])
        _ = play.end("enter quiet A")
        #expect(play.take(Self.scene("play 3", .phase, from: .inactive, .background)) == ["leave quiet A"])
        _ = play.end("leave quiet A")
        // The phase is another one.
        #expect(play.take(Self.scene("stop", .title, .background)).isEmpty)
        #expect(play.take(Self.scene("play", .title, .background)).isEmpty)
        #expect(play.take(Self.scene("play", .phase, from: .background, .active)) == ["enter quiet A"])
        _ = play.end("enter quiet A")
        #expect(play.take(Self.scene("play", .closed, from: .active, nil)) == ["leave quiet A"])
        #expect(play.schedule.inside.isEmpty)
    }

    @Test func aTitleThatDoesNotLastIsTooShortForAfter() {
        var play = Play(Self.titled(.pair("quiet", while: [.active], after: 5)))
        _ = play.take(Self.scene("stop", .opened))
        #expect(play.take(Self.scene("play")).isEmpty)
        _ = play.wait(3)
        #expect(play.take(Self.scene("play 2")).isEmpty)
        #expect(play.take(Self.scene("stop")) == ["too early: enter quiet A"])
        #expect(play.take(Self.scene("play")).isEmpty)
        #expect(play.wait(5) == ["enter quiet A"])
    }

    @Test func aVetoHoldsUntilTheTitleMatchesAnew() {
        var play = Play(Self.titled(.pair("quiet", while: [.active], unless: true)))
        #expect(play.take(Self.scene("play", .opened)) == ["check quiet A"])
        #expect(play.end("check quiet A") == ["vetoed: enter quiet A"])
        #expect(play.take(Self.scene("play 2")).isEmpty)
        _ = play.take(Self.scene("stop"))
        #expect(play.take(Self.scene("play 3")) == ["check quiet A"])
    }

    @Test func whatMatchesWhileEnterRunsIsCollapsed() {
        var play = Play(Self.titled(.pair("quiet", while: [.active])))
        _ = play.take(Self.scene("play", .opened))
        #expect(play.take(Self.scene("stop"), Self.scene("play")).isEmpty)
        #expect(play.end("enter quiet A").isEmpty)
        #expect(play.take(Self.scene("stop")) == ["leave quiet A"])
    }

    @Test func whatIsThereIsNotEnteredByAnotherTitle() {
        var play = Play(Self.titled(.pair("quiet", while: [.active])))
        #expect(play.take(Self.scene("play", .initial)).isEmpty)
        #expect(play.take(Self.scene("play 2")).isEmpty)
        _ = play.take(Self.scene("stop"))
        #expect(play.take(Self.scene("play")) == ["enter quiet A"])
    }

    @Test func aHookWithoutATitleIsNotForTitles() {
        var hook = Hook.run("note", to: [])
        hook.condition.level = .scene
        var play = Play(hook)
        #expect(play.take(Self.scene("play")).isEmpty)
    }
}
