import FoundationEssentials
import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// The names and values that reactions use.
@Suite struct ReactionTests {
    @Test(arguments: [
        ("1%", 1), ("20%", 20), ("10000%", 10_000), ("0%", nil), ("10001%", nil), ("20", nil), ("%", nil),
        ("+20%", nil), ("020%", nil), ("2 %", nil), ("20.5%", nil), ("99999999999999999999%", nil), ("", nil),
    ])
    func aCapIsAPercentageOfOneProcessor(text: String, percent: Int?) throws {
        let cap = ProcessorCap(rawValue: text)
        #expect(cap?.rawValue == percent.map { "\($0)%" })
        if let cap {
            #expect(try JSONDecoder().decode([ProcessorCap].self, from: JSONEncoder().encode([cap])) == [cap])
        }
    }

    /// A peer may send any value.
    @Test(arguments: ["20", "\"0%\"", "\"10001%\"", "\"1%\\nMemoryMax=1\"", "null"])
    func aCapThatIsNoneIsNotDecoded(json: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([ProcessorCap].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test(arguments: [
        ("sink-input-by-application-name:A: b", "application.name", "A: b"),
        ("sink-input-by-media-role:music", "media.role", "music"), ("sink-input-by-other:a", nil, nil),
        ("source-output-by-media-role:a", nil, nil), ("", nil, nil),
    ])
    func theRuleThatRestoresAStreamNamesAProperty(memory: String, kind: String?, value: String?) {
        let property = MutedStream.property(of: memory)
        #expect(property?.kind == kind && property.map { String($0.value) } == value)
    }

    @Test func aScopeIsNamedAsDesktopEnvironmentsNameTheirs() {
        #expect(ApplicationScope.escaped("Org-x/ü 2.0") == "Org\\x2dx\\x2f\\xc3\\xbc\\x202.0")
        #expect(ApplicationScope.escaped(".a") == "\\x2ea")
    }

    @Test func aUnitHasThePathOfItsObject() {
        #expect(UserUnits.escaped("app-a_1.scope") == "app_2da_5f1_2escope")
        #expect(UserUnits.escaped("1a.service") == "_31a_2eservice")
    }
}
