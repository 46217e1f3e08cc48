import Testing

@testable import Scenes

@Suite struct RegroupTests {
    @Test func aNewClassClosesTheSceneUnderTheOldNamesAndOpensItUnderTheNew() {
        var timeline = Timeline("a", "b", focus: "a", levels: Set(Change.Level.allCases))
        #expect(timeline.edit("a") { $0.rename("New", "new") } == [])
        #expect(
            timeline.exactly(100) == [
                "a closed active regroup", "group a closed active regroup", "app A closed active regroup",
                "a opened active regroup", "group new opened active regroup",
                "app New opened active regroup",
            ])
        #expect(timeline.changes(.scene).suffix(2).map(\.application) == ["A", "New"])
        #expect(timeline.changes(.scene).suffix(2).map(\.group) == ["a", "new"])
    }

    @Test(arguments: [false, true])
    func theOldApplicationDoesNotPassThroughTheBackground(isStepwise: Bool) {
        var timeline = Timeline("a", focus: "a", levels: [.application], isStepwise: isStepwise)
        timeline.edit("a") { $0.rename("New", "a") }
        #expect(timeline.wait(100) == ["app A closed active regroup", "app New opened active regroup"])
    }

    @Test func anotherInstanceNameIsNoChangeOfTheApplication() {
        var timeline = Timeline("a", focus: "a", levels: Set(Change.Level.allCases))
        timeline.edit("a") { $0.rename("A", "other") }
        #expect(
            timeline.wait(100) == [
                "a closed active regroup", "group a closed active regroup",
                "a opened active regroup", "group other opened active regroup",
            ])
    }

    @Test func anApplicationThatGoesOnIsNotClosedAndOneThatIsThereDoesNotOpen() {
        var timeline = Timeline("e.1", "e.2", "b", focus: "e.1", levels: [.application])
        timeline.edit("e.1") { $0.rename("B", "b") }
        #expect(timeline.wait(100) == ["app E active→inactive regroup", "app B inactive→active regroup"])
    }

    @Test func aHiddenSceneOpensUnderTheNewNamesInTheBackground() {
        var timeline = Timeline("a", levels: [.scene, .application], arrange: { $0.arrangeIconic("a") })
        timeline.edit("a") { $0.rename("New", "new") }
        #expect(
            timeline.wait(100) == [
                "a closed background regroup", "app A closed background regroup",
                "a opened background regroup", "app New opened background regroup",
            ])
    }

    @Test func aNewClassTogetherWithANewPhaseIsStillARegroup() {
        var timeline = Timeline("a", "b", focus: "a", levels: [.scene, .application])
        timeline.edit("a") { $0.rename("New", "new") }
        timeline.wait(10)
        timeline.focus("b")
        #expect(
            timeline.wait(100) == [
                "a closed active regroup", "app A closed active regroup",
                "b inactive→active focus", "app B inactive→active focus",
                "a opened inactive regroup", "app New opened inactive regroup",
            ])
    }

    @Test func aWindowThatGetsItsClassAtOnceOpensUnderIt() {
        var timeline = Timeline(levels: [.application])
        timeline.open("a")
        timeline.edit("a") { $0.rename(nil, nil) }
        timeline.wait(7)
        timeline.edit("a") { $0.rename("A", "a") }
        #expect(timeline.wait(1_000) == ["app A opened inactive open"])
    }

    @Test func theSceneGoesOnUnderItsNewNames() {
        var timeline = Timeline("a", focus: "a", levels: [.application])
        timeline.edit("a") { $0.rename("New", "new") }
        timeline.wait(100)
        #expect(
            timeline.destroy("a") == ["app New active→background close", "app New closed background close"])
    }
}

extension SeenWindow {
    fileprivate mutating func rename(_ application: String?, _ group: String?) {
        self.className = application
        self.instanceName = group
    }
}
