import Testing

@testable import Hooks

/// Returns the faults of a configuration, with line numbers.
func numberedFaults(_ text: String) -> [String] {
    do {
        _ = try Configuration(text: text, file: "f")
        return []
    } catch {
        return error.faults
    }
}

/// The faults of a configuration. Each fault names its line, its key, the wrong value, and what is valid or nearest.
@Suite struct ConfigurationFaultTests {
    /// Compares faults with their expected lines, beginnings and words, as `LINE BEGINNING | WORD, WORD`.
    ///
    /// - Parameter place: The table, which each beginning follows.
    private func check(_ text: String, _ expected: [String], in place: String = "") {
        let reported = numberedFaults(text)
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

    /// Checks a hook whose third line is the first of these. A semicolon ends a line.
    private func checkHook(_ lines: String, _ expected: [String]) {
        let text = "[[hook]]\nname = 'h'\n\(lines.replacing("; ", with: "\n"))"
        check(text, expected, in: "hook[1] 'h': ")
    }

    @Test(arguments: [
        ("polcy = 'focus'", "1 there is no key 'polcy' | 'policy'"),
        ("x = 1", "1 there is no key 'x' | policy, settle, session, hook"),
        ("\n[x.y]", "2 there is no key 'x'"),
        ("policy = 'focsu'", "1 policy: | 'focsu', 'focus', application"),
        ("policy = 1", "1 policy: | integer, \"visible\""), ("settle = 5", "1 settle: | integer, \"250ms\""),
        ("settle = '5x'", "1 settle: | '5x', \"250ms\", 100 years"),
        ("occlusion = '2x'", "1 occlusion: | '2x', \"250ms\""),
        ("occlusion = 2", "1 occlusion: | integer, \"none\""), ("idle = '0s'", "1 idle: | longer than 0"),
        ("keep = '3w'", "1 keep: | '3w', \"90d\""), ("journal = 1", "1 journal: | integer, true or false"),
        ("session = 'lok'", "1 session: | 'lok', 'lock', away, display-off, none"),
        ("session = ['away', 'none']", "1 session: | none cannot be combined"),
        ("session = [1]", "1 session: | item 1, integer"), ("session = true", "1 session: | boolean, list"),
        ("\n[hook]\nname = 'a'", "2 hook: | table, [[hook]]"), ("hook = [1.5]", "1 hook: | array, [[hook]]"),
        ("[[hook]]\nshell = 'a'", "1 hook[1]: name: | missing"),
        ("[[hook]]\nname = []\nshell = 'a'", "2 hook[1]: name: | array, name"),
        ("[[hook]]\nname = ''\nshell = 'a'", "2 hook[1] '': name: | empty"),
        ("[[hook]]\nname = \"a\\u001Bb\"\nshell = 'a'", #"2 hook[1] 'a\eb': name: | control characters"#),
        ("[[hook]]\nname = 'hooks.d/a'\nshell = 'a'", "2 hook[1] 'hooks.d/a': name: | executables"),
        (
            "[[hook]]\nname = 'a'\nshell = 'b'\n[[hook]]\nname = 'a'\nshell = 'b'",
            "5 hook[2] 'a': name: | hook[1]"
        ),
    ])
    func ofAFileNamesItsPlace(text: String, fault: String) { check(text, [fault]) }

    /// Each hook is valid except for these lines.
    @Test(arguments: [
        ("timeot = '3s'", "3 there is no key 'timeot' | 'timeout'"),
        ("xyz = 1", "3 there is no key 'xyz' | application, while, wake"),
        ("application = ['a', 1]", "3 application: | item 2, integer, glob"),
        ("application = []", "3 application: | empty"), ("to = []", "3 to: | empty"),
        ("desktop = []", "3 desktop: | empty"), ("application = ''", "3 application: | '', match nothing"),
        ("exclude = ['a', '[b']", "3 exclude: | '[b', glob, '[' is not closed"),
        ("instance = '/a(/'", "3 instance: | '/a(/', regular expression"),
        ("process = '//'", "3 process: | '//', match everything"),
        ("instance = 'a'; group = 'a'", "4 group: | instance, choose one"),
        ("desktop = -2", "3 desktop: | -1 means all desktops"),
        ("desktop = [1, 'a']", "3 desktop: | level = \"scene\""),
        ("role = 'a'", "3 role: | level = \"scene\""),
        ("title = 'a'", "3 title: | level = \"scene\""), ("monitor = 'a'", "3 monitor: | level = \"scene\""),
        ("extent = 'maximized'", "3 extent: | level = \"scene\""),
        ("title = 'a'; level = 'group'", "3 title: | level = \"scene\""),
        ("level = 'window'", "3 level: | 'window', application, group, scene"),
        ("level = ['scene']", "3 level: | array, \"scene\""),
        ("from = 'backgruond'", "3 from: | 'backgruond', 'background', inactive, active"),
        ("from = 'background'; to = ['background']", "4 to: | the same phase as from"),
        ("to = true", "3 to: | boolean, list"), ("cause = 'iconfy'", "3 cause: | 'iconfy', 'iconify'"),
        ("cause = ['focus', 'hover']", "3 cause: | 'hover', start, open, close, focus, resync"),
        ("cause = 'title'", "3 cause: | needs the key title"),
        (
            "title = 'a'; level = 'scene'; cause = 'title'; from = 'active'",
            "6 from: | cannot be combined, 'title'"
        ),
        ("after = 1979-05-27", "3 after: | date, \"250ms\""),
        ("timeout = '8784001h'", "3 timeout: | 100 years"), ("timeout = '0'", "3 timeout: | longer than 0"),
        ("initial = 'yes'", "3 initial: | 'yes', true or false"),
        ("unless = 'a'", "3 unless: | 'a', [\"playerctl\", \"pause\"]"),
        ("enter = ['a']", "3 enter: | needs while"), ("run = ['a']", "4 shell: | combined with run"),
    ])
    func ofAKeyNamesIt(line: String, fault: String) { checkHook("\(line); shell = 'a'", [fault]) }

    /// Each hook consists of these lines.
    @Test(arguments: [
        ("", ["1 it does nothing: | run or shell, while"]),
        ("run = 'playerctl pause'", ["3 run: | 'playerctl pause', [\"playerctl\", \"pause\"], shell"]),
        ("run = []", ["3 run: | no program"]), ("run = ['', 'a']", ["3 run: | no program"]),
        ("run = ['a', 1]", ["3 run: | item 2, integer"]), ("shell = ''", ["3 shell: | '', shell command"]),
        ("shell = ['a']", ["3 shell: | array, shell command"]),
        ("while = 'active'", ["1 enter: | missing", "1 leave: | missing"]),
        ("while = 'active'; enter = ['a']", ["1 leave: | missing"]),
        (
            "while = 'active'; enter = ['a']; leave = ['a']; from = 'active'; to = 'active'; run = ['a']; shell = 'a'",
            ["6 from: | with while", "7 to: | with while", "8 run: | with while", "9 shell: | with while"]
        ),
        ("enter = ['a']; leave = ['a']", ["3 enter: | needs while", "4 leave: | needs while"]),
        (
            "while = 'closed'; enter = ['a']; leave = ['b']; level = 'all'",
            ["3 while: | only an application, omit level"]
        ),
        ("to = 'background'; run = ['a']; except = 'audio'", ["5 except: | needs do"]),
        ("while = 'background'; enter = ['a']; leave = ['a']; except = 'audio'", ["6 except: | needs do"]),
        ("while = 'background'; do = 'freeze'", ["4 do: | needs application"]),
        (
            "application = 'a'; to = 'background'; do = 'freeze'",
            ["4 to: | cannot be combined with while", "5 do: | needs while"]
        ),
    ])
    func ofWhatDoesNotGoTogetherSaysWhatDoes(lines: String, expected: [String]) {
        checkHook(lines, expected)
    }

    /// Each hook has these lines behind `application` and `while`, its third and fourth.
    @Test(arguments: [
        (
            "do = ['freez', 3]; enter = ['a']",
            ["5 do: | item 1, 'freez', slow, mute", "5 do: | item 2, integer", "6 enter: | do, two hooks"]
        ),
        (
            "do = 'freeze'; enter = ['a']; leave = ['a']; run = ['a']",
            ["6 enter: | do, two hooks", "7 leave: | do, two hooks", "8 run: | do, two hooks"]
        ),
        (
            "level = 'scene'; do = 'freeze'; title = 'b'; role = 'b'",
            ["6 do: | omit level", "7 title: | do, whole applications", "8 role: | do, whole"]
        ),
        (
            "do = ['slow', 'mute']; except = ['none', 'adio', 1]",
            [
                "6 except: | item 3, integer", "6 except: | none cannot be combined",
                "6 except: | 'adio', 'audio', microphone, fullscreen",
            ]
        ),
        (
            "do = 'mute'; instance = 'b'; process = 'b'; desktop = 1",
            ["6 instance: | do, whole applications", "7 process: | do, whole", "8 desktop: | do, whole"]
        ),
        (
            "do = 'freeze'; group = 'b'; monitor = 'b'; extent = 'tab'; desktop = 'b'",
            [
                "6 group: | do, whole applications", "7 monitor: | do, whole", "8 extent: | do, whole",
                "9 desktop: | do, whole",
            ]
        ),
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
        // The unknown word may be a misspelling of the reaction that `wake` needs.
        (
            "do = ['freez', 'mute']; wake = { every = '3m', for = '5s' }; power = ['mains']",
            ["5 do: | 'freez', 'freeze'", "7 power: | array, \"battery\""]
        ),
        ("do = 'cap'", ["1 cap: | missing, cap = \"20%\""]),
        ("do = 'slow'; cap = '20%'", ["6 cap: | needs do = [\"cap\"]"]),
        ("do = 'cap'; cap = '0%'", ["6 cap: | '0%', \"10000%\""]),
        ("do = ['cpa']; cap = 20", ["5 do: | 'cpa', 'cap'", "6 cap: | integer, \"1%\""]),
    ])
    func ofAReactionNamesWhatItNeeds(lines: String, expected: [String]) {
        checkHook("application = 'a'; while = 'background'; \(lines)", expected)
    }

    @Test(arguments: ["*", "**", "?*", "??*", "*?*", "[!x]*", "[a-z]*", "[!0-9]*", "/^/", "/[a-z]/", "/.../"])
    func whatFitsNearlyEveryApplicationIsNotFrozen(pattern: String) {
        let lines = "application = ['a', '\(pattern)']; while = 'background'; "
        checkHook(lines + "do = ['freeze', 'mute']", ["5 do: | '\(pattern)', nearly every application"])
        // Other reactions do no harm.
        checkHook(lines.replacing("background", with: "inactive") + "do = ['slow', 'mute']", [])
    }

    @Test(arguments: ["steam_app_*", "*.exe", "[sf]*", "libreoffice*", "/^(slack|discord)$/", "7*"])
    func whatFitsSomeApplicationsIsFrozen(pattern: String) {
        let lines = "application = '\(pattern)'; do = 'freeze'; "
        checkHook(lines + "while = 'background'", [])
        checkHook(lines + "while = ['inactive', 'background']", ["4 do: | exact name, '\(pattern)'"])
        checkHook(lines + "while = ['active', 'background']", ["4 do: | focus, while = \"background\""])
    }

    @Test(arguments: [
        ("a = ", "1:5: Error while parsing key-value pair: encountered end-of-file"),
        ("a = \n", "1:5: Error while parsing key-value pair: expected value, saw '\\n'"),
        ("\n  [[hook]\n", "2:10: "), ("a = 1\na = 2", "2:5: "), ("a = \"\u{1B}[31m\"", "1:6: "),
        // No string is cut at a NUL.
        ("\nrun = ['a', \"b\\u0000c\"]", "2:15: a NUL character, which no program or name can have"),
        ("a = \"\"\"a\\U00000000\"\"\"", "1:9: a NUL"), ("\"a\\u0000\" = 1", "1:3: a NUL"),
        ("[\"a\\u0000\"]", "1:4: a NUL"), ("a = \"\\\\\\u0000\"", "1:8: a NUL"),
        ("a = 1\nb = \"c\nd = 'e'", "2:5: this quote begins a string that is not closed"),
        ("a = 'b", "1:5: this quote"), ("a = \"\"\"b\n", "1:5: this quote"),
        ("a = '''b\n", "1:5: this quote"),
    ])
    func ofSyntaxHasLineAndColumn(text: String, start: String) {
        let reported = numberedFaults(text)
        #expect(reported.count == 1)
        #expect(reported.first?.hasPrefix("f:\(start)") == true, "\(reported)")
        #expect(reported.first?.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
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
        let starts = [
            "2: journal: found an array", "5: hook[1] ", "6: hook[1] ", "9: hook[2]: name",
            "9: hook[2]: enter",
            "9: hook[2]: leave", "10: hook[2]: while: ", "11: hook[3] 'h': it does",
            "13: hook[3] 'h': wake: every",
            "13: hook[3] 'h': wake: for", "13: hook[3] 'h': wake: it needs do",
        ]
        let reported = numberedFaults("\u{FEFF}" + text)
        #expect(reported.count == starts.count, "\(reported)")
        for (fault, start) in zip(reported, starts) {
            #expect(fault.hasPrefix("f:\(start)"), "\(start) — \(fault)")
        }
        check(
            "# 1\nhook = [\n{name = 'a', after = 1},\n]\n",
            ["2 hook[1] 'a': after", "2 hook[1] 'a': it does nothing"])
        check("[[hook]]\r\nname = 'a'\r\nafter = 1\r\nshell = 'a'\r\n", ["3 hook[1] 'a': after"])
    }

    @Test(arguments: Configuration.keys.map(\.name))
    func everyKeyOfTheFileIsKnownInATable(_ key: String) {
        let fault = "3 \(key): it is a key of the whole file: move the line above the first [[hook]]"
        checkHook("\(key) = \"x\"; shell = 'a'", [fault])
    }

    /// A file may be truncated at any point while it is written.
    @Test func everyBeginningOfAFileIsReadOrRefused() {
        let example = ConfigurationTests.example
        for end in example.indices {
            for fault in numberedFaults(String(example[..<end])) { #expect(fault.hasPrefix("f:")) }
        }
    }

    @Test func longAndHostileValuesAreShownShortAndEscaped() {
        let long = String(repeating: "x", count: 10_000)
        check("policy = '\(long)'", ["1 policy: there is no policy '\(String(repeating: "x", count: 60))…'"])
        check("policy = \"\\u001B[2J\"", [#"1 policy: | '\e[2J'"#])
    }
}
