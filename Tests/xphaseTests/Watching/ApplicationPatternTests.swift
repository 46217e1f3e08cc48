import PhaseWatch
import Testing

@testable import Console
@testable import Scenes

@Suite struct ApplicationPatternTests {
    @Test(arguments: [
        ("Firefox", "Firefox"), ("firefox", "FIREFOX"), ("FIREFOX", "firefox"), ("fire*", "Firefox"),
        ("*fox", "Firefox"), ("*ref*", "Firefox"), ("*", "Firefox"), ("*", ""), ("**", "a"), ("", ""),
        ("?irefox", "Firefox"), ("???", "mpv"), ("[a-z]pv", "mpv"), ("[a-z]pv", "MPV"), ("[A-Z]pv", "mpv"),
        ("[mv]*", "vlc"), ("[!x]pv", "mpv"), ("x[0-9]", "X1"), ("a*b*c", "a/b/c"), ("*.desktop", ".desktop"),
        ("org.gnome.*", "org.gnome.Nautilus"), (#"\*"#, "*"), (#"a\?"#, "A?"), ("[*]", "*"), ("[", "["),
        ("a b", "A B"), ("a\nb", "A\nB"),
    ])
    func aGlobMatchesWhateverTheCase(glob: String, name: String) {
        #expect(ApplicationPattern(glob).matches(name))
    }

    @Test(arguments: [
        ("Firefox", "Firefox2"), ("Firefox", "a Firefox"), ("fire", "Firefox"), ("fox*", "Firefox"),
        ("", "a"),
        ("?", ""), ("?", "ab"), ("???", "mp"), ("[a-z]", "1"), ("[!m]pv", "mpv"), ("[0-9]", "a"), ("[", "a"),
        (".", "a"), ("a.c", "abc"), ("a+", "aa"), ("(a|b)", "a"), ("{a,b}", "a"), (#"\*"#, "a"), (" a", "a"),
    ])
    func aGlobMatchesTheWholeNameOnly(glob: String, name: String) {
        #expect(!ApplicationPattern(glob).matches(name))
    }

    @Test(arguments: [
        ("日本*", "日本語"), ("*語", "日本語"), ("*é*", "Café 2"), ("Caf*", "Café"), ("CAFé", "café"), ("😀", "😀"),
    ])
    func namesBeyondASCIIAreMatched(glob: String, name: String) {
        #expect(ApplicationPattern(glob).matches(name))
    }

    @Test(arguments: [("É*", "éditeur"), ("CAFÉ", "Café"), ("*Ü*", "müller"), ("жук", "ЖУК")])
    func theCaseOfLettersBeyondASCIIDoesNotMatterEither(glob: String, name: String) {
        #expect(ApplicationPattern(glob).matches(name))
    }

    @Test(arguments: [("Caf?", "Café"), ("??語", "日本語"), ("?", "😀"), ("caf[éè]", "café")])
    func aLetterBeyondASCIIIsOneCharacter(glob: String, name: String) {
        #expect(ApplicationPattern(glob).matches(name))
    }

    @Test(arguments: [
        ("Firefox", true), ("firefox", true), ("Navigator", true), ("navi*", true), ("Inbox", false),
        ("active", false), ("0x2c00007", false), ("Firefox/Navigator", false), ("", false),
    ])
    func aChangeIsOfTheApplicationThatItsClassOrItsInstanceNames(glob: String, isMatched: Bool) {
        for change in Change.samples { #expect(ApplicationPattern(glob).matches(change) == isMatched) }
    }

    @Test func anApplicationIsNamedByAnyOfItsInstances() {
        let change = Change.sampleApplication.with {
            $0.subject = .application(
                .init(counts: .init(active: 2), pids: [], groups: ["Navigator", "Places"]))
        }
        for glob in ["navigator", "PLACES", "firefox"] { #expect(ApplicationPattern(glob).matches(change)) }
        #expect(!ApplicationPattern("toolkit").matches(change))
    }

    @Test func aSceneIsNotNamedByAnotherInstanceOfItsApplication() {
        let change = Change.sampleScene.with { $0.group = "Places" }
        #expect(!ApplicationPattern("Navigator").matches(change))
    }
}
