import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct TemplateTests {
    private static func fill(_ template: String, _ event: Event) throws -> String? {
        LineFormat.template(try Template(template)).text(event)
    }

    @Test(arguments: [
        ("v", "1", "1", "1"), ("seq", "7", "7", "7"),
        ("time", "2026-11-20T11:03:41.207113Z", "2026-11-20T11:03:41.207113Z", "2026-11-20T11:03:41.207113Z"),
        ("kind", "scene", "group", "application"), ("change", "phase", "phase", "phase"),
        ("application", "Firefox", "Firefox", "Firefox"), ("group", "Navigator", "Navigator", ""),
        ("scene", "0x2c00007", "", ""), ("from", "active", "active", "active"),
        ("to", "background", "inactive", "background"), ("cause", "iconify", "blur", "iconify"),
        ("held", "252.114", "252.114", "252.114"), ("title", "Inbox", "", ""), ("pid", "2131", "", ""),
        ("desktop", "0", "", ""), ("role", "browser", "", ""),
        ("monitor", "DP-1", "", ""), ("desktop_name", "mail", "", ""), ("extent", "maximized", "", ""),
        ("scenes", "", "3", "2"), ("pids", "", "2131,2140", "2131"),
    ])
    func aFieldIsFilledWithTheValueOfItsKey(field: String, scene: String, group: String, app: String) throws {
        for (change, value) in zip(Change.samples, [scene, group, app]) {
            #expect(try Self.fill("<{\(field)}>", .change(change)) == "<\(value)>\n")
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
            ("{application}{to}", .change(.sampleApplication), "Firefoxbackground"),
            ("{to} {to} → 😀", .change(.sampleApplication), "background background → 😀"),
            ("{{to}} {{{to}}} {{}}", .change(.sampleApplication), "{to} {background} {}"),
            (#"a } b {{"to":"{to}"}}"#, .change(.sampleApplication), #"a } b {"to":"background"}"#),
            (
                #"a\tb a\nb a\\nb \q \{to} ends \"#, .change(.sampleApplication),
                "a\tb a\nb a\\nb \\q \\background ends \\"
            ),
            ("{title}", .change(.sampleScene.titled("{to}{{")), "{to}{{"),
            (#"a\t{title}"#, .change(.sampleScene.titled("a\tb\u{1B}[2J\n")), "a\ta\\tb\\e[2J\\n"),
            ("{application}{notice}{text}", .change(.sampleScene), "Firefox"),
            (
                "{v} {seq} {kind} {time} {text}", .notice(.sample),
                "1 7 notice 2026-11-20T11:03:41.207113Z openbox went away; phases are frozen"
            ),
            (
                "[{application}{group}{scene}{from}{to}{cause}{held}{scenes}{pids}{change}] {notice}",
                .notice(.sample), "[] window-manager"
            ),
            ("{notice} {cause}", .notice(.session(.idle)), "session idle"),
            ("", .notice(.sample), nil), ("{time} {application} {from} {to}", .notice(.sample), nil),
            ("text {{text}} {kind}", .notice(.sample), nil),
        ] as [(String, Event, String?)])
    func aTemplateIsFilled(template: String, event: Event, line: String?) throws {
        #expect(try Self.fill(template, event) == line.map { $0 + "\n" })
    }

    @Test(arguments: ["phase", "To", " to", "to ", "", "application.name", "title\n"])
    func anUnknownFieldNamesTheValidOnes(name: String) throws {
        let error = try #require(throws: CommandFailure.self) { try Template("{application} {\(name)}") }
        for word in ["'{\(name)}'"] + EventField.allCases.map(\.rawValue) {
            #expect(error.description.contains(word))
        }
    }

    @Test(arguments: ["{", "{to", "{application} {to", "{{{"])
    func anUnclosedBraceIsRefused(template: String) {
        let error = #expect(throws: CommandFailure.self) { try Template(template) }
        #expect(error?.description.contains("{{") == true)
    }
}
