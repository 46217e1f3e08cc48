import Testing

@testable import Scenes

@Suite struct BatchOrderTests {
    @Test func allThatIsThereIsReportedAtOnceAndAnApplicationOnceAfterItsScenes() {
        let timeline = Timeline(
            "e.1", "b", "e.2", "e/find", focus: "e.2", levels: Set(Change.Level.allCases))
        #expect(
            timeline.started == [
                "e.1 initial inactive start", "e.2 initial active start", "group e initial active start",
                "e/find initial inactive start", "group find initial inactive start",
                "app E initial active start",
                "b initial inactive start", "group b initial inactive start", "app B initial inactive start",
            ])
        #expect(timeline.wake == nil)
    }

    @Test func firstWhatFallsThenWhatRisesAndPerChangeSceneGroupApplication() {
        // The rising scene has the lower id, so the order is not that of the ids.
        var timeline = Timeline("a", "z", focus: "z", levels: Set(Change.Level.allCases))
        timeline.focus("a")
        #expect(
            timeline.wait(20) == [
                "z active→inactive blur", "group z active→inactive blur", "app Z active→inactive blur",
                "a inactive→active focus", "group a inactive→active focus", "app A inactive→active focus",
            ])
    }

    @Test func theScenesOfAGroupComeBeforeItAndItsGroupsBeforeTheApplication() {
        var timeline = Timeline(
            "e.1", "e/find", "e.2", focus: "e.1", levels: Set(Change.Level.allCases), policy: .visible)
        timeline.edit("e.1") { $0.desktop = 1 }
        timeline.edit("e.2") { $0.desktop = 1 }
        timeline.edit("e/find") { $0.desktop = 1 }
        timeline.goToDesktop(0)
        #expect(
            timeline.wait(100) == [
                "e.1 active→background desktop", "e.2 active→background desktop",
                "group e active→background desktop",
                "e/find active→background desktop", "group find active→background desktop",
                "app E active→background desktop",
            ])
    }

    @Test func closingScenesFallAndOpeningOnesRise() {
        var timeline = Timeline("a", "z", focus: "a", levels: [.scene, .application])
        timeline.withdraw("z")
        timeline.open("b", focus: true)
        #expect(
            timeline.wait(100) == [
                "a active→inactive blur", "app A active→inactive blur",
                "z closed inactive close", "app Z inactive→background close",
                "app Z closed background close",
                "b opened active open", "app B opened active open",
            ])
    }

    @Test func anApplicationOfWhichAnotherSceneRisesFallsOnceAndBefore() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", levels: Set(Change.Level.allCases)) {
            $0.arrangeIconic("e.2")
        }
        timeline.iconify("e.1")
        timeline.deiconify("e.2")
        #expect(
            timeline.exactly(100) == [
                "e.1 active→background iconify", "group e active→inactive iconify",
                "app E active→inactive iconify", "e.2 background→inactive deiconify",
            ])
        timeline.iconify("e.2")
        timeline.deiconify("e.1", focus: true)
        #expect(
            timeline.exactly(100) == [
                "e.2 inactive→background iconify", "e.1 background→active deiconify",
                "group e inactive→active deiconify", "app E inactive→active deiconify",
            ])
    }

    @Test func theCauseOfAnApplicationIsThatOfTheSceneThatDecided() {
        for (decisive, other) in [("e.1", "e.2"), ("e.2", "e.1")] {
            var timeline = Timeline("e.1", "e.2", focus: decisive, levels: [.application])
            timeline.unmap(other)
            timeline.iconify(decisive)
            #expect(timeline.wait(100) == ["app E active→background iconify"])
            timeline.map(other)
            timeline.deiconify(decisive, focus: true)
            #expect(timeline.wait(100) == ["app E background→active deiconify"])
        }
    }
}

/// Pending changes of many windows at once.
@Suite struct ManyPendingTests {
    @Test func nothingIsBelievedEarlyBecauseASceneMovesFromOneApplicationToAnother() {
        var timeline = Timeline(arrange: { timeline in
            for number in 0..<40 {
                for name in ["p\(number)", "q\(number)", "p\(number).moves"] {
                    let window = timeline.names.create(name)
                    timeline.arrange { $0.add(window) }
                }
            }
        })
        #expect(timeline.started.count == 120)
        let names = timeline.names
        let early = timeline.change { desktop in
            for number in 0..<40 {
                desktop.edit(names["p\(number)"]) { $0.iconify() }
                desktop.edit(names["q\(number)"]) { $0.iconify() }
                desktop.edit(names["p\(number).moves"]) { $0.className = "Q\(number)" }
            }
        }
        #expect(early == [])
        #expect(timeline.exactly(100).count == 160)
    }

    @Test func thousandsOfWindowsAreOneBatch() {
        var timeline = Timeline()
        let windows = (0..<2_000).map { timeline.names.create("w\($0 % 50).\($0)") }
        timeline.change { desktop in
            for window in windows { desktop.add(window) }
        }
        #expect(timeline.exactly(100).count == 2_000)
        #expect(timeline.changes(.application).count == 50)
        timeline.change { for xid in $0.windows.windows.map(\.id.xid) { $0.windows[xid] = nil } }
        #expect(timeline.changes(.scene).count == 4_000)
        #expect(timeline.changes(.application).suffix(2).map(\.to) == [.background, nil])
    }
}
