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

/// Inhibitors that keep the session from being idle.
@Suite struct InhibitorTests {
    private static func row(_ what: String, _ mode: String, _ pid: UInt64 = 7) -> [BusValue] {
        [what, "player", "a film", mode].map { .text($0) } + [.number(1000), .number(pid)]
    }

    @Test(arguments: [
        (row("idle", "block"), Inhibitor(pid: 7)),
        (row("shutdown:idle:sleep", "block-weak"), Inhibitor(pid: 7)),
        (row("sleep", "block"), Inhibitor(pid: 7, stopsIdle: false)), (row("idle", "delay"), nil),
        (row("handle-lid-switch", "block"), nil), (row("idler", "block"), nil), (row("", ""), nil),
        (row("idle", "block", 4_294_967_295), Inhibitor()), ([], nil), ([.text("idle")], nil),
        (Array(repeating: .number(1), count: 6), nil),
    ])
    func aRowOfLogind(row: [BusValue], inhibitor: Inhibitor?) {
        #expect(Inhibitor(login: row) == inhibitor)
    }

    @Test(arguments: [
        (Inhibitor(pid: 7), true), (Inhibitor(pid: 8), false), (Inhibitor(window: 3), true),
        (Inhibitor(window: 4), false), (Inhibitor(name: "chat"), true), (Inhibitor(name: "Chatter"), false),
        (Inhibitor(pid: 8, window: 3, name: "other"), true), (Inhibitor(), false),
    ])
    func itIsOfAnApplicationByProcessWindowOrName(inhibitor: Inhibitor, isOwn: Bool) {
        #expect(inhibitor.isOf([7], [3], "Chat") == isOwn)
    }
}
