import Testing

@testable import Scenes

@Suite struct SettleOptionTests {
    @Test func withoutSettlingEveryStepIsReportedAsItIsRead() {
        var timeline = Timeline("a", "b", focus: "a", settle: 0)
        #expect(timeline.focus(nil) == ["a active→inactive blur"])
        #expect(timeline.iconify("a") == ["a inactive→background iconify"])
        #expect(timeline.focus("b") == ["b inactive→active focus"])
        #expect(timeline.unmap("b") == ["b active→background unmap"])
        #expect(timeline.map("b") == ["b background→active map"])
        #expect(timeline.open("c") == ["c opened inactive open"])
        #expect(timeline.focus("c") == ["b active→inactive blur", "c inactive→active focus"])
        #expect(timeline.withdraw("c") == ["c closed active close"])
        #expect(timeline.wake == nil)
    }

    @Test func withoutSettlingNothingIsFrozen() {
        var timeline = Timeline("a", focus: "a", settle: 0)
        let lines = timeline.killManager()
        #expect(lines.contains("a active→inactive window-manager"))
        #expect(lines.first == "notice: openbox went away")
        #expect(timeline.focus(nil) == [])
        #expect(timeline.iconify("a") == ["a closed inactive close"])
        #expect(timeline.wake == nil)
    }

    @Test(arguments: [40, 250, 2_000])
    func aSettleOfItsOwnIsForEverythingButTheMoveOfTheFocus(settle: Int) {
        var timeline = Timeline("a", "b", focus: "a", settle: settle)
        timeline.focus("b")
        #expect(timeline.exactly(20) == ["a active→inactive blur", "b inactive→active focus"])
        timeline.iconify("b")
        #expect(timeline.exactly(settle) == ["b active→background iconify"])
        timeline.focus("a")
        #expect(timeline.exactly(settle) == ["a inactive→active focus"])
    }

    /// A program that uses the library may pass any duration.
    @Test(arguments: [
        Duration.seconds(Int64.max), .seconds(Int64.min), .zero - .nanoseconds(1),
        .seconds(3600 * 24 * 366 * 300),
    ])
    func noTimeIsTooLong(time: Duration) {
        let delays = Delays(settle: time, occlusion: time)
        let eightyYears: Int64 = 80 * 366 * 86_400 * 1_000_000_000
        for delay in [delays.settle, delays.latest, delays.lock, delays.cover ?? 0] {
            #expect(delay >= 0 && !delay.addingReportingOverflow(eightyYears).overflow)
        }
    }

    @Test(arguments: PhasePolicy.allCases)
    func aSceneComesAndGoesByWayOfInactive(_ policy: PhasePolicy) {
        var timeline = Timeline("a", focus: "a", policy: policy, isStepwise: true)
        timeline.wait(900)
        timeline.edit("a") { $0.iconify() }
        #expect(timeline.wait(100) == ["a active→inactive iconify", "a inactive→background iconify"])
        #expect(timeline.changes(.scene).suffix(2).map(\.held) == [.seconds(1), .zero])
        timeline.edit("a") { $0.deiconify() }
        #expect(timeline.wait(100) == ["a background→inactive deiconify", "a inactive→active deiconify"])
        #expect(timeline.changes(.scene).suffix(2).map(\.held) == [.milliseconds(100), .zero])
    }

    @Test func anApplicationThatEndsPassesThroughInactiveAsWell() {
        var timeline = Timeline("a", focus: "a", levels: [.application], isStepwise: true)
        #expect(
            timeline.destroy("a") == [
                "app A active→inactive close", "app A inactive→background close",
                "app A closed background close",
            ])
    }

    @Test func otherChangesHaveNoFurtherSteps() {
        var timeline = Timeline("a", "b", focus: "a", isStepwise: true)
        #expect(timeline.started == ["a initial active start", "b initial inactive start"])
        timeline.focus("b")
        #expect(timeline.wait(20) == ["a active→inactive blur", "b inactive→active focus"])
        timeline.iconify("a")
        #expect(timeline.wait(100) == ["a inactive→background iconify"])
        timeline.open("c", focus: true)
        #expect(timeline.wait(100) == ["b active→inactive blur", "c opened active open"])
    }
}
