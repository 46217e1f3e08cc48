import Testing

@testable import Hooks

/// The messages for hooks with faulty reactions.
@Suite struct ReactionFaultTests {
    /// Each hook consists of these lines.
    @Test(arguments: [
        ("", ["it does nothing: add run or shell, or while with do, or with enter and leave"]),
        (
            "run = 'playerctl pause'",
            [#"run: found a string: write an array of words, ["playerctl", "pause"], or use shell"#]
        ),
        ("run = []", [#"run: it names no program: write an array of words, ["playerctl", "pause"]"#]),
        ("run = ['', 'a']", [#"run: it names no program: write an array of words, ["playerctl", "pause"]"#]),
        ("run = ['a', 1]", ["run: item 2: found an integer: write a string"]),
        ("shell = ''", ["shell: it is empty: write a shell command"]),
        ("shell = ['a']", ["shell: found an array: write a string"]),
        (
            "while = 'active'",
            ["enter", "leave"].map {
                "\($0): it is missing: a hook with while needs both enter and leave, or do"
            }
        ),
        (
            "while = 'active'\nenter = ['a']",
            ["leave: it is missing: a hook with while needs both enter and leave, or do"]
        ),
        (
            "while = 'active'\nenter = ['a']\nleave = ['a']\nfrom = 'active'\nto = 'active'",
            ["from", "to"].map {
                "\($0): it cannot be combined with while, which determines when the pair begins and ends"
            }
        ),
        (
            "while = 'active'\nenter = ['a']\nleave = ['a']\nrun = ['a']\nshell = 'a'",
            ["run", "shell"].map { "\($0): it cannot be combined with while, which runs enter and leave" }
        ),
        (
            "while = 'background'\ndo = 'freeze'",
            ["do: it needs application: otherwise it would apply to every application"]
        ),
        (
            "application = ['a', '*']\nwhile = 'background'\ndo = 'freeze'",
            ["do: '*' matches nearly every application: name those that may be frozen"]
        ),
        (
            "application = '/.?/'\nwhile = 'background'\ndo = ['freeze', 'mute']",
            ["do: '/.?/' matches nearly every application: name those that may be frozen"]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = ['freez', 3]\nenter = ['a']",
            [
                "do: item 2: found an integer: write a reaction",
                "do: there is no reaction 'freez' (did you mean 'freeze'?); the reactions are freeze, slow, idle, "
                    + "cap, mute, reclaim",
                "leave: it is missing: enter and leave go together",
            ]
        ),
        (
            "application = 'a'\nwhile = ['active', 'background']\ndo = 'freeze'",
            [
                "do: an application with the focus cannot be frozen: "
                    + "write while = \"background\" or [\"inactive\", \"background\"]"
            ]
        ),
        (
            "application = ['a', 'b*']\nwhile = ['inactive', 'background']\ndo = 'freeze'",
            ["do: a visible application is frozen only by its exact name: 'b*' is a pattern"]
        ),
        (
            "application = 'a'\nwhile = 'background'\nlevel = 'scene'\ndo = 'freeze'",
            ["do: reactions apply to whole applications: omit level"]
        ),
        (
            "application = 'a'\nwhile = 'inactive'\ndo = ['slow', 'idle']\nexcept = ['none', 'adio', 1]",
            [
                "except: item 3: found an integer: write an exception",
                "except: none cannot be combined with others",
                "except: there is no exception 'adio' (did you mean 'audio'?); the exceptions are "
                    + "audio, microphone, inhibit, selection, "
                    + "fullscreen, none",
                "do: idle includes slow: choose one of them",
            ]
        ),
        (
            "while = 'background'\nenter = ['a']\nleave = ['a']\nexcept = 'audio'",
            ["except: it needs do; for programs, use unless"]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'freeze'\npower = 'mians'\nwake = { evry = '3m', for = '0s' }",
            [
                "power: there is no power supply 'mians' (did you mean 'mains'?); the power supplies are battery, mains",
                "wake: there is no key 'evry' (did you mean 'every'?); the keys of wake are every, for",
                "wake.every: it is missing", "wake.for: it must be longer than 0",
            ]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'freeze'\nwake = { every = '5s', for = '1m' }",
            ["wake.for: 1m is not shorter than every, 5s: it would never be frozen"]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'slow'\nwake = '3m'",
            [
                #"wake: found a string: write a table, { every = "3m", for = "5s" }"#,
                #"wake: it needs do = ["freeze"]: only a frozen application can be woken"#,
            ]
        ),
        (
            "to = 'background'\nrun = ['a']\nwake = { every = '3m', for = 5 }",
            [
                #"wake.for: found an integer: write a duration, "250ms", "30s", "5m" or "1h""#,
                #"wake: it needs do = ["freeze"]: only a frozen application can be woken"#,
            ]
        ),
        (
            "to = 'background'\nrun = ['a']\nexcept = 'audio'",
            ["except: it needs while"]
        ),
        (
            "to = 'background'\ndo = 'freeze'",
            [
                "do: it needs while",
                "to: it cannot be combined with do, which needs while",
            ]
        ),
        (
            "application = 'a'\nwhile = 'background'\nto = 'background'\ndo = []",
            [
                "do: the list is empty: add an item or omit the key",
                "to: it cannot be combined with while, which determines when the pair begins and ends",
            ]
        ),
        (
            "enter = ['a']\nleave = ['a']",
            ["enter", "leave"].map { "\($0): it needs while" }
        ),
    ])
    func ofWhatDoesNotGoTogetherSaysWhatDoes(lines: String, expected: [String]) {
        #expect(faults("[[hook]]\nname = 'h'\n\(lines)") == expected.map { "f: hook[1] 'h': \($0)" })
    }

    @Test(arguments: [
        (
            "application = 'a'\nwhile = 'background'\ndo = 'cap'",
            [#"cap: it is missing: do = ["cap"] needs it, as cap = "20%""#]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'slow'\ncap = '20%'",
            [#"cap: it needs do = ["cap"]"#]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'cap'\ncap = '0%'",
            [#"cap: '0%' is not a share: write a percentage of one processor from "1%" to "10000%""#]
        ),
        (
            "application = 'a'\nwhile = 'background'\ndo = ['cpa', 'slow']\ncap = 20",
            [
                "do: there is no reaction 'cpa' (did you mean 'cap'?); the reactions are freeze, slow, idle, "
                    + "cap, mute, reclaim",
                #"cap: found an integer: write a percentage of one processor from "1%" to "10000%""#,
            ]
        ),
    ])
    func aCapAndItsReactionGoTogether(lines: String, expected: [String]) {
        ofWhatDoesNotGoTogetherSaysWhatDoes(lines: lines, expected: expected)
    }

    @Test(arguments: ["*", "**", "?*", "??*", "*?*", "[!x]*", "[a-z]*", "[!0-9]*", "/^/", "/[a-z]/", "/.../"])
    func whatFitsNearlyEveryApplicationIsNotFrozen(pattern: String) {
        let text = "[[hook]]\nname = 'h'\napplication = ['\(pattern)']\nwhile = 'background'\n"
        #expect(
            faults(text + "do = 'freeze'") == [
                "f: hook[1] 'h': do: '\(pattern)' matches nearly every application: name those that may be frozen"
            ])
        // Other reactions do no harm.
        #expect(faults(text + "do = ['slow', 'mute']").isEmpty)
    }

    @Test(arguments: ["steam_app_*", "*.exe", "[sf]*", "libreoffice*", "/^(slack|discord)$/", "7*"])
    func whatFitsSomeApplicationsIsFrozen(pattern: String) {
        let text = "[[hook]]\nname = 'h'\napplication = '\(pattern)'\nwhile = 'background'\ndo = 'freeze'"
        #expect(faults(text).isEmpty)
    }

    @Test func allThatIsWrongWithAReactionIsReportedAtOnce() {
        ofWhatDoesNotGoTogetherSaysWhatDoes(
            lines: """
                application = '*'
                while = ['inactive', 'background']
                level = 'scene'
                do = ['freeze', 'slow', 'idle']
                """,
            expected: [
                "do: a visible application is frozen only by its exact name: '*' is a pattern",
                "do: idle includes slow: choose one of them",
                "do: reactions apply to whole applications: omit level",
                "do: '*' matches nearly every application: name those that may be frozen",
            ])
    }

    @Test func whatIsWrongWithAReactionIsReportedWithoutItsPhasesToo() {
        ofWhatDoesNotGoTogetherSaysWhatDoes(
            lines: "application = '*'\nto = 'background'\ndo = 'freeze'",
            expected: [
                "do: it needs while",
                "to: it cannot be combined with do, which needs while",
                "do: '*' matches nearly every application: name those that may be frozen",
            ])
    }

    /// The unknown word may be a misspelling of the reaction that `wake` needs.
    @Test func anUnknownReactionIsNoFaultOfAnotherKey() {
        let words = "the reactions are freeze, slow, idle, cap, mute, reclaim"
        ofWhatDoesNotGoTogetherSaysWhatDoes(
            lines: """
                application = 'a'
                while = 'background'
                do = ['freez', 'mute']
                wake = { every = '3m', for = '5s' }
                power = ['mains', 'battery']
                """,
            expected: [
                "do: there is no reaction 'freez' (did you mean 'freeze'?); \(words)",
                #"power: found an array: write a power supply, "battery" or "mains""#,
            ])
    }
}
