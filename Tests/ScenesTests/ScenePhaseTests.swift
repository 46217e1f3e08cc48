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

    @Test(arguments: ScenePhase.allCases)
    func noPhaseIsLessThanItself(_ phase: ScenePhase) {
        #expect(!(phase < phase))
        #expect(phase <= phase)
    }

    @Test func thePhaseOfManyIsTheirGreatest() {
        #expect([ScenePhase.inactive, .active, .background].max() == .active)
        #expect([ScenePhase.inactive, .background].max() == .inactive)
        #expect([ScenePhase.background, .background].max() == .background)
    }

    @Test(arguments: [(ScenePhase.background, "background"), (.inactive, "inactive"), (.active, "active")])
    func isCodedAsItsLowerCaseName(_ phase: ScenePhase, name: String) throws {
        #expect(phase.rawValue == name)
        #expect(String(decoding: try JSONEncoder().encode([phase]), as: UTF8.self) == "[\"\(name)\"]")
        #expect(try JSONDecoder().decode([ScenePhase].self, from: Data("[\"\(name)\"]".utf8)) == [phase])
    }

    @Test(arguments: ["Active", "foreground", "", "0"])
    func decodesNoOtherWord(_ word: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ScenePhase].self, from: Data("[\"\(word)\"]".utf8))
        }
    }

    @Test func isHashable() {
        #expect(Set([ScenePhase.active, .inactive, .active]).count == 2)
        #expect([ScenePhase.background: 1, .active: 2][.active] == 2)
    }
}
