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

    @Test func missingFactsAreEmpty() throws {
        #expect(
            try Self.fill("[{from}|{to}|{held}|{title}|{pid}|{desktop}]", .change(.bareScene))
                == "[|inactive||||]\n")
    }

    @Test(arguments: [
        ("", "\n"), ("no field", "no field\n"), ("{application}{to}", "Firefoxbackground\n"),
        ("{to} {to}", "background background\n"), ("{{to}}", "{to}\n"), ("{{{to}}}", "{background}\n"),
        ("{{}}", "{}\n"), ("a } b", "a } b\n"), (#"{{"to":"{to}"}}"#, #"{"to":"background"}"# + "\n"),
        (#"a\tb"#, "a\tb\n"), (#"a\nb"#, "a\nb\n"), (#"a\\nb"#, #"a\nb"# + "\n"), (#"\q"#, #"\q"# + "\n"),
        (#"ends \"#, #"ends \"# + "\n"), (#"\{to}"#, #"\background"# + "\n"),
        ("→ {to} 😀", "→ background 😀\n"),
    ])
    func whatIsNoFieldIsWrittenAsItStands(template: String, line: String) throws {
        #expect(try Self.fill(template, .change(.sampleApplication)) == line)
    }

    @Test(arguments: ["phase", "To", " to", "to ", "", "application.name", "title\n"])
    func anUnknownFieldNamesTheValidOnes(name: String) throws {
        let error = try #require(throws: CommandFailure.self) { try Template("{application} {\(name)}") }
        #expect(error.description.contains("'{\(name)}'"))
        for field in EventField.allCases {
            #expect(error.description.contains(field.rawValue))
        }
    }

    @Test(arguments: ["{", "{to", "{application} {to", "{{{"])
    func anUnclosedBraceIsRefused(template: String) {
        let error = #expect(throws: CommandFailure.self) { try Template(template) }
        #expect(error?.description.contains("{{") == true)
    }

    @Test func valuesAreEscapedAndTheTemplateItselfIsNot() throws {
        let change = Change.sampleScene.titled("a\tb\u{1B}[2J\n").with {
            $0.application = "x\u{85}"
            $0.group = "\n"
        }
        #expect(
            try Self.fill(#"{application}\t{group}\t{title}"#, .change(change))
                == "x\\u{85}\t\\n\ta\\tb\\e[2J\\n\n")
    }

    @Test func bracesInAValueAreNoFields() throws {
        #expect(try Self.fill("{title}", .change(.sampleScene.titled("{to}{{"))) == "{to}{{\n")
    }

    @Test(arguments: [
        ("{text}", "openbox went away; phases are frozen\n"), ("{notice}", "window-manager\n"),
        (
            "{v} {seq} {kind} {time} {text}",
            "1 7 notice 2026-11-20T11:03:41.207113Z openbox went away; phases are frozen\n"
        ),
        (
            "[{application}{group}{scene}{from}{to}{cause}{held}{scenes}{pids}{change}] {notice}",
            "[] window-manager\n"
        ),
    ])
    func aTemplateWithAPlaceForNoticesIsFilledWithThem(template: String, line: String) throws {
        #expect(try Self.fill(template, .notice(.sample)) == line)
    }

    @Test func aNoticeOfTheSessionHasACause() throws {
        #expect(try Self.fill("{notice} {cause}", .notice(.session(.idle))) == "session idle\n")
    }

    @Test(arguments: ["", "{time} {application} {from} {to}", "text", "{{text}}", "{kind}"])
    func aTemplateWithoutSuchAPlaceHasNoLineForThem(template: String) throws {
        #expect(try Self.fill(template, .notice(.sample)) == nil)
    }

    @Test func thePlacesForNoticesAreEmptyForChanges() throws {
        #expect(try Self.fill("{application}{notice}{text}", .change(.sampleScene)) == "Firefox\n")
    }
}
