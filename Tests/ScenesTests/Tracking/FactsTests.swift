import Testing

@testable import Scenes

/// The facts in lines besides the phases.
@Suite struct FactsTests {
    @Test func anApplicationCountsItsScenesAndNamesItsProcessesAndGroups() {
        var timeline = Timeline("e.1", "e.2", "e/find", "b", focus: "e.1")
        timeline.edit("e.1") { $0.pid = 30 }
        timeline.edit("e.2") { $0.pid = 4 }
        timeline.edit("e/find") { $0.pid = 30 }
        timeline.iconify("e.2")
        timeline.wait(100)
        timeline.focus("b")
        timeline.wait(100)
        #expect(
            timeline.changes(.application).first { $0.cause == .blur }?.members
                == Change.Members(
                    counts: Change.Counts(inactive: 2, background: 1), pids: [4, 30], groups: ["e", "find"],
                    desktops: [0]))
    }

    @Test func aGroupThatIsClosedNamesItsOwnProcessesOnly() {
        var timeline = Timeline("e", "e/find", focus: "e")
        timeline.edit("e") { $0.pid = 30 }
        timeline.edit("e/find") { $0.pid = 31 }
        timeline.destroy("e/find")
        #expect(
            timeline.changes(.group).last?.members
                == Change.Members(counts: Change.Counts(), pids: [31], groups: ["find"], desktops: [0]))
    }

    @Test func applicationsThatCloseTogetherNameTheirOwnProcessesAndGroupsOnly() {
        var timeline = Timeline("e", "f")
        timeline.edit("e") { $0.pid = 30 }
        timeline.edit("f") { $0.pid = 31 }
        timeline.destroy("e", "f")
        let closed = timeline.changes(.application).suffix(4).map(\.members)
        let members = [("e", Int32(30)), ("f", 31)].map { name, pid in
            Change.Members(counts: Change.Counts(), pids: [pid], groups: [name], desktops: [0])
        }
        #expect(closed == [members[0], members[0], members[1], members[1]])
    }

    @Test func anApplicationNamesTheGroupThatLeftIt() {
        var timeline = Timeline("e", "e/find", focus: "e")
        timeline.destroy("e")
        timeline.wait(100)
        #expect(
            timeline.changes(.application).last?.members
                == Change.Members(
                    counts: Change.Counts(inactive: 1), pids: [], groups: ["e", "find"], desktops: [0]))
    }

    @Test func aSceneHasItsLatestTitleThoughTitlesAloneAreNotReported() {
        var timeline = Timeline("a", focus: "a")
        #expect(timeline.edit("a") { $0.title = "Inbox" } == [])
        #expect(timeline.wait(1_000) == [])
        timeline.edit("a") { $0.desktop = WindowFacts.allDesktops }
        timeline.focus(nil)
        timeline.wait(100)
        #expect(
            timeline.changes(.scene).last?.scene
                == Change.SceneFacts(id: timeline.names.id("a"), title: "Inbox", desktop: -1))
    }

    @Test func aNewDesktopMakesNoLineButUpdatesTheFactsOfAllThreeLevels() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1")
        #expect(timeline.edit("e.1") { $0.title = "Inbox" } == [] && timeline.refreshed.isEmpty)
        #expect(timeline.edit("e.2") { $0.desktop = WindowFacts.allDesktops } == [])
        #expect(timeline.refreshed.isEmpty && timeline.wait(100) == [])
        let changes = timeline.refreshed
        #expect(changes.map(\.level) == [.scene, .group, .application])
        #expect(changes.map(\.from) == [.inactive, .active, .active])
        #expect(changes.allSatisfy { $0.kind == .facts && $0.from == $0.to && $0.cause == .desktop })
        #expect(changes.map(\.application) == ["E", "E", "E"] && changes.map(\.group) == ["e", "e", nil])
        #expect(changes.first?.scene?.id == timeline.names.id("e.2"))
        #expect(changes.first?.scene?.desktop == -1 && changes.last?.members?.desktops == [-1, 0])
        timeline.destroy("e.2")
        #expect(timeline.refreshed.isEmpty)
    }

    /// Between two maximized windows, window managers set and remove states for a moment.
    @Test func aFactThatHoldsForLessThanTheSettleTimeIsNotReported() {
        var timeline = Timeline("a", "b", focus: "a")
        timeline.edit("b") { $0.states.insert(.fullscreen) }
        timeline.wait(60)
        timeline.edit("b") { $0.states.remove(.fullscreen) }
        timeline.focus("b")
        timeline.wait(2_000)
        #expect(timeline.changes(.scene).compactMap(\.scene?.extent).allSatisfy { $0 == .window })
        #expect(timeline.refreshed.isEmpty && timeline.wake == nil)
    }

    /// Places are read once somebody asks for them.
    @Test func aMonitorThatBecomesKnownIsReportedAtOnce() {
        var timeline = Timeline("a", focus: "a")
        timeline.edit("a") { $0.text.monitor = "left" }
        #expect(timeline.refreshed.first?.scene?.monitor == "left")
        timeline.edit("a") { $0.text.monitor = "right" }
        #expect(timeline.refreshed.isEmpty)
        timeline.wait(100)
        #expect(timeline.refreshed.first?.scene?.monitor == "right")
    }

    @Test func aFactThatNeverHoldsIsReportedEveryHalfSecond() {
        var timeline = Timeline("a", focus: "a")
        var reported = 0
        for step in 0..<60 {
            timeline.edit("a") { $0.role = "\(step)" }
            timeline.wait(50)
            reported += timeline.refreshed.isEmpty ? 0 : 1
        }
        #expect((4...6).contains(reported))
    }

    /// The program writes the new role a moment after it has unmapped the window.
    @Test func aLineHasTheFactsThatSettleWithIt() {
        var timeline = Timeline("a", focus: "a")
        timeline.edit("a") { $0.mapState = .unmapped }
        timeline.wait(8)
        timeline.edit("a") { $0.role = "editor" }
        timeline.wait(200)
        #expect(timeline.changes(.scene).last?.to == .background)
        #expect(timeline.changes(.scene).last?.scene?.role == "editor")
    }

    @Test(arguments: ["process", "pid", "role", "desktop", "desktop name", "monitor", "extent"])
    func eachFactIsReportedByItself(_ name: String) {
        var timeline = Timeline("a", focus: "a")
        timeline.edit("a") {
            switch name {
            case "process": $0.executable = "vim"
            case "pid": $0.pid = 7
            case "role": $0.role = "editor"
            case "desktop": $0.desktop = 3
            case "desktop name": $0.text.desktopName = "mail"
            case "monitor": $0.text.monitor = "left"
            default: $0.states = .fullscreen
            }
        }
        timeline.wait(100)
        #expect(timeline.refreshed.map(\.level) == [.scene, .group, .application])
    }

    @Test(arguments: ["title", "pid", "process"])
    func aFactThatNeedNotSettleDoesNotDelayTheOthers(_ name: String) {
        var timeline = Timeline("a", focus: "a")
        timeline.edit("a") { $0.desktop = 3 }
        timeline.wait(60)
        timeline.edit("a") {
            switch name {
            case "title": $0.title = "new"
            case "pid": $0.pid = 7
            default: $0.executable = "vim"
            }
        }
        timeline.wait(39)
        #expect(timeline.refreshed.first?.scene?.desktop != 3)
        timeline.wait(1)
        #expect(timeline.refreshed.first?.scene?.desktop == 3)
    }

    @Test func heldIsTheTimeSpentInTheOldPhaseOnEachLevel() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1", levels: Set(Change.Level.allCases))
        timeline.wait(4_980)
        timeline.focus("e.2")
        timeline.wait(20)
        #expect(timeline.changes(.scene).suffix(2).map(\.held) == [.seconds(5), .seconds(5)])
        timeline.wait(2_900)
        timeline.focus(nil)
        timeline.wait(100)
        #expect(timeline.changes(.scene).last?.held == .seconds(3))
        #expect(timeline.changes(.group).last?.held == .seconds(8))
        #expect(timeline.changes(.application).last?.held == .seconds(8))
    }

    @Test func anApplicationIsOnTheDesktopsOfItsScenesAndHasTheirPrograms() {
        var timeline = Timeline("e.1", "e.2", focus: "e.1")
        timeline.edit("e.1") { ($0.executable, $0.desktop) = ("emacs", 2) }
        timeline.edit("e.2") { ($0.executable, $0.desktop) = ("vim", WindowFacts.allDesktops) }
        timeline.focus(nil)
        timeline.wait(100)
        func reported() -> Change.Members? { timeline.changes(.application).last?.members }
        #expect(reported()?.desktops == [-1, 2] && reported()?.processes == ["emacs", "vim"])
        timeline.destroy("e.1")
        timeline.destroy("e.2")
        timeline.wait(500)
        #expect(timeline.changes(.application).last?.kind == .closed)
        #expect(reported()?.desktops == [-1] && reported()?.processes == ["vim"])
    }
}
