import FoundationEssentials
import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

struct PatternTests {
    @Test(arguments: [
        ("firefox", "FIREFOX"), ("FIREFOX", "firefox"), ("fire*", "Firefox"), ("*fox", "Firefox"),
        ("*ref*", "Firefox"), ("*", "Firefox"), ("*", ""), ("**", "a"), ("", ""), ("?irefox", "Firefox"),
        ("[a-z]pv", "MPV"), ("[A-Z]pv", "mpv"), ("[mv]*", "vlc"), ("[!x]pv", "mpv"), ("x[0-9]", "X1"),
        ("a*b*c", "a/b/c"), ("*.desktop", ".desktop"), (#"\*"#, "*"), (#"a\?"#, "A?"), ("[*]", "*"),
        ("[", "["), ("a\nb", "A\nB"),
        // Letters beyond ASCII have cases, too, and each is one character.
        ("日本*", "日本語"), ("*é*", "Café 2"), ("жук", "ЖУК"), ("Caf?", "Café"), ("?", "😀"), ("caf[éè]", "café"),
        // A regular expression matches any part.
        ("/fire/", "Mozilla Firefox"), ("/^FIRE/", "firefox"), ("/fox$/", "Firefox"),
        ("/^(mpv|vlc)$/", "VLC"), ("/^.$/", "😀"), ("/é/", "CAFÉ"), ("/[[:digit:]]+ %/", "at 42 %"),
        ("/a{2}/", "aa"), ("/a\\.b/", "a.b"), ("/^$/", ""), ("/a/b/", "x a/b y"), ("/", "/"), ("/a", "/A"),
    ])
    func aNameMatchesWhateverItsCase(pattern: String, name: String) {
        #expect(Pattern(pattern).matches(name))
    }

    @Test(arguments: [
        ("Firefox", "Firefox2"), ("Firefox", "a Firefox"), ("fire", "Firefox"), ("fox*", "Firefox"),
        ("", "a"), ("?", ""), ("???", "mp"), ("[a-z]", "1"), ("[!m]pv", "mpv"), ("[", "a"), (".", "a"),
        ("a+", "aa"), ("(a|b)", "a"), ("{a,b}", "a"), (#"\*"#, "a"), (" a", "a"), ("/^fire/", "a fire"),
        ("/a\\.b/", "axb"), ("/a{2}/", "a"), ("/a", "a"), ("/./", ""),
    ])
    func otherNamesDoNotMatchAPattern(pattern: String, name: String) {
        #expect(!Pattern(pattern).matches(name))
    }

    /// glibc caches a state for each path through the texts that it has matched, and texts come from windows.
    @Test func theMemoryOfARegularExpressionHasABound() throws {
        func residentPages() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return try #require(Int(text.split(separator: " ")[1]))
        }
        let pattern = Pattern("/(a|b)*a(a|b){15}c/")
        func match(_ count: Int) {
            for _ in 0..<count {
                #expect(!pattern.matches(String((0..<1000).map { _ in Bool.random() ? "a" : "b" })))
            }
        }
        match(10)
        let before = try residentPages()
        match(60)
        // Without a bound, each match takes 3 MB.
        #expect(try residentPages() < before + (100 << 20) / 4096)
    }

    @Test func classInstanceDesktopAndProcessChooseOnEachLevel() {
        let members = Change.Members(
            counts: .init(active: 2), pids: [], groups: ["Navigator", "Places"], desktops: [1, 3],
            processes: ["firefox-esr"])
        let application = Change.sampleApplication.with { $0.subject = .application(members) }
        let scene = Change.sampleScene.with {
            $0.subject = .scene(.init(id: WindowID(1), title: "Inbox", desktop: 1, process: "firefox-esr"))
        }
        let sticky = scene.with { $0.subject = .scene(.init(id: WindowID(1), desktop: -1)) }
        func matches(_ set: (inout Criteria) -> Void) -> [Bool] {
            var criteria = Criteria()
            set(&criteria)
            return [application, scene, sticky].map { criteria.matches($0) }
        }
        let (all, none) = ([true, true, true], [false, false, false])
        for (number, matched) in [(1, all), (2, [false, false, true]), (-1, [false, false, true])] {
            #expect(matches { $0.desktop = [number] } == matched)
        }
        for (key, text, matched) in [
            (\.process, "/esr$/", [true, true, false]), (\.process, "*", [true, true, false]),
            (\.process, "firefox", none), (\.instance, "navigator", all), (\.instance, "firefox", none),
            (\.application, "firefox,x", all), (\.application, "navi*", all),
            // A scene has its own instance only.
            (\.application, "places", [true, false, false]),
            (\.application, "Inbox,active,0x1,Firefox/Navigator,", none),
        ] as [(WritableKeyPath<Criteria, [Pattern]>, String, [Bool])] {
            #expect(matches { $0[keyPath: key] = Pattern.list(text) } == matched, "\(text)")
        }
    }

    @Test(arguments: [
        ("mpv,vlc", ["mpv", "vlc"]), ("/a{1,2}/,b*", ["/a{1,2}/", "b*"]), ("/a/,/b,c/", ["/a/", "/b,c/"]),
        (#"a\,b,c"#, [#"a\,b"#, "c"]), ("a,,b", ["a", "", "b"]),
    ])
    func aListHasCommas(text: String, patterns: [String]) {
        #expect(Pattern.list(text).map(\.text) == patterns)
    }

    @Test(arguments: [
        "mpv", "*", "m?v", "[abc]", "[]a]", "[!]a]", "[a[]", "[[:alpha:]x]", "[[.-.]]", "a]", "\\[", "[\\]]",
        "[[:alpha]", "é[é]", "/a/", "/a/b/", "/^(a|b)+$/", "/[[:alpha:]]{2,5}/", "/é?/", "/[]\\]/", "/a)/",
        "/)))))))))))))))/", "/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/",
        "/((a+)+)+/", "/(a{2})(b{3})/", "/[{]{2}\\{{3}/", "/[(\\]{2}a{2}/", "/a{1000}/", "/(ab){500}/",
        "/^.{1,255}$/",
        "/(a|b)*a(a|b){90}c/",
    ])
    func aGlobAndARegularExpressionHaveNoFault(text: String) {
        #expect(Pattern.fault(in: text) == nil)
    }

    @Test(arguments: [
        ("", "it is empty: write * for every name"), ("a\\", "it ends in a backslash"),
        ("[", "'[' is not closed"), ("[]", "'[' is not closed"), ("[!]", "'[' is not closed"),
        ("a[bc", "'[' is not closed"), ("[a]b[", "'[' is not closed"), ("[[:alpha:]", "'[' is not closed"),
        ("[a\\]", "'[' is not closed"), ("//", "it is empty, and would match everything"),
        ("/(a/", "Unmatched ( or \\("), ("/(a)[b/", "Unmatched [, [^, [:, [., or [="),
        ("/x[z-a]/", "Invalid range end"), ("/a|*b/", "Invalid preceding regular expression"),
        ("/a{3,2}/", "Invalid content of \\{\\}"), ("/ab\\/", "Trailing backslash"),
        ("/(a)\\1/", "back-references such as \\1 are not supported"),
        ("/\(String(repeating: "é", count: 201))/", "it is longer than 200 characters"),
        ("/((a{1,100}){1,100}){1,100}/", "it has a bound such as {2} within another bound"),
        ("/a{2}{3}/", "it has a bound such as {2} within another bound"),
        ("/((a|b{2})c)+{2}/", "it has a bound such as {2} within another bound"),
        ("/a{1001}/", "it repeats to more than 1000 characters"),
        ("/a{99999999999999999999}/", "it repeats to more than 1000 characters"),
        ("/(abc){400}/", "it repeats to more than 1000 characters"),
        ("/(){600}(){,600}/", "it repeats to more than 1000 characters"),
        ("/a\(String(repeating: "+", count: 50))/", "it repeats to more than 1000 characters"),
        ("/((((((((((a+)+)+)+)+)+)+)+)+)+)/", "it repeats to more than 1000 characters"),
        ("/.{0,300}x/", "more than 255 of its repetitions are optional"),
        ("/(.?){300}x/", "more than 255 of its repetitions are optional"),
    ])
    func anInvalidPatternSaysWhy(text: String, fault: String) {
        let kind = text.hasPrefix("/") ? "regular expression" : "glob"
        #expect(Pattern.fault(in: text) == "is not a valid \(kind): \(fault)")
        #expect(kind == "glob" || !Pattern(text).matches("a"))
    }
}

/// Contract, section 3: the last line about any subject is always true. `SubscriberTests` has what a filter chooses.
struct EventFilterTests {
    /// Without the initial lines, those after a loss are there.
    @Test(arguments: [
        (Change.Kind.initial, Cause.start, false), (.initial, .resync, true), (.opened, .open, true),
        (.opened, .windowManager, true), (.phase, .focus, true), (.closed, .close, true),
    ])
    func onlyTheInitialLinesOfTheStartAreHidden(kind: Change.Kind, cause: Cause, passes: Bool) {
        let filter = EventFilter(
            levels: Set(Change.Level.allCases), criteria: Criteria(), hidesInitial: true)
        for change in Change.samples.map({ $0.with { ($0.kind, $0.cause) = (kind, cause) } }) {
            #expect(filter.accepts(.change(change)) == passes)
        }
        #expect(filter.accepts(.notice(.sample)))
    }

    @Test func anApplicationThatWasReportedForItsInstanceIsReportedUntilItCloses() {
        var criteria = Criteria()
        criteria.application = [Pattern("navigator")]
        let filter = EventFilter(levels: [.application], criteria: criteria, hidesInitial: false)
        for (groups, kind, passes) in [
            (["Places"], .phase, false), (["Navigator", "Places"], .phase, true), (["Places"], .phase, true),
            (["Places"], .closed, true), (["Places"], .opened, false),
        ] as [([String], Change.Kind, Bool)] {
            let change = Change.sampleApplication.with {
                $0.kind = kind
                $0.subject = .application(.init(counts: .init(active: 1), pids: [], groups: groups))
            }
            #expect(filter.accepts(.change(change)) == passes)
        }
    }

    /// With phases, no line reports that a subject ends or matches no more: nothing is followed.
    @Test func onlyWhatMatchesNowPassesInTheChosenPhases() {
        var criteria = Criteria()
        criteria.title = [Pattern("old")]
        let filter = EventFilter(
            levels: [.scene], criteria: criteria, phases: [.active], hidesInitial: false)
        for (title, phase, passes) in [
            ("old", .active, true), ("old", .inactive, false), ("new", .active, false), ("old", nil, false),
        ] as [(String, ScenePhase?, Bool)] {
            let change = Change.sampleScene.titled(title).with {
                ($0.kind, $0.to) = (phase == nil ? .closed : .phase, phase)
            }
            #expect(filter.accepts(.change(change)) == passes)
        }
    }
}
