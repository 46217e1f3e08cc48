import Testing

@testable import Scenes

@Suite struct ScenePhaseTests {
    @Test func backgroundIsLessThanInactiveAndThatLessThanActive() {
        #expect(ScenePhase.allCases.shuffled().sorted() == [.background, .inactive, .active])
    }

    @Test func theWordsAreThoseOfTheContract() {
        #expect(ScenePhase.allCases.map(\.rawValue) == ["background", "inactive", "active"])
    }
}
