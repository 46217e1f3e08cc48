import FoundationEssentials
import TestDesktop
import Testing

/// Explanations of phases.
struct ExplainTests {
    private struct Object: Decodable {
        let kind: String
        let application, window, scene, phase, rule, source: String?
        let focused: Bool?
        let chain: [String]?
        let facts: [String: String?]?
    }

    private static func explain(_ subject: String, on session: Session) throws -> [Object] {
        try session.output("explain \(subject) --json").map {
            try JSONDecoder().decode(Object.self, from: Data($0.utf8))
        }
    }

    @Test func everyFactTheRuleAndTheFocusAreReported() throws {
        let session = try Session(.openbox)
        let alpha = try session.open("Alpha", x: 20)
        let other = try session.open("Alpha", x: 300)
        other.setBytes("WM_WINDOW_ROLE", "STRING", Array("second".utf8))
        try session.settle { other.iconify() }
        var properties = TestWindow.Properties("Picker")
        properties.transientFor = alpha.id
        let dialog = try session.open(properties, x: 60, y: 60)

        let objects = try Self.explain("alpha", on: session)
        #expect(objects.map(\.kind) == ["application", "window", "window", "session", "screen", "focus"])
        #expect(objects.map(\.application)[0] == "Alpha" && objects[0].scene == alpha.name)
        #expect(objects.map(\.phase).prefix(3) == ["active", "active", "background"])
        #expect(objects.map(\.rule)[1...2] == ["visible", "not-viewable"])
        #expect(objects[1].window == alpha.name && objects[1].focused == true)
        for (object, fact, value) in [
            (2, "WM_STATE", "Iconic"), (2, "WM_WINDOW_ROLE", "second"), (2, "_NET_WM_STATE", "HIDDEN"),
            (2, "map_state", "IsUnmapped"), (4, "_NET_WM_NAME", "Openbox"),
        ] { #expect(objects[object].facts?[fact] == value, "\(fact)") }
        #expect(objects[5].window == dialog.name && objects[5].source == "XGetInputFocus")
        #expect(objects[5].chain?.sorted() == [alpha.name, dialog.name].sorted())
    }

    @Test func aWindowThatIsNoSceneIsExplainedByItsIdAndOneThatIsNotThereExits1() throws {
        let session = try Session(.none)
        let alpha = session.window(.init("Alpha"))
        #expect(try session.output("explain \(alpha.name)").contains("\(alpha.name): no scene"))
        #expect(try Self.explain(alpha.name, on: session).first?.rule == "no-mapped-top-level")
        let reason = "there is no window 0x7777777 on this display, or it is a window manager's own"
        try session.expect("explain 0x7777777", code: 1, errors: ["xphase: \(reason)"])
    }
}
