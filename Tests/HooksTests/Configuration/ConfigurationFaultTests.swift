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

/// Returns the faults of a configuration without line numbers. Those with a column keep both.
func faults(_ text: String) -> [String] {
    numberedFaults(text).map { fault in
        let parts = fault.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Int(parts[1]) != nil, parts[2].hasPrefix(" ") else { return fault }
        return "\(parts[0]):\(parts[2])"
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

    @Test(arguments: [
        ("polcy = 'focus'", "1 there is no key 'polcy' | 'policy'"),
        ("x = 1", "1 there is no key 'x' | policy, settle, session, hook"),
        ("policy = 'focsu'", "1 policy: | 'focsu', 'focus', application, visible"),
        ("policy = 1", "1 policy: | integer, \"visible\""),
        ("settle = 5", "1 settle: | integer, \"250ms\""),
        ("settle = '5x'", "1 settle: | '5x', \"250ms\", 100 years"),
        ("occlusion = '2x'", "1 occlusion: | '2x', \"250ms\""),
        ("occlusion = 2", "1 occlusion: | integer, \"none\""),
        ("idle = '0s'", "1 idle: | longer than 0"),
        ("keep = '3w'", "1 keep: | '3w', \"90d\""),
        ("journal = 1", "1 journal: | integer, true or false"),
        ("session = 'lok'", "1 session: | 'lok', 'lock', away, display-off, none"),
        ("session = ['away', 'none']", "1 session: | none cannot be combined"),
        ("session = [1]", "1 session: | item 1, integer"),
        ("session = true", "1 session: | boolean, list"),
        ("\n[hook]\nname = 'a'", "2 hook: | table, [[hook]]"),
        ("hook = [1.5]", "1 hook: | array, [[hook]]"),
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

    /// Checks a hook whose third line is the first of these.
    private func checkHook(_ lines: String, _ expected: [String]) {
        check("[[hook]]\nname = 'h'\n\(lines)", expected, in: "hook[1] 'h': ")
    }

    /// Each hook is valid except for these lines.
    @Test(arguments: [
        ("timeot = '3s'", "3 there is no key 'timeot' | 'timeout'"),
        ("xyz = 1", "3 there is no key 'xyz' | application, while, wake"),
        ("application = ['a', 1]", "3 application: | item 2, integer, glob"),
        ("application = []", "3 application: | empty"), ("to = []", "3 to: | empty"),
        ("desktop = []", "3 desktop: | empty"),
        ("application = ''", "3 application: | '', match nothing"),
        ("exclude = ['a', '[b']", "3 exclude: | '[b', glob, '[' is not closed"),
        ("instance = '/a(/'", "3 instance: | '/a(/', regular expression"),
        ("process = '//'", "3 process: | '//', match everything"),
        ("instance = 'a'\ngroup = 'a'", "4 group: | instance, choose one"),
        ("desktop = -2", "3 desktop: | -1 means all desktops"),
        ("desktop = [1, 'a']", "3 desktop: | level = \"scene\""),
        ("title = 'a'", "3 title: | level = \"scene\""),
        ("role = 'a'", "3 role: | level = \"scene\""), ("monitor = 'a'", "3 monitor: | level = \"scene\""),
        ("extent = 'maximized'", "3 extent: | level = \"scene\""),
        ("title = 'a'\nlevel = 'group'", "3 title: | level = \"scene\""),
        ("level = 'window'", "3 level: | 'window', application, group, scene"),
        ("level = ['scene']", "3 level: | array, \"scene\""),
        ("from = 'backgruond'", "3 from: | 'backgruond', 'background', inactive, active"),
        ("from = 'background'\nto = ['background']", "4 to: | the same phase as from"),
        ("to = true", "3 to: | boolean, list"),
        ("cause = 'iconfy'", "3 cause: | 'iconfy', 'iconify'"),
        ("cause = ['focus', 'hover']", "3 cause: | 'hover', start, open, close, focus, resync"),
        ("cause = 'title'", "3 cause: | needs the key title"),
        (
            "title = 'a'\nlevel = 'scene'\ncause = 'title'\nfrom = 'active'",
            "6 from: | cannot be combined, 'title'"
        ),
        ("after = 1979-05-27", "3 after: | date, \"250ms\""),
        ("timeout = '8784001h'", "3 timeout: | 100 years"),
        ("timeout = '0'", "3 timeout: | longer than 0"),
        ("initial = 'yes'", "3 initial: | 'yes', true or false"),
        ("unless = 'a'", "3 unless: | 'a', [\"playerctl\", \"pause\"]"),
        ("enter = ['a']", "3 enter: | needs while"), ("run = ['a']", "4 shell: | combined with run"),
    ])
    func ofAKeyNamesIt(line: String, fault: String) { checkHook("\(line)\nshell = 'a'", [fault]) }

    /// Each hook consists of these lines.
    @Test(arguments: [
        ("", ["1 it does nothing: | run or shell, while"]),
        ("run = 'playerctl pause'", ["3 run: | 'playerctl pause', [\"playerctl\", \"pause\"], shell"]),
        ("run = []", ["3 run: | no program"]), ("run = ['', 'a']", ["3 run: | no program"]),
        ("run = ['a', 1]", ["3 run: | item 2, integer"]),
        ("shell = ''", ["3 shell: | '', shell command"]),
        ("shell = ['a']", ["3 shell: | array, shell command"]),
        ("while = 'active'", ["1 enter: | missing", "1 leave: | missing"]),
        ("while = 'active'\nenter = ['a']", ["1 leave: | missing"]),
        (
            "while = 'active'\nenter = ['a']\nleave = ['a']\nfrom = 'active'\nto = 'active'",
            ["6 from: | cannot be combined with while", "7 to: | cannot be combined with while"]
        ),
        (
            "while = 'active'\nenter = ['a']\nleave = ['a']\nrun = ['a']\nshell = 'a'",
            ["6 run: | cannot be combined with while", "7 shell: | cannot be combined with while"]
        ),
        ("enter = ['a']\nleave = ['a']", ["3 enter: | needs while", "4 leave: | needs while"]),
        ("to = 'background'\nrun = ['a']\nexcept = 'audio'", ["5 except: | needs do"]),
        (
            "while = 'background'\nenter = ['a']\nleave = ['a']\nexcept = 'audio'",
            ["6 except: | needs do"]
        ),
        ("while = 'background'\ndo = 'freeze'", ["4 do: | needs application"]),
        (
            "application = 'a'\nwhile = 'background'\ndo = 'freeze'\nenter = ['a']\nleave = ['a']\nrun = ['a']",
            ["6 enter: | do, two hooks", "7 leave: | do, two hooks", "8 run: | do, two hooks"]
        ),
    ])
    func ofWhatDoesNotGoTogetherSaysWhatDoes(lines: String, expected: [String]) {
        checkHook(lines, expected)
    }

    /// Each hook consists of these lines and `application = 'a'`.
    @Test(arguments: [
        (
            "while = 'background'\ndo = ['freez', 3]\nenter = ['a']",
            [
                "4 do: | item 1, 'freez', 'freeze', slow, mute", "4 do: | item 2, integer",
                "5 enter: | do, two hooks",
            ]
        ),
        ("while = ['active', 'background']\ndo = 'freeze'", ["4 do: | focus, while = \"background\""]),
        ("while = 'background'\nlevel = 'scene'\ndo = 'freeze'", ["5 do: | omit level"]),
        (
            "while = 'background'\nlevel = 'scene'\ndo = 'freeze'\ntitle = 'b'\nrole = 'b'",
            ["5 do: | omit level", "6 title: | do, whole applications", "7 role: | do, whole"]
        ),
        (
            "while = 'inactive'\ndo = ['slow', 'mute']\nexcept = ['none', 'adio', 1]",
            [
                "5 except: | item 3, integer", "5 except: | none cannot be combined",
                "5 except: | 'adio', 'audio', microphone, fullscreen",
            ]
        ),
        (
            "to = 'background'\ndo = 'freeze'",
            ["3 to: | cannot be combined with while", "4 do: | needs while"]
        ),
        (
            "while = 'background'\ndo = 'mute'\ninstance = 'b'\nprocess = 'b'\ndesktop = 1",
            ["5 instance: | do, whole applications", "6 process: | do, whole", "7 desktop: | do, whole"]
        ),
        (
            "while = 'background'\ndo = 'freeze'\ngroup = 'b'\nmonitor = 'b'\nextent = 'tab'\ndesktop = 'b'",
            [
                "5 group: | do, whole applications", "6 monitor: | do, whole", "7 extent: | do, whole",
                "8 desktop: | do, whole",
            ]
        ),
        (
            "while = 'background'\nto = 'background'\ndo = []",
            ["4 to: | cannot be combined with while", "5 do: | empty"]
        ),
        (
            "while = 'background'\ndo = 'freeze'\npower = 'mians'\nwake = { evry = '3m', for = '0s' }",
            [
                "5 power: | 'mians', 'mains', battery", "6 wake: | 'evry', 'every', for",
                "6 wake: every: | missing", "6 wake: for: | longer than 0",
            ]
        ),
        (
            "while = 'background'\ndo = 'freeze'\nwake = { every = '5s', for = '1m' }",
            ["5 wake: for: | 1m, 5s"]
        ),
        (
            "while = 'background'\ndo = 'slow'\nwake = '3m'",
            ["5 wake: | '3m', { every = \"3m\"", "5 wake: | needs do = [\"freeze\"]"]
        ),
        // The unknown word may be a misspelling of the reaction that `wake` needs.
        (
            "while = 'background'\ndo = ['freez', 'mute']\nwake = { every = '3m', for = '5s' }\npower = ['mains']",
            ["4 do: | 'freez', 'freeze'", "6 power: | array, \"battery\""]
        ),
        ("while = 'background'\ndo = 'cap'", ["1 cap: | missing, cap = \"20%\""]),
        ("while = 'background'\ndo = 'slow'\ncap = '20%'", ["5 cap: | needs do = [\"cap\"]"]),
        ("while = 'background'\ndo = 'cap'\ncap = '0%'", ["5 cap: | '0%', \"10000%\""]),
        (
            "while = 'background'\ndo = ['cpa']\ncap = 20",
            ["4 do: | 'cpa', 'cap'", "5 cap: | integer, \"1%\""]
        ),
    ])
    func ofAReactionNamesWhatItNeeds(lines: String, expected: [String]) {
        checkHook("\(lines)\napplication = 'a'", expected)
    }

    @Test(arguments: ["*", "**", "?*", "??*", "*?*", "[!x]*", "[a-z]*", "[!0-9]*", "/^/", "/[a-z]/", "/.../"])
    func whatFitsNearlyEveryApplicationIsNotFrozen(pattern: String) {
        let lines = "application = ['a', '\(pattern)']\nwhile = 'background'\n"
        checkHook(lines + "do = ['freeze', 'mute']", ["5 do: | '\(pattern)', nearly every application"])
        // Other reactions do no harm.
        checkHook(lines + "do = ['slow', 'mute']", [])
    }

    @Test(arguments: ["steam_app_*", "*.exe", "[sf]*", "libreoffice*", "/^(slack|discord)$/", "7*"])
    func whatFitsSomeApplicationsIsFrozen(pattern: String) {
        let lines = "application = '\(pattern)'\ndo = 'freeze'\n"
        checkHook(lines + "while = 'background'", [])
        checkHook(lines + "while = ['inactive', 'background']", ["4 do: | exact name, '\(pattern)'"])
    }

    @Test(arguments: [
        ("run = ['a', \"b\\u0000c\"]", "3:15"), ("shell = \"\"\"a\\U00000000\"\"\"", "3:13"),
        ("\"a\\u0000\" = 1", "3:3"), ("[\"a\\u0000\"]", "3:4"), ("application = \"\\\\\\u0000\"", "3:18"),
    ])
    func noStringIsCutAtANUL(line: String, place: String) {
        let fault = "f:\(place): a NUL character, which no program or name can have"
        #expect(faults("[[hook]]\nname = 'h'\n\(line)") == [fault])
    }

    @Test(arguments: [
        ("a = ", "f:1:5: Error while parsing key-value pair: encountered end-of-file"),
        ("a = \n", "f:1:5: Error while parsing key-value pair: expected value, saw '\\n'"),
        ("\n  [[hook]\n", "f:2:10: "),
        ("a = 1\na = 2", "f:2:5: "),
        ("a = \"\u{1B}[31m\"", "f:1:6: "),
    ])
    func ofSyntaxHasLineAndColumn(text: String, start: String) {
        let reported = faults(text)
        #expect(reported.count == 1)
        #expect(reported.first?.hasPrefix(start) == true, "\(reported)")
        #expect(reported.first?.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test func allAreReportedAtOnceInTheirOrder() {
        let text = """
            policy = "no"
            settle = ""
            [[hook]]
            to = "front"
            run = "a"
            [[hook]]
            name = "slow down"
            after = "soon"
            """
        check(
            text,
            [
                "1 policy:", "2 settle:", "3 hook[1]: name:", "4 hook[1]: to:", "5 hook[1]: run:",
                "6 hook[2] 'slow down': it does nothing", "8 hook[2] 'slow down': after:",
            ])
    }

    /// Covers quoted keys, keys of subtables, keys after multi-line values, and a UTF-8 byte order mark.
    @Test func eachFaultHasTheLineOfItsKey() {
        let text = #"""
            # a = 1
            journal = [
              "after = 1",
            ]
              [[ hook ]]
            name = """
            after = 1
            """
            [[hook]] # another one
            "while" = 'no' # while = 1
            [[hook]]
            name = 'h'
            [hook.wake]
            every = '0s'
            """#
        let lines = Set(
            numberedFaults("\u{FEFF}" + text).map {
                $0.split(separator: ":").prefix(3).map { $0.prefix { $0 != "'" } }.joined(separator: ":")
            })
        for line in [
            "f:2: journal", "f:6: hook[1] ", "f:10: hook[2]", "f:13: hook[3] ",
        ] {
            #expect(lines.contains(line), "\(line): \(lines)")
        }
    }

    @Test(arguments: [
        ("[['hook']]\nname = ''\n[[ \"hook\" ]]\nafter = 1\n", "f:4: hook[2]: after"),
        ("# 1\nhook = [\n{name = 'a', after = 1},\n]\n", "f:2: hook[1] 'a': after"),
        ("[[hook]]\r\nname = 'a'\r\nafter = 1\r\n", "f:3: hook[1] 'a': after"),
    ]) func tablesHaveTheirLinesHoweverTheyAreWritten(text: String, start: String) {
        #expect(numberedFaults(text).contains { $0.hasPrefix(start) }, "\(numberedFaults(text))")
    }

    @Test(arguments: ["\"", "'", "\"\"\"", "'''"]) func aQuoteThatIsNotClosedIsNamed(quote: String) {
        #expect(
            faults("journal = true\n[[hook]]\nname = \(quote)mpv\nto = 'background'\n").first
                == "f:3:8: this quote begins a string that is not closed")
    }

    @Test(arguments: Configuration.keys.map(\.name))
    func everyKeyOfTheFileIsKnownInATable(_ key: String) {
        #expect(
            faults("[[hook]]\n\(key) = \"x\"").contains {
                $0.hasSuffix("\(key): it is a key of the whole file: move the line above the first [[hook]]")
            })
    }
}
