import Glibc
import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import System
@testable import xphase

/// The lines for programs and for people, and their colours, which the tree of `list` has, too.
struct LineTests {
    private static let coloured = Palette(isColoured: true)
    private static let plain = Palette(isColoured: false)

    private static func line(_ event: Event, _ palette: Palette = plain) -> String {
        TextLine(palette: palette).line(for: event, time: .sample)
    }

    /// In JSON, missing facts are null, not omitted. In text, the title of a scene, if it has one, is quoted.
    @Test func eachEventIsALineOfTheContract() {
        let opened = Change.sampleGroup.with {
            ($0.kind, $0.from, $0.cause, $0.held) = (.opened, nil, .open, nil)
        }
        let closed = Change.sampleApplication.with {
            ($0.kind, $0.from, $0.to, $0.cause) = (.closed, .background, nil, .close)
            $0.subject = .application(.init(counts: .init(active: 1), pids: [], groups: ["a"]))
        }
        let last = Change.sampleApplication.with {
            ($0.to, $0.cause) = (.background, .close)
            $0.subject = .application(.init(counts: .init(), pids: [], groups: []))
        }
        let renamed = Change.sampleScene.titled("").with {
            ($0.kind, $0.to, $0.cause) = (.title, .active, .title)
        }
        let lines: [(event: Event, words: String)] = [
            (.change(closed), "Firefox background → closed close 1 scene after 4m12s"),
            (.change(opened), "Firefox/Navigator → inactive open 3 scenes"),
            (
                .change(.sampleScene),
                #"Firefox/Navigator 0x2c00007 active → background iconify after 4m12s "Inbox""#
            ),
            (.change(.bareScene), "Firefox/Navigator 0x2c00007 → inactive start"),
            (.notice(.sample), "notice openbox went away; phases are frozen"),
            (.notice(.session(.dropped(.lock))), "notice lock: no longer followed: the options changed"),
            (.change(.sampleGroup), "Firefox/Navigator active → inactive blur 3 scenes after 4m12s"),
            (.change(last), "Firefox active → closed close 0 scenes after 4m12s"),
            (.change(renamed), #"Firefox/Navigator 0x2c00007 active title """#),
        ]
        for (event, words) in lines {
            let real = Self.line(event).split(whereSeparator: \.isWhitespace).map(String.init)
            #expect(real.first == TimeText.local(.sample) && real.dropFirst().joined(separator: " ") == words)
        }
        let json = #"""
            "kind":"application","change":"closed","application":"Firefox","from":"background","to":null,"cause":"close","held":252.114,"scenes":{"active":1,"inactive":0,"background":0},"pids":[]}
            "kind":"group","change":"opened","application":"Firefox","group":"Navigator","from":null,"to":"inactive","cause":"open","held":null,"scenes":{"active":0,"inactive":1,"background":2},"pids":[2131,2140]}
            "kind":"scene","change":"phase","application":"Firefox","group":"Navigator","scene":"0x2c00007","from":"active","to":"background","cause":"iconify","held":252.114,"title":"Inbox","pid":2131,"desktop":0,"role":"browser","monitor":"DP-1","desktop_name":"mail","extent":"maximized"}
            "kind":"scene","change":"initial","application":"Firefox","group":"Navigator","scene":"0x2c00007","from":null,"to":"inactive","cause":"start","held":null,"title":null,"pid":null,"desktop":null,"role":null,"monitor":null,"desktop_name":null,"extent":"window"}
            "kind":"notice","notice":"window-manager","text":"openbox went away; phases are frozen"}
            "kind":"notice","notice":"session","text":"lock: no longer followed: the options changed","cause":null}
            """#
        for (line, rest) in zip(lines, json.split(separator: "\n")) {
            let start = #"{"v":1,"seq":7,"time":"2026-11-20T11:03:41.207113Z","#
            #expect(LineFormat.json.text(line.event) == "\(start)\(rest)\n")
        }
    }

    /// Nor does a line end in blanks.
    @Test func theColumnsOfAllLinesStandBelowEachOther() {
        let lines = [
            ("mpv", nil, .background, .map), ("mpv", .background, nil, .close),
            ("Gnome-terminal", .active, .inactive, .windowManager),
        ].map { (name: String, from: ScenePhase?, to: ScenePhase?, cause: Cause) in
            let change = Change.sampleApplication.with {
                ($0.application, $0.from, $0.to, $0.cause) = (name, from, to, cause)
            }
            return Self.line(.change(change))
        }
        for mark in ["→", "2 scenes", "after"] {
            let places = lines.map { line in line.firstRange(of: mark).map { line[..<$0.lowerBound].count } }
            #expect(Set(places).count == 1 && places.first != .some(nil))
        }
        let scenes = Change.samples + [.bareScene, .sampleScene.titled("ends in blanks  ")]
        for change in scenes.flatMap({ [$0, $0.with { $0.held = nil }] }) {
            #expect(Self.line(.change(change)).last?.isWhitespace == false)
        }
    }

    @Test func colourChangesNothingButTheColour() {
        func tree(_ palette: Palette) -> String { Tree(palette: palette).text(of: Change.samples) }
        let events = Change.samples.map(Event.change) + [.change(.bareScene), .notice(.sample)]
        let pairs = events.map { (Self.line($0, Self.coloured), Self.line($0)) }
        for (painted, plain) in pairs + [(tree(Self.coloured), tree(Self.plain))] {
            #expect(painted != plain && !plain.contains("\u{1B}"))
            #expect(painted.replacing(/\u{1B}\[[\d;]+m/, with: "") == plain)
        }
    }

    /// The contrast of WCAG 2 on black and on white. The colours from 16 on are the same on all terminals.
    @Test func everyPhaseHasAColourOfItsOwnWithContrastOnDarkAndOnLightTerminals() throws {
        func luminance(_ colour: [Double]) -> Double {
            zip([0.2126, 0.7152, 0.0722], colour).reduce(0) { sum, part in
                let value = part.1 / 255
                return sum + part.0 * (value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
        let phases = ScenePhase.allCases.map { Self.coloured.phase("a", $0) }
        #expect(Set(phases).count == 3)
        for text in phases + [Self.coloured.faint("a")] {
            let code = try #require(text.wholeMatch(of: /\u{1B}\[38;5;(\d+)ma\u{1B}\[0m/)?.1)
            let number = try #require(Int(code)) - 16
            let cube = [36, 6, 1].map { [0, 95, 135, 175, 215, 255][number / $0 % 6] }
            let grey = Array(repeating: Double(10 * (number - 216) + 8), count: 3)
            let light = luminance(number < 216 ? cube.map(Double.init) : grey) + 0.05
            #expect(light / 0.05 >= 4.5 && 1.05 / light >= 4.5, "\(code)")
        }
    }
}

struct TemplateTests {
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
            #expect(try LineFormat.template(Template(fields)).text(.change(change)) == "\(start)\(rest)\n")
            // They are the keys of JSON.
            let keys = LineFormat.json.text(.change(change))?.matches(of: /"([a-z_]+)":/).map(\.1) ?? []
            let counts = ScenePhase.allCases.map(\.rawValue)
            #expect(keys.allSatisfy { fields.contains("{\($0)}") || counts.contains(String($0)) })
        }
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
            ("{phase}", .change(.sampleApplication), "background"),
            ("{title:8}|{pid:9}|", .change(.bareScene), "||"),
            ("{title:8}|", .change(.sampleScene.titled("日本語のタイトル")), "日本語…|"),
            ("{title:8}|", .change(.sampleScene.titled("12345678")), "12345678|"),
            ("{title:8}|", .change(.sampleScene.titled("12345678\t")), "1234567…|"),
            ("text {{text}} {kind}", .notice(.sample), nil),
        ] as [(String, Event, String?)])
    func aTemplateIsFilled(template: String, event: Event, line: String?) throws {
        #expect(try LineFormat.template(Template(template)).text(event) == line.map { $0 + "\n" })
    }

    @Test(arguments: ["{title:}", "{title:0}", "{title:-1}", "{title:wide}", "{title:20:20}"])
    func aWidthThatIsNoNumberOfColumnsIsNamed(template: String) throws {
        let message = try #require(throws: CommandFailure.self) { try Template(template) }.description
        #expect(message == "'\(template)' needs a number of columns, as in '{title:20}'")
    }

    @Test(arguments: ["{phases}", "{To}", "{ to}", "{}", "{title\n}", "{", "{to", "{{{"])
    func anUnknownFieldOrAnUnclosedBraceIsNamed(template: String) throws {
        let message = try #require(throws: CommandFailure.self) { try Template(template) }.description
        let valid = template.contains("}") ? ["'\(template)'"] + EventField.allCases.map(\.rawValue) : ["{{"]
        #expect(valid.allSatisfy(message.contains), "\(message)")
    }
}
