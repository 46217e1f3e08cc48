import Testing

@testable import Hooks

/// The faults of a configuration. Each fault names its line, its key, the wrong value, and what is valid or nearest.
@Suite struct ConfigurationFaultTests {
    /// Checks that a configuration has the expected faults: `LINE BEGINNING | WORD, WORD`. In the configuration, a
    /// semicolon ends a line.
    ///
    /// - Parameter place: The table, which each beginning follows.
    private func check(_ lines: String, _ expected: [String], in place: String = "") {
        let reported = ConfigurationError.faults(of: lines.replacing("; ", with: "\n"))
        #expect(reported.count == expected.count, "\(reported)")
        for (fault, wanted) in zip(reported, expected) {
            let parts = wanted.split(separator: " | ")
            let start = parts[0].split(separator: " ", maxSplits: 1)
            #expect(fault.hasPrefix("f:\(start[0]): \(place)\(start[1])"), "\(wanted) — \(fault)")
            for word in parts.dropFirst().joined().split(separator: ", ") {
                #expect(fault.contains(word), "\(wanted) — \(fault)")
            }
        }
    }

    /// Checks a hook whose third line is the first of these.
    private func checkHook(_ lines: String, _ expected: [String]) {
        check("[[hook]]; name = 'h'; \(lines)", expected, in: "hook[1] 'h': ")
    }

    @Test(arguments: [
        ("polcy = 'focus'", "1 there is no key 'polcy' | 'policy'"),
        ("x = 1", "1 there is no key 'x' | policy, settle, session, hook"),
        ("; [x.y]", "2 there is no key 'x'"),
        ("policy = 'focsu'", "1 policy: | 'focsu', 'focus', application"),
        ("policy = 1", "1 policy: | integer, \"visible\""),
        ("settle = 1.5", "1 settle: | floating, \"250ms\""),
        ("occlusion = '2x'", "1 occlusion: | '2x', \"250ms\", \"none\""),
        ("idle = '0s'", "1 idle: | longer than 0"),
        ("keep = '36h'", "1 keep: | '36h', \"90d\""),
        (
            "journal-exclude = ['*private*', '/a(/']",
            "1 journal-exclude: | item 2, '/a(/', regular expression"
        ),
        ("journal_exclude = 'a'", "1 there is no key 'journal_exclude' | 'journal-exclude'"),
        ("session = 'lok'", "1 session: | 'lok', 'lock', away, display-off, none"),
        ("session = ['away', 'none']", "1 session: | none cannot be combined"),
        ("; [hook]; name = 'a'", "2 hook: | table, [[hook]]"),
        ("[[hook]]; shell = 'a'", "1 hook[1]: name: | missing"),
        (
            "[[hook]]; name = 'a'; shell = 'b'; application = '/(a{9}){9}/'",
            "4 hook[1] 'a': application: | '/(a{9}){9}/', within another bound"
        ),
        ("[[hook]]; name = []; shell = 'a'", "2 hook[1]: name: | array, name"),
        ("[[hook]]; name = ''; shell = 'a'", "2 hook[1] '': name: | empty"),
        ("[[hook]]; name = \"a\\u001Bb\"; shell = 'a'", #"2 hook[1] 'a\eb': name: | control characters"#),
        ("[[hook]]; name = 'hooks.d/a'; shell = 'a'", "2 hook[1] 'hooks.d/a': name: | must not begin"),
        ("[[hook]]; name = 'by hand: A'; shell = 'a'", "2 hook[1] 'by hand: A': name: | must not begin"),
        (
            "[[hook]]; name = 'a'; shell = 'b'; [[hook]]; name = 'a'; shell = 'b'",
            "5 hook[2] 'a': name: | hook[1]"
        ),
        (
            "policy = '\(String(repeating: "x", count: 10_000))'",
            "1 policy: there is no policy '\(String(repeating: "x", count: 60))…'"
        ),
    ])
    func aFaultOfAFileNamesItsLine(lines: String, fault: String) { check(lines, [fault]) }

    /// Each hook is valid except for these lines.
    @Test(arguments: [
        ("timeot = '3s'", "3 there is no key 'timeot' | 'timeout'"),
        ("settle = '1s'", "3 settle: it is a key of the whole file: move the line above the first [[hook]]"),
        ("application = ['a', 1]", "3 application: | item 2, integer, glob"),
        ("application = ''", "3 application: | '', is empty"),
        ("exclude = ['a', '[b']", "3 exclude: | '[b', glob, '[' is not closed"),
        ("instance = '/a(/'", "3 instance: | '/a(/', regular expression"),
        ("instance = 'a'; group = 'a'", "4 group: | instance, choose one"),
        ("desktop = -2", "3 desktop: | -1 means all desktops"),
        ("desktop = [1, 'a']", "3 desktop: | level = \"scene\""),
        ("title = 'a'; level = 'group'", "3 title: only scenes have a title: add level = \"scene\""),
        ("extent = 'maximized'", "3 extent: only scenes have an extent: add level = \"scene\""),
        ("level = 'class'; title = 'a'", "3 level: | 'class', mean 'application', group, scene"),
        ("from = 'backgruond'", "3 from: | 'backgruond', 'background', inactive, active"),
        ("from = 'background'; to = ['background']", "4 to: | the same phase as from"),
        ("to = true", "3 to: | boolean, list"),
        ("cause = 'title'", "3 cause: | needs the key title"),
        (
            "title = 'a'; level = 'scene'; cause = 'title'; from = 'active'",
            "6 from: | cannot be combined, 'title'"
        ),
        ("timeout = '8784001h'", "3 timeout: | 100 years"),
        ("initial = 'yes'", "3 initial: | 'yes', write true"),
        ("unless = 'a'", "3 unless: | 'a', [\"a\"], [\"sh\", \"-c\", \"a\"]"),
        ("enter = ['a']", "3 enter: | needs while"), ("run = ['a']", "4 shell: | combined with run"),
        ("wake = { every = '3m', for = '5s' }", "3 wake: | needs do"),
        ("except = 'audio'", "3 except: | needs do"),
    ])
    func aFaultOfAKeyNamesTheKey(lines: String, fault: String) { checkHook("\(lines); shell = 'a'", [fault]) }

    /// Each hook consists of these lines.
    @Test(arguments: [
        ("", ["1 it does nothing: | run or shell, while"]),
        ("run = 'playerctl pause'", ["3 run: | 'playerctl pause', [\"playerctl\", \"pause\"], shell"]),
        ("run = ['a', 1]", ["3 run: | item 2, integer"]), ("shell = ''", ["3 shell: | '', shell command"]),
        ("while = 'active'", ["1 enter: | missing", "1 leave: | missing"]),
        (
            "while = 'active'; enter = ['a']; from = 'active'; to = 'active'; run = ['a']; shell = 'a'",
            [
                "1 leave: | missing", "5 from: | with while", "6 to: | with while", "7 run: | with while",
                "8 shell: | with while",
            ]
        ),
        (
            "while = 'closed'; enter = ['a']; leave = ['b']; level = 'all'",
            ["3 while: | only an application, omit level"]
        ),
        ("while = 'background'; do = 'freeze'", ["4 do: | needs application"]),
        (
            "application = 'a'; to = 'background'; do = 'freeze'",
            ["4 to: | write while = \"background\""]
        ),
    ])
    func keysThatCannotBeCombinedAreFaultsThatSayWhatCan(lines: String, expected: [String]) {
        checkHook(lines, expected)
    }

    /// Each hook has these lines behind `session = 'lock'`, its third.
    @Test(arguments: [
        ("", ["1 it does nothing: add run or shell, or enter and leave"]),
        ("run = ['a']; shell = 'a'", ["5 shell: | with run: choose"]),
        (
            "enter = ['a']; every = '1m'; run = ['a']; shell = 'a'",
            ["1 leave: | missing", "5 every: | with enter", "6 run: | with enter", "7 shell: | with enter"]
        ),
        (
            "run = ['a']; application = 'a'; level = 'all'; title = 'a'",
            [
                "5 application: | about no application, above the first [[hook]]",
                "6 level: | about no application",
                "7 title: | about no application",
            ]
        ),
        (
            "run = ['a']; exclude = 'a'; instance = 'a'; group = 'a'; process = 'a'; desktop = 0; role = 'a'; monitor = 'a'; extent = 'tab'",
            [
                "5 exclude:", "6 instance:", "7 group:", "8 process:", "9 desktop:", "10 role:",
                "11 monitor:", "12 extent:",
            ]
        ),
        (
            "run = ['a']; to = 'active'; from = 'active'; cause = 'lock'",
            ["5 to: | states determine", "6 from: | states determine", "7 cause: | states determine"]
        ),
        (
            "enter = ['a']; leave = ['a']; while = 'active'; do = 'freeze'; except = 'audio'",
            ["6 while: | states determine", "7 do: | write enter and leave", "8 except: | reactions"]
        ),
        (
            "run = ['a']; cap = '20%'; wake = { every = '3m', for = '5s' }",
            ["5 cap: | reactions", "6 wake: | reactions"]
        ),
    ])
    func aFaultOfAHookOnTheSessionSaysWhy(lines: String, expected: [String]) {
        checkHook("session = 'lock'; \(lines)", expected)
    }

    @Test(arguments: [
        ("'locked'", "'locked', 'lock', away, display-off, idle"),
        ("['idle', 'none']", "item 2, 'none', idle"),
        ("[]", "the list is empty"),
    ])
    func anUnknownStateOfTheSessionIsAFaultThatNamesTheValidOnes(value: String, words: String) {
        checkHook("session = \(value); run = ['a']", ["3 session: | \(words)"])
    }

    /// Of other programs, with the one here.
    @Test(arguments: [
        ("to", "'background'", ["hidden", "minimized", "minimised", "iconified"]),
        ("to", "'active'", ["focused"]),
        ("to", "'closed'", ["quit", "exit", "exited", "ended", "gone", "closes"]),
        ("cause", "'iconify'", ["minimize", "minimise", "minimized", "iconified"]),
        ("level", "'application'", ["class", "app"]), ("level", "'scene'", ["window"]),
        ("power", "'mains'", ["ac", "plugged"]), ("session", "'lock'", ["locked", "screensaver"]),
        ("session", "'display-off'", ["blank", "off"]),
    ])
    func aWordOfAnotherProgramIsAFaultThatNamesTheOneHere(key: String, meant: String, words: [String]) {
        for word in words {
            checkHook("\(key) = '\(word)'; run = ['a']", ["3 \(key): | (did you mean \(meant)?)"])
        }
    }

    @Test(arguments: [
        ("do", "'freeze'", ["pause", "stop", "suspend"]), ("except", "'audio'", ["sound", "music"]),
        ("except", "'microphone'", ["mic"]),
    ])
    func aWordOfAnotherProgramForAReactionIsAFaultThatNamesTheOneHere(
        key: String, meant: String, words: [String]
    ) {
        let rest = "application = 'a'; while = 'background'" + (key == "do" ? "" : "; do = 'freeze'")
        for word in words {
            checkHook("\(key) = '\(word)'; \(rest)", ["3 \(key): | (did you mean \(meant)?)"])
        }
    }

    @Test(arguments: [("command", "run"), ("class", "application"), ("app", "application")])
    func aKeyOfAnotherProgramIsAFaultThatNamesTheOneHere(key: String, meant: String) {
        checkHook("\(key) = ['a']; run = ['b']", ["3 there is no key '\(key)' (did you mean '\(meant)'?)"])
    }

    @Test func aHookOnTheSessionHasTheOtherKeys() throws {
        let usual = "after = '1s'\nunless = ['a']\ntimeout = '1s'\ninitial = true\npower = 'battery'\n"
        let start = "[[hook]]\nname = 'h'\nsession = ['idle', 'away', 'display-off', 'lock']\n\(usual)"
        let run = try #require(
            try Configuration(text: start + "run = ['a']\nevery = '1m'", file: "f").hooks.first)
        #expect(run.condition.session.count == 4 && run.pair == nil && run.every == .seconds(60))
        let pair = try #require(
            try Configuration(text: start + "enter = ['a']\nleave = ['b']", file: "f").hooks.first)
        #expect(pair.pair?.leave == .arguments(["b"]) && pair.condition.initial)
    }

    /// Each hook has these lines behind `application` and `while`, its third and fourth.
    @Test(arguments: [
        (
            "do = ['freez', 3]; enter = ['a']",
            ["5 do: | item 1, 'freez', slow, mute", "5 do: | item 2, integer", "6 enter: | do, two hooks"]
        ),
        (
            "do = 'freeze'; leave = ['a']; run = ['a']; every = '1s'",
            ["6 leave: | do, two hooks", "7 run: | do, two hooks", "8 every: | do, two hooks"]
        ),
        (
            "level = 'scene'; do = 'freeze'; title = 'b'; role = 'b'",
            ["6 do: | omit level", "7 title: | do, whole applications", "8 role: | do, whole"]
        ),
        (
            "do = 'mute'; instance = 'b'; process = 'b'; desktop = 'b'; monitor = 'b'; extent = 'tab'",
            [
                "6 instance: | do, whole applications", "7 process: | do, whole", "8 desktop: | do, whole",
                "9 monitor: | do, whole", "10 extent: | do, whole",
            ]
        ),
        ("do = 'slow'; except = ['none', 'audio']", ["6 except: | none cannot be combined"]),
        ("to = 'background'; do = []", ["5 to: | cannot be combined with while", "6 do: | empty"]),
        (
            "do = 'freeze'; power = 'mians'; wake = { evry = '3m', for = '0s' }",
            [
                "6 power: | 'mians', 'mains', battery", "7 wake: | 'evry', 'every', for",
                "7 wake: every: | missing", "7 wake: for: | longer than 0",
            ]
        ),
        ("do = 'freeze'; wake = { every = '5s', for = '1m' }", ["6 wake: for: | 1m, 5s"]),
        (
            "do = 'slow'; wake = '3m'",
            ["6 wake: | '3m', { every = \"3m\"", "6 wake: | needs do = [\"freeze\"]"]
        ),
        // The unknown word may be a misspelling of the reaction that `wake` and `cap` need.
        ("do = ['freez', 'mute']; wake = { every = '3m', for = '5s' }", ["5 do: | 'freez', 'freeze'"]),
        ("do = ['cpa']; cap = 20", ["5 do: | 'cpa', 'cap'", "6 cap: | integer, \"20%\""]),
        ("do = 'cap'", ["1 cap: | missing, cap = \"20%\""]),
        ("do = 'cap'; cap = '0%'", ["6 cap: | '0%', \"10000%\""]),
        ("do = 'slow'; cap = '20%'", ["6 cap: | needs do = [\"cap\"]"]),
    ])
    func aFaultOfAReactionNamesWhatItNeeds(lines: String, expected: [String]) {
        checkHook("application = 'a'; while = 'background'; \(lines)", expected)
    }

    @Test(arguments: ["*", "**", "?*", "??*", "*?*", "[!x]*", "[a-z]*", "[!0-9]*", "/^/", "/[a-z]/", "/.../"])
    func aPatternThatFitsNearlyEveryApplicationFreezesNothing(pattern: String) {
        let lines = "application = ['a', '\(pattern)']; while = 'background'; "
        checkHook(lines + "do = ['freeze', 'mute']", ["5 do: | '\(pattern)', nearly every application"])
        // Other reactions do no harm.
        checkHook(lines.replacing("background", with: "inactive") + "do = ['slow', 'mute']", [])
    }

    @Test(arguments: ["steam_app_*", "*.exe", "[sf]*", "libreoffice*", "/^(slack|discord)$/", "7*"])
    func aPatternThatFitsSomeApplicationsFreezesThem(pattern: String) {
        let lines = "application = '\(pattern)'; do = 'freeze'; "
        checkHook(lines + "while = 'background'", [])
        checkHook(lines + "while = ['inactive', 'background']", ["4 do: | exact name, '\(pattern)'"])
        for phases in ["['active', 'background']", "'inactive'"] {
            checkHook(lines + "while = \(phases)", ["4 do: | focus, while = \"background\""])
        }
    }

    /// Covers quoted keys, keys of subtables, keys after multi-line values, and a UTF-8 byte order mark.
    @Test func eachFaultHasTheLineOfItsKeyInTheirOrder() {
        let text = #"""
            # a = 1
            journal = [
              "after = 1",
            ]
              [[ hook ]]
            name = """
            after = 1
            """
            [['hook']] # another one
            "while" = 'no' # while = 1
            [[ "hook" ]]
            name = 'h'
            [hook.wake]
            every = '0s'
            """#
        check(
            "\u{FEFF}" + text,
            [
                "2 journal: found an array", "5 hook[1] ", "6 hook[1] ", "9 hook[2]: name",
                "9 hook[2]: enter",
                "9 hook[2]: leave", "10 hook[2]: while: ", "11 hook[3] 'h': it does",
                "13 hook[3] 'h': wake: every",
                "13 hook[3] 'h': wake: for", "13 hook[3] 'h': wake: it needs do",
            ])
        check(
            "# 1; hook = [; {name = 'a', after = 1},; ]; ",
            ["3 hook[1] 'a': after", "3 hook[1] 'a': it does nothing"])
        check("[[hook]]\r; name = 'a'\r; after = 1\r; shell = 'a'\r; ", ["3 hook[1] 'a': after"])
    }
}
