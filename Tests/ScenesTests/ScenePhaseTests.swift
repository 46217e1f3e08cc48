import Foundation
import Testing

@testable import Scenes

@Suite struct ScenePhaseTests {
    @Test func backgroundIsLessThanInactiveAndThatLessThanActive() {
        #expect(ScenePhase.background < .inactive)
        #expect(ScenePhase.inactive < .active)
        #expect(ScenePhase.background < .active)
        #expect(ScenePhase.allCases.shuffled().sorted() == [.background, .inactive, .active])
    }

    @Test(arguments: [(ScenePhase.background, "background"), (.inactive, "inactive"), (.active, "active")])
    func isCodedAsItsLowerCaseName(_ phase: ScenePhase, name: String) throws {
        #expect(phase.rawValue == name)
        #expect(String(decoding: try JSONEncoder().encode([phase]), as: UTF8.self) == "[\"\(name)\"]")
        #expect(try JSONDecoder().decode([ScenePhase].self, from: Data("[\"\(name)\"]".utf8)) == [phase])
    }
}
