import Testing

@testable import Hooks

/// What is not done as long as something is so that the pair excepts.
@Suite struct ExemptionTests {
    private static func hook(after: Int = 0, unless: Bool = false, _ except: Set<Exemption>? = nil) -> Hook {
        var hook = Hook.pair("sleep", after: after, unless: unless)
        hook.reaction = .pair(Hook.Pair(phases: [.background], builtIns: [.freeze], except: except))
        return hook
    }

    @Test func itIsAskedFirstAndAgainAndToldOnce() {
        var play = Play(Self.hook())
        #expect(play.go("Chat", .active, .background) == ["check sleep Chat"])
        #expect(
            play.end("check sleep Chat", .excepted("it plays")) == ["excepted by it plays: enter sleep Chat"])
        #expect(play.wait(9).isEmpty)
        #expect(play.wait(1) == ["check sleep Chat"])
        #expect(play.end("check sleep Chat", .excepted("it plays")).isEmpty)
        #expect(play.wait(10) == ["check sleep Chat"])
        #expect(play.end("check sleep Chat", .excepted("other")) == ["excepted by other: enter sleep Chat"])
        #expect(play.wait(10) == ["check sleep Chat"])
        #expect(play.end("check sleep Chat", .exited(1)) == ["enter sleep Chat"])
    }

    @Test func itIsAskedAgainNoSoonerThanAtFirst() {
        var play = Play(Self.hook(after: 30))
        _ = play.go("Chat", .active, .background)
        #expect(play.wait(30) == ["check sleep Chat"])
        #expect(play.end("check sleep Chat", .excepted("it plays")).count == 1)
        #expect(play.wait(29).isEmpty)
        #expect(play.wait(1) == ["check sleep Chat"])
    }

    @Test func nothingIsAskedOfWhatHasLeft() {
        var play = Play(Self.hook())
        _ = play.go("Chat", .active, .background)
        _ = play.end("check sleep Chat", .excepted("it plays"))
        #expect(play.go("Chat", .active).isEmpty)
        #expect(play.wait(60).isEmpty)
        #expect(play.schedule.next == nil && play.schedule.debts.isEmpty)
    }

    /// It has come about between the question and the freeze.
    @Test func whatIsExceptedAtTheLastMomentIsAskedAgain() {
        var play = Play(Self.hook())
        _ = play.go("Chat", .active, .background)
        #expect(play.end("check sleep Chat", .exited(1)) == ["enter sleep Chat"])
        #expect(
            play.end("enter sleep Chat", .excepted("a menu")) == ["excepted by a menu: enter sleep Chat"])
        #expect(play.schedule.debts.isEmpty && play.wait(9).isEmpty)
        #expect(play.wait(1) == ["check sleep Chat"])
    }

    @Test func freezeExceptsSoundAndSelectionsUnlessSomethingElseIsSaid() {
        #expect(Self.hook().except == [.audio, .selection])
        // It may have a menu open all the same.
        #expect(Self.hook([]).except.isEmpty && Self.hook([]).isChecked)
        #expect(Self.hook([.fullscreen]).except == [.fullscreen])
        #expect(Hook.Pair(phases: [.background], builtIns: [.mute, .slow]).except.isEmpty)
    }
}
