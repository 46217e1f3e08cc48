import Scenes
import Testing

@testable import Hooks
@testable import xphase

/// The descriptions of hooks in words.
struct HookWordsTests {
    private static func words(_ keys: String) throws -> [String] {
        let text = "[[hook]]\nname = 'h'\n\(keys)"
        return try #require(try Configuration(text: text, file: "f").hooks.first).inWords
    }

    @Test(arguments: [
        (
            "application = 'a'\nwhile = 'background'\ndo = 'freeze'",
            [
                "while a is in the background", "do: freeze",
                "except: audio, microphone, selection",
            ]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'cap'\ncap = '20%'",
            ["while a is in the background", "do: cap", "cap: 20% of one processor"]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'freeze'\nexcept = 'none'\npower = 'battery'\nwake = { every = '3m', for = '5s' }",
            ["while a is in the background, on battery", "do: freeze", "wake: for 5s every 3m"]
        ),
        (
            """
            application = ['mpv', 'vlc']\nfrom = 'active'\nto = 'background'\ncause = ['desktop', 'iconify']
            after = '5s'\ntimeout = '10s'\nrun = ['playerctl', 'pause']
            """,
            [
                "when mpv or vlc goes from active to background because of iconify or desktop, and stays so for 5s",
                "run: playerctl pause (at most 10s)",
            ]
        ),
        // No word reaches the terminal as it is.
        (
            """
            application = "\\u001B[2J]"\nwhile = ['background', 'inactive']\nafter = '30s'\nunless = ['pgrep', 'x']
            enter = ['sh', '-c', "echo $1 >> it's"]\nleave = ['sh', '-c', "a && b\\u001B"]
            """,
            [
                #"while \e[2J] is inactive or in the background, for at least 30s"#, "unless pgrep x exits 0",
                #"enter: sh -c 'echo $1 >> it'\''s' (at most 30s)"#,
                #"leave: sh -c 'a && b\e' (at most 30s)"#,
            ]
        ),
    ])
    func aHookReadsAsSentences(keys: String, words: [String]) throws {
        #expect(try Self.words(keys) == ["h"] + words.map { "  \($0)" })
    }

    /// A title is a step unless a phase is left.
    @Test(arguments: [
        ("", "any application opens, changes its phase or closes"),
        ("to = ['active', 'inactive']", "any application becomes active or inactive"),
        (
            "initial = true\nto = 'background'",
            "any application becomes background, or is found so at the start"
        ),
        ("level = 'group'\napplication = 'a'\nfrom = 'active'", "a group of a leaves active"),
        (
            """
            level = 'scene'\napplication = ['a', 'b', 'c']\ninstance = ['g', 'h']\nexclude = 'd'
            role = 'r'\ntitle = '*t*'\nfrom = 'active'
            """, "a scene of a, b or c in group g or h but not d in the role r titled *t* leaves active"
        ),
        ("title = 't'", "SCENE gets that title, opens, changes its phase or closes"),
        ("title = 't'\nto = 'active'", "SCENE becomes active, or gets that title while it is"),
        ("title = 't'\nfrom = 'active'", "SCENE leaves active"),
        ("title = 't'\nto = 'active'\ncause = 'focus'", "SCENE becomes active because of focus"),
        ("title = 't'\ncause = 'title'", "SCENE gets that title"),
        ("title = 't'\nto = 'active'\ncause = 'title'", "SCENE gets that title while it is active"),
    ])
    func aConditionSaysOfWhatAndWhichStep(keys: String, words: String) throws {
        let level = keys.hasPrefix("title") ? "level = 'scene'\n" : ""
        let wanted = words.replacing("SCENE", with: "a scene of any application titled t")
        #expect(try Self.words("\(level)run = ['a']\n\(keys)")[1] == "  when \(wanted)")
    }
}
