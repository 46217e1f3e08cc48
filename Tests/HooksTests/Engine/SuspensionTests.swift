import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes

/// Paused hooks, and those for another power supply.
@Suite struct SuspensionTests {
    @Test func aCheckIsStoppedAndAskedAgain() {
        var timeline = EngineTimeline(.pair("slow", unless: true))
        _ = timeline.go("A", .background)
        #expect(timeline.suspend("slow") == ["stop check slow A"])
        #expect(timeline.end("check slow A", .stopped).isEmpty)
        #expect(timeline.suspend() == ["check slow A"])
    }

    @Test func aSuspendedRunIsDroppedAndNotRunLater() {
        var timeline = EngineTimeline(.run("sync", after: 5))
        for isBefore in [true, false] {
            if isBefore { _ = timeline.go("A", .active, .background) }
            #expect(timeline.suspend("sync").isEmpty)
            if !isBefore { #expect(timeline.go("A", .active, .background).isEmpty) }
            #expect((timeline.wait(10) + timeline.suspend() + timeline.wait(10)).isEmpty)
        }
        #expect((timeline.go("A", .active, .background) + timeline.wait(4)).isEmpty)
        #expect(timeline.wait(1) == ["run sync A"])
    }

    @Test func aPausedHookWantsOnceWhatIsClosedToTheTrayAndOpenedAgain() {
        var timeline = EngineTimeline(.doing("ice", .freeze).closed).frozen
        #expect(timeline.suspend("ice").first == "thaw A")
        var closed = timeline.trigger("A", to: nil)
        closed.isSurvived = true
        #expect((timeline.handle(.changes([closed])) + timeline.go("A", .background)).isEmpty)
        #expect(timeline.suspend() == ["ask A: freeze"])
        _ = timeline.settle() + timeline.go("A", .active)
        #expect(timeline.isAsleep && !timeline.engine.history["ice"].contains { $0.kind == .dropped })
    }

    @Test(arguments: Power.allCases)
    func whatDependsOnThePowerSupplyWaitsUntilThatIsKnown(power: Power) {
        var hooks = [Hook.run("sync"), .pair("slow"), .run("always")]
        for index in 0...1 { hooks[index].power = .battery }
        var timeline = EngineTimeline(hooks[0], hooks[1], hooks[2])
        #expect(timeline.go("A", .active, .background) == ["run always A"])
        let waiting = "waiting: the power supply is not known yet"
        #expect(timeline.status.count { $0 == waiting } == 2)
        let begun = ["run sync A", "enter slow A"]
        #expect(timeline.handle(.power(power)) == (power == .battery ? begun : []))
        // A run is not made up for.
        #expect(timeline.handle(.power(.battery)) == (power == .battery ? [] : ["enter slow A"]))
    }

    // MARK: The pauses of the user

    @Test func aPauseIsForAllHooksOrForSomeAndExpiresAtItsOwnTime() {
        var pauses = Pauses()
        #expect(pauses["a"] == nil && pauses.next == nil)
        pauses.pause([], until: nil)
        #expect(pauses["a"] != nil && pauses["b"] != nil && pauses.next == nil)
        pauses.resume(["a"])
        #expect(pauses["a"] == nil && pauses["b"] != nil)
        pauses.resume([])
        #expect(pauses["b"] == nil)
        pauses.pause([], until: .seconds(20))
        pauses.pause(["a"], until: .seconds(10))
        pauses.resume(["c"])
        #expect(pauses["a"]?.end == .seconds(10) && pauses.next == .seconds(10))
        #expect(pauses.expire(at: .seconds(9)).isEmpty && pauses.expire(at: .seconds(10)) == ["'a'"])
        // The pause of the other hooks continues.
        #expect(pauses["a"] == nil && pauses["b"] != nil && pauses.next == .seconds(20))
        // An exception ends with the pause of all.
        #expect(pauses.expire(at: .seconds(20)) == ["all hooks"] && pauses == Pauses())
    }
}
