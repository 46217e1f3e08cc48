import Testing

@testable import Scenes

@Suite struct StartTests {
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
}

extension Timeline {
    mutating func arrangeIconic(_ name: String) {
        let xid = names[name]
        arrange { $0.edit(xid) { $0.iconify() } }
    }
}
