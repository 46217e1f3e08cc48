import FoundationEssentials
import PhaseWatch
import Testing

@testable import Console
@testable import Scenes

@Suite struct PatternTests {
    @Test(arguments: [
        ("Firefox", "Firefox"), ("firefox", "FIREFOX"), ("FIREFOX", "firefox"), ("fire*", "Firefox"),
        ("*fox", "Firefox"), ("*ref*", "Firefox"), ("*", "Firefox"), ("*", ""), ("**", "a"), ("", ""),
        ("?irefox", "Firefox"), ("???", "mpv"), ("[a-z]pv", "mpv"), ("[a-z]pv", "MPV"), ("[A-Z]pv", "mpv"),
        ("[mv]*", "vlc"), ("[!x]pv", "mpv"), ("x[0-9]", "X1"), ("a*b*c", "a/b/c"), ("*.desktop", ".desktop"),
        ("org.gnome.*", "org.gnome.Nautilus"), (#"\*"#, "*"), (#"a\?"#, "A?"), ("[*]", "*"), ("[", "["),
        ("a b", "A B"), ("a\nb", "A\nB"),
        // Letters beyond ASCII have cases, too, and each is one character.
        ("日本*", "日本語"), ("*é*", "Café 2"), ("CAFÉ", "Café"), ("жук", "ЖУК"), ("Caf?", "Café"), ("?", "😀"),
        ("caf[éè]", "café"),
    ])
    func aGlobMatchesWhateverTheCase(glob: String, name: String) {
        #expect(Pattern(glob).matches(name))
    }

    @Test(arguments: [
        ("Firefox", "Firefox2"), ("Firefox", "a Firefox"), ("fire", "Firefox"), ("fox*", "Firefox"),
        ("", "a"),
        ("?", ""), ("?", "ab"), ("???", "mp"), ("[a-z]", "1"), ("[!m]pv", "mpv"), ("[0-9]", "a"), ("[", "a"),
        (".", "a"), ("a.c", "abc"), ("a+", "aa"), ("(a|b)", "a"), ("{a,b}", "a"), (#"\*"#, "a"), (" a", "a"),
    ])
    func aGlobMatchesTheWholeNameOnly(glob: String, name: String) {
        #expect(!Pattern(glob).matches(name))
    }

    @Test(arguments: [
        ("Firefox", true), ("firefox", true), ("Navigator", true), ("navi*", true), ("Inbox", false),
        ("active", false), ("0x2c00007", false), ("Firefox/Navigator", false), ("", false),
    ])
    func aChangeIsOfTheApplicationThatItsClassOrItsInstanceNames(glob: String, isMatched: Bool) {
        for change in Change.samples { #expect(Pattern(glob).matches(change) == isMatched) }
    }

    @Test(arguments: [
        ("/fire/", "Mozilla Firefox"), ("/^FIRE/", "firefox"), ("/fox$/", "Firefox"),
        ("/^(mpv|vlc)$/", "VLC"),
        ("/./", "é"), ("/^.$/", "😀"), ("/é/", "CAFÉ"), ("/[[:digit:]]+ %/", "at 42 %"), ("/a{2}/", "aa"),
        ("/a\\.b/", "a.b"), ("/^$/", ""), ("/a/b/", "x a/b y"), ("/", "/"), ("/a", "/A"),
    ])
    func aRegularExpressionMatchesAnyPartWhateverTheCase(text: String, name: String) {
        #expect(Pattern(text).matches(name))
    }

    @Test(arguments: [("/^fire/", "a fire"), ("/a\\.b/", "axb"), ("/a{2}/", "a"), ("/a", "a"), ("/./", "")])
    func aRegularExpressionDoesNotMatchWhatItDoesNotSay(text: String, name: String) {
        #expect(!Pattern(text).matches(name))
    }

    /// glibc caches a state for each path through the texts that it has matched, and texts come from windows.
    @Test func theMemoryOfARegularExpressionHasABound() throws {
        let pattern = Pattern("/(a|b)*a(a|b){15}c/")
        var generator = SystemRandomNumberGenerator()
        func match(_ count: Int) {
            for _ in 0..<count {
                #expect(
                    !pattern.matches(
                        String((0..<1000).map { _ in Bool.random(using: &generator) ? "a" : "b" })))
            }
        }
        match(10)
        let before = try Self.residentPages()
        match(60)
        // Without a bound, each match takes 3 MB.
        #expect(try Self.residentPages() < before + (100 << 20) / 4096)
    }

    private static func residentPages() throws -> Int {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(words[1]))
    }

    @Test func desktopsProcessesAndInstancesChooseOnEachLevel() {
        let application = Change.sampleApplication.with {
            $0.subject = .application(
                .init(
                    counts: .init(active: 2), pids: [], groups: ["Navigator", "Places"], desktops: [1, 3],
                    processes: ["firefox-esr"]))
        }
        let scene = Change.sampleScene.with {
            $0.subject = .scene(.init(id: WindowID(1), title: "Inbox", desktop: 1, process: "firefox-esr"))
        }
        let sticky = scene.with { $0.subject = .scene(.init(id: WindowID(1), desktop: -1)) }
        func criteria(_ set: (inout Criteria) -> Void) -> Criteria {
            var criteria = Criteria()
            set(&criteria)
            return criteria
        }
        for change in [application, scene] {
            #expect(criteria { $0.desktop = [1] }.matches(change))
            #expect(!criteria { $0.desktop = [2] }.matches(change))
            #expect(!criteria { $0.desktop = [-1] }.matches(change))
            #expect(criteria { $0.process = [Pattern("/esr$/")] }.matches(change))
            #expect(!criteria { $0.process = [Pattern("firefox")] }.matches(change))
            #expect(criteria { $0.instance = [Pattern("navigator")] }.matches(change))
            #expect(!criteria { $0.instance = [Pattern("firefox")] }.matches(change))
            #expect(Pattern("navigator").matches(change) && !Pattern("toolkit").matches(change))
        }
        #expect(
            criteria { $0.desktop = [2] }.matches(sticky) && criteria { $0.desktop = [-1] }.matches(sticky))
        #expect(!criteria { $0.process = [Pattern("*")] }.matches(sticky))
        // A scene has its own instance only.
        #expect(Pattern("places").matches(application) && !Pattern("places").matches(scene))
    }

    @Test(arguments: [
        ("mpv", ["mpv"]), ("mpv,vlc", ["mpv", "vlc"]), ("/a{1,2}/,b*", ["/a{1,2}/", "b*"]),
        ("/a/,/b,c/", ["/a/", "/b,c/"]), (#"a\,b,c"#, [#"a\,b"#, "c"]), ("a,,b", ["a", "", "b"]),
    ])
    func aListHasCommas(text: String, patterns: [String]) {
        #expect(Pattern.list(text).map(\.text) == patterns)
    }

    @Test(arguments: [
        "mpv", "*", "m?v", "[abc]", "[]a]", "[!]a]", "[a[]", "[[:alpha:]x]", "[[.-.]]", "a]", "\\[", "[\\]]",
        "[[:alpha]", "é[é]",
        "/a/", "/a/b/", "/^(a|b)+$/", "/[[:alpha:]]{2,5}/", "/é?/", "/[]\\]/", "/a)/", "/)))))))))))))))/",
        "/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/",
    ])
    func aGlobAndARegularExpressionHaveNoFault(text: String) {
        #expect(Pattern.fault(in: text) == nil)
    }

    @Test(arguments: [
        ("", "it is empty, and would match nothing"), ("a\\", "it ends in a backslash"),
        ("[", "'[' is not closed"), ("[]", "'[' is not closed"), ("[!]", "'[' is not closed"),
        ("a[bc", "'[' is not closed"), ("[a]b[", "'[' is not closed"), ("[[:alpha:]", "'[' is not closed"),
        ("[a\\]", "'[' is not closed"), ("[a\\", "'[' is not closed"),
    ])
    func whatIsNoGlobSaysWhy(glob: String, fault: String) {
        #expect(Pattern.fault(in: glob) == "is not a valid glob: \(fault)")
    }

    @Test(arguments: [
        ("//", "it is empty, and would match everything"),
        ("/(a/", "Unmatched ( or \\("), ("/(a)[b/", "Unmatched [, [^, [:, [., or [="),
        ("/x[z-a]/", "Invalid range end"), ("/a|*b/", "Invalid preceding regular expression"),
        ("/a{3,2}/", "Invalid content of \\{\\}"), ("/ab\\/", "Trailing backslash"),
        ("/(a)\\1/", "back-references such as \\1 are not supported"),
        ("/\(String(repeating: "é", count: 201))/", "it is longer than 200 characters"),
    ])
    func whatIsNoRegularExpressionSaysWhy(text: String, fault: String) {
        #expect(Pattern.fault(in: text) == "is not a valid regular expression: \(fault)")
        #expect(!Pattern(text).matches("a"))
    }
}
