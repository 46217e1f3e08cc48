import Glibc
import Scenes
import TestDesktop
import Testing

@testable import Hooks
@testable import xphase

/// Output of `xphase hooks check` that requires no display.
struct HooksCheckTests {
    private let home: HookHome

    init() throws { home = try HookHome() }

    private static let one = "[[hook]]\nname = 'a'\nshell = 'b'\n"
    private static let caused = one + "cause = ['covered', 'unlock', 'return', 'blur']\n"
    private static let slashes = "write a regular expression between slashes, /…/"

    /// A file, the verdict on it, and its remarks on hook `a`, or its faults, each with its place. A cause that the file
    /// does not enable is no fault, since the command line may enable it.
    @Test(arguments: [
        (one, "1 hook, no faults", []), (one + one.replacing("'a'", with: "'b'"), "2 hooks, no faults", []),
        ("occlusion = '1s'\nidle = '1m'\n" + caused, "1 hook, no faults", []),
        (
            "session = 'away'\n" + caused, "1 hook",
            [
                "cause: 'covered' is never reported, since occlusion is off: write occlusion = \"2s\" above the hooks",
                "cause: 'return' is never reported, since idle is off: write idle = \"5m\" above the hooks",
                "cause: 'unlock' is never reported, since the setting session has no 'lock': write session = [\"away\", \"lock\"] above the hooks",
            ]
        ),
        (
            "[[hook]]\nname = 'a'\nrun = ['playerctll', 'pause']\nunless = ['playerctl']\n", "1 hook",
            ["run: there is no program 'playerctll' (did you mean 'playerctl'?) in the PATH of this command"]
        ),
        (
            "[[hook]]\nname = 'a'\nwhile = 'background'\nenter = ['/nowhere/x']\nleave = ['~/bin/x']\n",
            "1 hook",
            [
                "enter: '/nowhere/x' does not exist or is not executable",
                "leave: only a shell expands the ~ of '~/bin/x': write the whole path",
            ]
        ),
        (
            "[[hook]]\nname = \"\\u001B[2J\"\nshell = 'a'\nshel = 'b'\n", nil,
            [
                #"FILE:2: hook[1] '\e[2J': name: '\e[2J' contains control characters"#,
                #"FILE:4: hook[1] '\e[2J': there is no key 'shel' (did you mean 'shell'?)"#,
            ]
        ),
        (one + "application = '.*firefox.*'", "1 hook", ["application: '.*firefox.*' is a glob: \(slashes)"]),
        (
            one + "application = 'a|b'\nexclude = '^a$'\ninstance = '.*'", "1 hook",
            ["application: 'a|b'", "exclude: '^a$'", "instance: '.*'"].map { "\($0) is a glob: \(slashes)" }
        ),
        (one + "application = '/a/i'", "1 hook", ["application: '/a/i' is a glob: \(slashes)"]),
        (one + "application = ['/a|b/', 'org.kde.*']", "1 hook, no faults", []),
        (
            one + "unless = ['test', '$HOME']", "1 hook",
            ["unless: '$HOME' is passed as it is: let a shell expand it, [\"sh\", \"-c\", \"…\"]"]
        ),
    ])
    func aFileIsChecked(text: String, verdict: String?, messages: [String]) throws {
        try check(text, verdict, messages)
    }

    @Test func aSettingThatAHookOnTheSessionLacksHasItsLine() throws {
        let hook = "[[hook]]\nname = 'a'\nshell = 'b'\n"
        let states = hook + "session = ['idle', 'lock']\n"
        try check("idle = '1m'\n" + states, "1 hook, no faults", [])
        try check(
            "session = 'none'\n" + states, "1 hook",
            [
                "session: 'lock' never begins, since the setting session has no 'lock': write session = [\"lock\"] above the hooks",
                "session: 'idle' never begins, since idle is off: write idle = \"5m\" above the hooks",
            ])
        // A cause of any application may be meant so.
        try check(
            hook + "cause = ['lock', 'away']", "1 hook",
            [
                "cause: it runs for each application, and without windows not at all: session = [\"away\", \"lock\"] in its place runs once"
            ])
        try check(hook + "cause = 'lock'\napplication = 'a'", "1 hook, no faults", [])
    }

    private func check(_ text: String, _ verdict: String?, _ messages: [String]) throws {
        try home.addTool("playerctl", "true")
        try home.configure(text)
        let file = home.configurationFile
        let start = verdict == nil ? "xphase: " : "xphase: hook 'a': "
        let errors = messages.map { start + $0.replacing("FILE", with: file) }
        for words in [["hooks", "check"], ["hooks", "check", file]] + (verdict == nil ? [["hooks"]] : []) {
            let result = XPhase.call(words, environment: home.environment)
            let output = verdict.map { ["\(file): \($0)"] } ?? []
            #expect(result == (verdict == nil ? 78 : 0, output, errors), "\(result)")
        }
    }
}

/// Output of `xphase hooks` on a real display. `HookWordsTests` has the words.
struct HooksOnADisplayTests {
    /// Only a name that resembles one on the display is probably misspelled. The service may have a different PATH from
    /// the terminal, also for the programs of reactions.
    @Test func checkAsksTheServiceAndTheDisplay() throws {
        let hooks = try HookSession(
            HookSession.hook("near", "application = \"Alhpa\"", shell: "true")
                + HookSession.hook("far", "application = \"ghost\"", shell: "true"))
        try hooks.session.open(.init("Alpha", instance: "part"))
        func check() throws -> [String] {
            let environment = hooks.session.environment.merging(["PATH": "/nowhere"]) { $1 }
            let check = try XPhase.run(["hooks", "check"], on: nil, environment: environment)
            #expect(check.code == 0)
            return check.errors
        }
        let words = "hook 'near': no application matches 'Alhpa': did you mean 'Alpha'?"
        #expect(try check() == ["xphase: \(words)"])
        try hooks.home.addTool("mine", "true")
        try hooks.home.configure("[[hook]]\nname = 'a'\nrun = ['mine']\n")
        #expect(try check().isEmpty)
        unlink("\(hooks.home.path)/bin/mine")
        let missing = try check()
        #expect(missing.count == 1 && missing[0].hasSuffix("'mine' in the PATH of the service"))
        try hooks.home.configure("[[hook]]\nname = 'a'\napplication = 'part'\nshell = 'true'\n")
        let part =
            "xphase: hook 'a': 'part' is only an instance name of Alpha, and this follows all of Alpha: "
        #expect(try check().first?.hasPrefix(part) == true)
        try hooks.home.addTool("pactl", "true")
        try hooks.home.configure(DesktopTests.FreezeTests.hook("").replacing("freeze", with: "mute"))
        #expect(try check().allSatisfy { !$0.contains("pactl") })
    }

    @Test func faultsAreReportedBesideTheHooksThatTheServiceKeeps() throws {
        let hooks = try HookSession(HookSession.hook("kept", shell: "true"))
        let file = hooks.home.configurationFile
        try hooks.home.configure("[[hook]]\nname = 'b'\n")
        try hooks.waitForMessage("the old hooks stay in use")
        let stays = "xphase: the configuration has faults, so the service keeps what it has"
        let status = try hooks.xphase("hooks")
        #expect(status.code == 78 && status.output == ["kept", "  now: ready"], "\(status)")
        #expect(status.errors.first?.hasPrefix("xphase: \(file):1: hook[1] 'b': ") == true, "\(status)")
        #expect(status.errors.last == stays)
        #expect(try hooks.xphase("hooks", "kept").output == status.output)
        let why = try hooks.xphase("hooks", "why", "kept")
        #expect(why.code == 0 && why.errors == ["\(stays): see 'xphase hooks check'"], "\(why)")
        try hooks.end()
        let alone = try hooks.xphase("hooks")
        #expect(alone.code == 78 && alone.output.isEmpty && !alone.errors.contains(stays), "\(alone)")
    }

    /// A window of the application that is still visible, or is so again.
    @Test func whyNamesTheWindowThatKeepsAHookFromItsPhase() throws {
        let hooks = try HookSession(
            HookSession.hook("late", "application = 'Alpha'\nto = 'background'\nafter = '10m'", shell: "true")
        )
        let first = try hooks.session.open("Alpha")
        let second = try hooks.session.open("Alpha", x: 300)
        try hooks.session.settle { first.iconify() }
        let row = "  Alpha is active now, because its window \(second.name)"
        #expect(try hooks.xphase("hooks", "why", "late").output.last?.hasPrefix(row) == true)
        try hooks.session.settle { second.iconify() }
        #expect(try hooks.xphase("hooks", "why", "late").output.last?.contains("  matched  ") == true)
        try hooks.session.settle { second.activate() }
        let left = try hooks.xphase("hooks", "why", "late").output
        #expect(left.dropLast().last?.contains("left too early") == true, "\(left)")
        #expect(left.last?.hasPrefix(row) == true)
    }

    @Test func eachHookIsReportedInWordsAndWithWhatItMatches() throws {
        let (stage, alpha) = try Stage.alpha(
            .openbox,
            """
            policy = "visible"
            \(HookSession.hook("ghosts", "application = ['ghost', 'spirit']", shell: "a"))
            \(HookSession.hook("windows", "application = '[ab]*'\nlevel = 'scene'", shell: "a"))
            """)
        symlink("/bin/true", "\(stage.home.hooksDirectory)/log")
        let beta = try stage.show(.init("Beta"), x: 300)
        try stage.hide(beta, "Beta")
        let result = try stage.run("hooks")
        let start = result.errors.last?.hasPrefix("xphase: to start it: ")
        #expect(result.code == 69 && result.errors.count == 2 && start == true, "\(result.errors)")
        let text = """
            ghosts
              when ghost or spirit opens, changes its phase or closes
              run: a\\n (time limit 30s)
              matches nothing now; no application matches 'ghost' or 'spirit'; running now: Alpha, Beta

            windows
              when a scene of [ab]* opens, changes its phase or closes
              run: a\\n (time limit 30s)
              matches now: Alpha/alpha \(alpha.name) (active), Beta/beta \(beta.name) (background)

            hooks.d/log
              when any application opens, changes its phase or closes
              run: \(stage.home.hooksDirectory)/log (time limit 30s)
              matches now: Alpha (active), Beta (background)
            """
        #expect(result.output.joined(separator: "\n") == text)
        #expect(try stage.run("hooks ghosts").output == Array(result.output[...3]))
        try stage.expect(
            "hooks ghost", code: 64, errors: ["xphase: there is no hook 'ghost'; did you mean 'ghosts'?"])
    }
}

/// The descriptions of hooks in words.
struct HookWordsTests {
    private static func words(_ keys: String) throws -> [String] {
        let text = "[[hook]]\nname = 'h'\n\(keys)"
        return try #require(try Configuration(text: text, file: "f").hooks.first).inWords
    }

    @Test(arguments: [
        ("do = 'freeze'", ["BACKGROUND", "do: freeze", "except: audio, microphone, selection"]),
        ("do = 'cap'\ncap = '20%'", ["BACKGROUND", "do: cap", "cap: 20% of one processor"]),
        (
            "do = 'freeze'\nexcept = 'none'\npower = 'battery'\nwake = { every = '3m', for = '5s' }",
            ["BACKGROUND, on battery", "do: freeze", "wake: for 5s every 3m"]
        ),
        (
            """
            application = ['mpv', 'vlc']\nfrom = 'active'\nto = 'background'\ncause = ['desktop', 'iconify']
            after = '5s'\ntimeout = '10s'\nrun = ['playerctl', 'pause']
            """,
            [
                "when mpv or vlc goes from active to background because of iconify or desktop, and stays so for 5s",
                "run: playerctl pause (time limit 10s)",
            ]
        ),
        // No word reaches the terminal as it is.
        (
            """
            application = "\\u001B[2J]"\nwhile = ['background', 'inactive']\nafter = '30s'\nunless = ['pgrep', 'x']
            enter = ['sh', '-c', "echo $1 >> it's"]\nleave = ['sh', '-c', "a && b\\u001B"]
            """,
            [
                #"while \e[2J] is inactive or in the background, from its next change on, for at least 30s"#,
                "unless pgrep x exits 0", #"enter: sh -c 'echo $1 >> it'\''s' (time limit 30s)"#,
                #"leave: sh -c 'a && b\e' (time limit 30s)"#,
            ]
        ),
    ])
    func aHookReadsAsSentences(keys: String, words: [String]) throws {
        let background = "while a is in the background, from its next change on"
        let condition = keys.hasPrefix("do") ? "application = 'a'\nwhile = 'background'\n" : ""
        let wanted = words.map { "  " + $0.replacing("BACKGROUND", with: background) }
        #expect(try Self.words(condition + keys) == ["h"] + wanted)
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
