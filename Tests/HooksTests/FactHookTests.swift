import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Hooks that a desktop or a process chooses for.
@Suite struct FactHookTests {
    private static func onOne(_ hook: Hook) -> Hook {
        var hook = hook
        hook.condition.criteria.desktop = [1]
        return hook
    }

    /// An application on some desktops; kept in its phase if only that is given.
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

    @Test func aPairIsLeftWithItsDesktopAndEnteredWithIt() {
        var play = Play(Self.onOne(.pair("slow")))
        #expect(play.take(Self.application([0, 1], .phase, from: .active)) == ["enter slow A"])
        _ = play.end("enter slow A")
        #expect(play.take(Self.application([1, 2])).isEmpty)
        #expect(play.take(Self.application([2])) == ["leave slow A"])
        _ = play.end("leave slow A")
        #expect(play.take(Self.application([3])).isEmpty)
        #expect(play.take(Self.application([-1])) == ["enter slow A"])
        _ = play.end("enter slow A")
        #expect(play.take(Self.application([-1], .phase, from: .background, .active)) == ["leave slow A"])
        _ = play.end("leave slow A")
        // The phase is another one.
        #expect(
            play.take(Self.application([0], .facts, .active), Self.application([1], .facts, .active)).isEmpty)
    }

    @Test func aPairIsLeftWhereAPhaseIsOfAnotherDesktop() {
        var play = Play(Self.onOne(.pair("slow", while: [.inactive, .background])))
        #expect(play.take(Self.application([1], .phase, from: .active)) == ["enter slow A"])
        _ = play.end("enter slow A")
        #expect(play.take(Self.application([2], .phase, from: .background, .inactive)) == ["leave slow A"])
    }

    @Test func aDesktopThatDoesNotLastIsTooShortForAfter() {
        var play = Play(Self.onOne(.pair("slow", after: 5)), Self.onOne(.run("sync", after: 5)))
        #expect(play.take(Self.application([1], .phase, from: .active)).isEmpty)
        #expect(play.take(Self.application([2])) == ["too early: enter slow A", "too early: run sync A"])
        #expect(play.take(Self.application([1])).isEmpty)
        #expect(play.wait(5) == ["enter slow A"])
    }

    @Test func aDesktopMakesNoRun() {
        var play = Play(Self.onOne(.run("sync")))
        #expect(play.take(Self.application([2], .phase, from: .active)).isEmpty)
        #expect(play.take(Self.application([1])).isEmpty)
        #expect(play.take(Self.application([1], .phase, from: .active)) == ["run sync A"])
    }

    @Test func whatIsThereIsNotEnteredBeforeItComesFromAnotherDesktop() {
        var play = Play(Self.onOne(.pair("slow")))
        #expect(play.take(Self.application([1], .initial)).isEmpty)
        #expect(play.take(Self.application([0, 1])).isEmpty)
        #expect(play.take(Self.application([0])).isEmpty)
        #expect(play.take(Self.application([1])) == ["enter slow A"])
    }

    @Test func aHookWithoutAnyIsNotForThem() {
        var play = Play(.pair("slow"), .run("sync"))
        #expect(play.take(Self.application([1])).isEmpty)
        #expect(play.take(Self.application([1], .phase, from: .active)) == ["run sync A", "enter slow A"])
        _ = (play.end("run sync A"), play.end("enter slow A"))
        #expect(play.take(Self.application([2])).isEmpty)
    }
}
