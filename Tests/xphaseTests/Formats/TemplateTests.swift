import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct TemplateTests {
    private static func fill(_ template: String, _ event: Event) throws -> String? {
        LineFormat.template(try Template(template)).text(event)
    }

    @Test func aFieldIsFilledWithTheValueOfItsKey() throws {
        let fields = """
            {v} {seq} {time} {kind} {change} {from} {to} {cause} {held}
            {application}|{group}|{scene}|{title}|{pid}|{desktop}|{scenes}|{pids}
            {role}|{monitor}|{desktop_name}|{extent}
            """
        for (change, kind, phase, rest) in [
            (
                .sampleScene, "scene", "background iconify",
                "Firefox|Navigator|0x2c00007|Inbox|2131|0||\nbrowser|DP-1|mail|maximized"
            ), (.sampleGroup, "group", "inactive blur", "Firefox|Navigator|||||3|2131,2140\n|||"),
            (.sampleApplication, "application", "background iconify", "Firefox||||||2|2131\n|||"),
        ] as [(Change, String, String, String)] {
            let start = "1 7 2026-11-20T11:03:41.207113Z \(kind) phase active \(phase) 252.114\n"
            #expect(try Self.fill(fields, .change(change)) == start + rest + "\n")
        }
    }

    @Test func theFieldsAreTheKeysOfJSON() throws {
        let events = Change.samples.map(Event.change) + [.notice(.sample)]
        let keys = try events.map { event in
            try #require(LineFormat.json.text(event)).replacing(/\{"active".*?\}/, with: "0")
                .matches(of: /"([a-z_]+)":/).map { String($0.1) }
        }
        #expect(Set(EventField.allCases.map(\.rawValue)) == Set(keys.joined()))
    }

    /// A notice has a line only where the template has a field that only notices have.
    @Test(
        arguments: [
            ("[{from}|{to}|{held}|{title}|{pid}|{desktop}]", .change(.bareScene), "[|inactive||||]"),
            ("", .change(.sampleApplication), ""), ("no field", .change(.sampleApplication), "no field"),
            ("{application}{to} {to} → 😀", .change(.sampleApplication), "Firefoxbackground background → 😀"),
            ("{{to}} {{{to}}} {{}}", .change(.sampleApplication), "{to} {background} {}"),
            (#"a } b {{"to":"{to}"}}"#, .change(.sampleApplication), #"a } b {"to":"background"}"#),
            (
                #"a\tb a\nb a\\nb \q \{to} ends \"#, .change(.sampleApplication),
                "a\tb a\nb a\\nb \\q \\background ends \\"
            ), ("{title}", .change(.sampleScene.titled("{to}{{")), "{to}{{"),
            (#"a\t{title}"#, .change(.sampleScene.titled("a\tb\u{1B}[2J\n")), "a\ta\\tb\\e[2J\\n"),
            ("{application}{notice}{text}", .change(.sampleScene), "Firefox"),
            (
                "{v} {seq} {kind} {time} {text}[{application}{scene}{from}{to}{cause}{held}{pids}{change}]",
                .notice(.sample),
                "1 7 notice 2026-11-20T11:03:41.207113Z openbox went away; phases are frozen[]"
            ), ("{notice} {cause}", .notice(.session(.idle)), "session idle"), ("", .notice(.sample), nil),
            ("{time} {application} {from} {to}", .notice(.sample), nil),
            ("text {{text}} {kind}", .notice(.sample), nil),
        ] as [(String, Event, String?)])
    func aTemplateIsFilled(template: String, event: Event, line: String?) throws {
        #expect(try Self.fill(template, event) == line.map { $0 + "\n" })
    }

    @Test(arguments: ["{phase}", "{To}", "{ to}", "{}", "{title\n}", "{", "{to", "{{{"])
    func anUnknownFieldOrAnUnclosedBraceIsNamed(template: String) throws {
        let message = try #require(throws: CommandFailure.self) { try Template(template) }.description
        let valid = template.contains("}") ? ["'\(template)'"] + EventField.allCases.map(\.rawValue) : ["{{"]
        #expect(valid.allSatisfy(message.contains), "\(message)")
    }
}
