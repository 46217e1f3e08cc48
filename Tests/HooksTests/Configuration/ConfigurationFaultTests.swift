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

/// The messages for faulty configurations.
@Suite struct ConfigurationFaultTests {
    @Test(arguments: [
        (
            "polcy = 'focus'",
            "there is no key 'polcy' (did you mean 'policy'?)"
        ),
        (
            "session = 'lok'",
            "session: there is no session state 'lok' (did you mean 'lock'?); the session states are "
                + "away, lock, display-off, none"
        ),
        ("session = ['away', 'none']", "session: none cannot be combined with others"),
        ("session = [1]", "session: item 1: found an integer: write a session state"),
        ("session = true", "session: found a boolean: write a session state, or a list of them"),
        (
            "occlusion = '2x'",
            "occlusion: '2x' is not a duration: write a whole number and its unit, "
                + #""250ms", "30s", "5m" or "1h", for at most 100 years"#
        ),
        (
            "occlusion = 2",
            #"occlusion: found an integer: write a duration, "250ms", "30s", "5m" or "1h", or "none""#
        ),
        ("idle = '0s'", "idle: it must be longer than 0"),
        ("keep = \"3w\"", "keep: '3w' is not valid: write a number of days, \"90d\", at most 36500"),
        ("journal = 1", "journal: found an integer: write true or false"),
        (
            "x = 1",
            "there is no key 'x'; the keys are policy, settle, session, occlusion, idle, journal, titles, keep, hook, mode, category"
        ),
        (
            "policy = 'focsu'",
            "policy: there is no policy 'focsu' (did you mean 'focus'?); "
                + "the policies are focus, application, visible"
        ),
        ("policy = 1", "policy: found an integer: write a policy, \"focus\", \"application\" or \"visible\""),
        ("settle = 5", #"settle: found an integer: write a duration, "250ms", "30s", "5m" or "1h""#),
        (
            "settle = '5x'",
            #"settle: '5x' is not a duration: write a whole number and its unit, "250ms", "30s", "5m" or "1h", "#
                + "for at most 100 years"
        ),
        ("[hook]\nname = 'a'", "hook: found a table: write [[hook]], in double brackets, above each hook"),
        ("hook = 'a'", "hook: found a string: write [[hook]], in double brackets, above each hook"),
        ("hook = [1.5]", "hook[1]: found a floating-point number: write a table"),
        (
            "[[hook]]\nshell = 'a'",
            "hook[1]: name: it is missing: every hook needs a unique name"
        ),
        ("[[hook]]\nname = []\nshell = 'a'", "hook[1]: name: found an array: write a string"),
        ("[[hook]]\nname = ''\nshell = 'a'", "hook[1] '': name: it is empty"),
        (
            "[[hook]]\nname = \"a\\u001Bb\"\nshell = 'a'",
            #"hook[1] 'a\eb': name: 'a\eb' contains control characters"#
        ),
        (
            "[[hook]]\nname = 'hooks.d/a'\nshell = 'a'",
            "hook[1] 'hooks.d/a': name: 'hooks.d/' begins the names of executables there"
        ),
        (
            "[[hook]]\nname = 'a'\nshell = 'b'\n[[hook]]\nname = 'a'\nshell = 'b'",
            "hook[2] 'a': name: hook[1] already has this name"
        ),
    ])
    func isReportedWithItsPlace(text: String, fault: String) {
        #expect(faults(text) == ["f: \(fault)"])
    }

    /// Each hook is valid except for these lines.
    @Test(arguments: [
        ("timeot = '3s'", "there is no key 'timeot' (did you mean 'timeout'?)"),
        (
            "xyz = 1",
            "there is no key 'xyz'; the keys of a hook are name, application, instance, group, process, desktop, "
                + "title, role, monitor, extent, exclude, level, from, to, cause, initial, while, after, unless, run, shell, enter, leave, do, cap, except, power, wake, timeout, needs"
        ),
        ("application = 1", "application: found an integer: write a glob or a /regex/, or a list of them"),
        ("application = ['a', 1]", "application: item 2: found an integer: write a glob or a /regex/"),
        ("application = []", "application: the list is empty: add an item or omit the key"),
        ("application = ''", "application: '' is not a valid glob: it is empty, and would match nothing"),
        ("group = '[a'", "group: '[a' is not a valid glob: '[' is not closed"),
        ("exclude = ['a', '[b']", "exclude: '[b' is not a valid glob: '[' is not closed"),
        (
            "instance = '/a(/'",
            "instance: '/a(/' is not a valid regular expression: Unmatched ( or \\("
        ),
        (
            "process = '//'",
            "process: '//' is not a valid regular expression: it is empty, and would match everything"
        ),
        ("instance = 'a'\ngroup = 'a'", "group: it means the same as instance: choose one of them"),
        (
            "desktop = -2",
            "desktop: write a desktop: its number (0 is the first, -1 means all desktops) or its name"
        ),
        (
            "desktop = [1, 'a']",
            "desktop: only scenes have a desktop by name: add level = \"scene\""
        ),
        ("desktop = []", "desktop: the list is empty: add an item or omit the key"),
        ("title = 'a'", "title: only scenes have a title: add level = \"scene\""),
        ("role = 'a'", "role: only scenes have a role: add level = \"scene\""),
        ("monitor = 'DP-1'", "monitor: only scenes have a monitor: add level = \"scene\""),
        ("extent = 'maximized'", "extent: only scenes have an extent: add level = \"scene\""),
        ("desktop = 'mail'", "desktop: only scenes have a desktop by name: add level = \"scene\""),
        (
            "cause = 'title'",
            "cause: 'title' needs the key title"
        ),
        (
            "title = 'a'\nlevel = 'scene'\ncause = 'title'\nfrom = 'active'",
            "from: it cannot be combined with the cause 'title': a change of title leaves no phase"
        ),
        (
            "title = '//'\nlevel = 'scene'",
            "title: '//' is not a valid regular expression: it is empty, and would match everything"
        ),
        ("title = 'a'\nlevel = 'group'", "title: only scenes have a title: add level = \"scene\""),
        (
            "title = 'a'\nlevel = 'window'",
            "level: there is no level 'window'; the levels are application, group, scene"
        ),
        (
            "level = ['scene']",
            "level: found an array: write a level, \"application\", \"group\" or \"scene\""
        ),
        (
            "from = 'backgruond'",
            "from: there is no phase 'backgruond' (did you mean 'background'?); "
                + "the phases are background, inactive, active"
        ),
        ("to = true", "to: found a boolean: write a phase, or a list of them"),
        ("to = []", "to: the list is empty: add an item or omit the key"),
        ("cause = 'iconfy'", "cause: there is no cause 'iconfy' (did you mean 'iconify'?)"),
        (
            "cause = ['focus', 'hover']",
            "cause: there is no cause 'hover'; the causes are start, open, close, focus, blur, iconify, deiconify, "
                + "desktop, show-desktop, shade, tab, offscreen, map, unmap, regroup, away, back, lock, unlock, "
                + "display-off, display-on, covered, uncovered, idle, return, window-manager, title, resync"
        ),
        ("after = 1979-05-27", #"after: found a date: write a duration, "250ms", "30s", "5m" or "1h""#),
        (
            "timeout = '8784001h'",
            "timeout: '8784001h' is not a duration: write a whole number and its unit, "
                + #""250ms", "30s", "5m" or "1h", for at most 100 years"#
        ),
        ("timeout = '0'", "timeout: it must be longer than 0"),
        ("timeout = '0s'", "timeout: it must be longer than 0"),
        ("initial = 'yes'", "initial: found a string: write true or false"),
        (
            "unless = 'a'",
            #"unless: found a string: write an array of words, ["playerctl", "pause"], or ["sh", "-c", "…"]"#
        ),
        ("enter = ['a']", "enter: it needs while"),
        ("leave = ['a']", "leave: it needs while"),
        ("run = ['a']", "shell: it cannot be combined with run: choose one of them"),
    ])
    func ofAKeyNamesIt(line: String, fault: String) {
        #expect(faults("[[hook]]\nname = 'h'\nshell = 'a'\n\(line)") == ["f: hook[1] 'h': \(fault)"])
    }

    @Test(arguments: [
        ("run = ['a', \"b\\u0000c\"]", "run"), ("shell = \"a\\U00000000\"", "shell"),
        ("run = ['a']\nunless = [\"a\\u0000\"]", "unless"),
        ("run = ['a']\napplication = \"\\\\\\u0000\"", "application"),
    ])
    func noStringIsCutAtANUL(lines: String, key: String) {
        let fault = "it contains a NUL character, which no program or name can have"
        #expect(faults("[[hook]]\nname = 'h'\n\(lines)").first == "f: hook[1] 'h': \(key): \(fault)")
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
        #expect(
            numberedFaults(text).map { $0.split(separator: ": ").prefix(3).joined(separator: ": ") } == [
                "f:1: policy: there is no policy 'no'; the policies are focus, application, visible",
                "f:2: settle: '' is not a duration", "f:3: hook[1]: name", "f:4: hook[1]: to",
                "f:5: hook[1]: run",
                "f:6: hook[2] 'slow down': it does nothing",
                "f:8: hook[2] 'slow down': after",
            ])
    }

    /// Covers quoted keys, keys of subtables, keys after multi-line values, and a UTF-8 byte order mark.
    @Test func eachFaultHasTheLineOfItsKey() {
        let text = #"""
            # a = 1
            journal = [
              "after = 1",
            ]
              [[ mode ]]
            name = """
            after = 1
            """
            [[mode]] # another one
            "while" = 'no' # while = 1
            [[hook]]
            name = 'h'
            [hook.wake]
            every = '0s'
            [[category]]
            title = []
            """#
        let lines = Set(
            numberedFaults("\u{FEFF}" + text).map {
                $0.split(separator: ":").prefix(3).map { $0.prefix { $0 != "'" } }.joined(separator: ":")
            })
        for line in [
            "f:2: journal", "f:6: mode[1] ", "f:10: mode[2]", "f:11: hook[1] ", "f:13: hook[1] ",
            "f:16: category[1]",
        ] {
            #expect(lines.contains(line), "\(line): \(lines)")
        }
    }

    @Test(arguments: [
        ("[['mode']]\nname = ''\n[['hook']]\n[[ \"hook\" ]]\nafter = 1\n", "f:5: hook[2]: after"),
        ("# 1\nhook = [\n{name = 'a', after = 1},\n]\n", "f:2: hook[1] 'a': after"),
        ("[[hook]]\r\nname = 'a'\r\nafter = 1\r\n", "f:3: hook[1] 'a': after"),
    ]) func tablesHaveTheirLinesHoweverTheyAreWritten(text: String, start: String) {
        #expect(numberedFaults(text).contains { $0.hasPrefix(start) }, "\(numberedFaults(text))")
    }

    @Test func aPhaseThatIsLeftAndEnteredIsAFault() {
        let hook = "[[hook]]\nname = 'h'\nshell = 'a'\n"
        #expect(
            numberedFaults(hook + "from = 'background'\nto = ['background']")
                == ["f:5: hook[1] 'h': to: it is the same phase as from, so the hook would never run"])
        #expect(faults(hook + "from = ['active', 'inactive']\nto = ['active', 'inactive']").isEmpty)
    }

    @Test(arguments: ["\"", "'", "\"\"\"", "'''"]) func aQuoteThatIsNotClosedIsNamed(quote: String) {
        #expect(
            faults("journal = true\n[[hook]]\nname = \(quote)mpv\nto = 'background'\n").first
                == "f:3:8: this quote begins a string that is not closed")
    }
}
