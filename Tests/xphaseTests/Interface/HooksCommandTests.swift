import Glibc
import TestDesktop
import Testing

/// Output of `xphase hooks check` and `list` that requires no display.
@Suite struct HooksCheckTests {
    private static let one = "[[hook]]\nname = 'a'\nshell = 'b'\n"
    private let home: HookHome
    private let file: String

    init() throws {
        home = try HookHome()
        file = home.configurationFile
    }

    private func check(_ arguments: String...) -> (code: Int32, output: [String], errors: [String]) {
        XPhase.call(["hooks", "check"] + arguments, environment: home.environment)
    }

    /// A cause that the file does not enable is not a fault, since the command line may enable it.
    @Test func aGoodFileHasNoFaults() throws {
        let caused = Self.one + "cause = ['covered', 'unlock', 'return', 'blur']\n"
        let place = "xphase: hook 'a': cause:"
        let table = [
            (Self.one, "1 hook", []), (Self.one + Self.one.replacing("'a'", with: "'b'"), "2 hooks", []),
            ("occlusion = '1s'\nidle = '1m'\n" + caused, "1 hook", []),
            (
                "session = 'away'\n" + caused, "1 hook",
                [
                    "\(place) 'covered' is never reported, since occlusion is off: write occlusion = \"2s\" above the hooks",
                    "\(place) 'return' is never reported, since idle is off: write idle = \"5m\" above the hooks",
                    "\(place) 'unlock' is never reported, since session has no 'lock': add it there, above the hooks",
                ]
            ),
        ]
        for (text, hooks, errors) in table {
            try home.configure(text)
            for result in [check(), check(file)] {
                let verdict = errors.isEmpty ? ", no faults" : ""
                #expect(result.code == 0 && result.output == ["\(file): \(hooks)\(verdict)"], "\(text)")
                #expect(result.errors == errors)
            }
        }
    }

    /// The report includes a similar name.
    @Test func aProgramThatIsMissingIsReported() throws {
        try home.addTool("playerctl", "true")
        try home.configure(
            """
            [[hook]]
            name = 'a'
            run = ['playerctll', 'pause']
            unless = ['playerctl']
            [[hook]]
            name = 'b'
            while = 'background'
            enter = ['\(home.path)/x']
            leave = ['~/bin/x']
            """)
        let result = check()
        let path = "in the PATH of this command"
        #expect(result.code == 0 && result.output == ["\(file): 2 hooks"])
        #expect(
            result.errors == [
                "xphase: hook 'a': run: there is no program 'playerctll' (did you mean 'playerctl'?) \(path)",
                "xphase: hook 'b': enter: '\(home.path)/x' does not exist or is not executable",
                "xphase: hook 'b': leave: only a shell expands the ~ of '~/bin/x': write the whole path",
            ])
    }

    @Test func everyFaultIsALineOnStderrAndExits78() throws {
        try home.configure("[[hook]]\nname = \"a\\u001B[2J\"\nshel = 'b'\nafter = 3\n")
        let result = check()
        #expect(result.code == 78 && result.output.isEmpty)
        func place(_ line: Int) -> String { #"xphase: \#(file):\#(line): hook[1] 'a\e[2J':"# }
        #expect(
            result.errors == [
                "\(place(1)) it does nothing: add run or shell, or while with do, or with enter and leave",
                #"\#(place(2)) name: 'a\e[2J' contains control characters"#,
                "\(place(3)) there is no key 'shel' (did you mean 'shell'?)",
                "\(place(4)) after: found an integer: write a duration of at most 100 years, such as "
                    + #""250ms", "30s", "5m" or "1h""#,
            ])
        let list = XPhase.call(["hooks"], environment: home.environment)
        #expect(list.code == 78 && list.errors == result.errors)
    }

    @Test(.enabled(if: access("/etc/xdg/xphase/config.toml", F_OK) != 0, "the system has a configuration"))
    func noConfigurationIsNoFault() throws {
        let result = check()
        #expect(result.code == 0)
        #expect(
            result.output == [
                "there is no configuration: \(file) and /etc/xdg/xphase/config.toml do not exist"
            ])
    }

    @Test func executablesAreCountedAndWarnedOf() throws {
        try home.configure("")
        symlink("/bin/true", "\(home.hooksDirectory)/good")
        try home.addHook("bad", "", mode: 0o644)
        let (result, bad) = (check(), "\(home.hooksDirectory)/bad")
        #expect(result.code == 78)
        #expect(result.output == ["\(file): 0 hooks", "\(home.hooksDirectory): 1 hook"])
        #expect(result.errors == ["xphase: \(bad): is not executable: chmod +x \(bad)"])
        // A file named on the command line is checked alone.
        let alone = check(file)
        #expect(alone.code == 0 && alone.output == ["\(file): 0 hooks, no faults"] && alone.errors.isEmpty)
    }

    @Test(arguments: [
        ("application = '.*firefox.*'", "application: '.*firefox.*' is a glob", "/…/"),
        ("application = ['mpv', 'a|b']", "application: 'a|b' is a glob", "/…/"),
        ("exclude = '^a$'", "exclude: '^a$' is a glob", "/…/"),
        ("application = '/a/i'", "application: '/a/i' is a glob", "/…/"),
        ("application = '/a|b/'", nil, ""), ("application = 'org.kde.*'", nil, ""),
        ("unless = ['test', '$HOME']", "unless: '$HOME' is passed as it is", "[\"sh\", \"-c\", \"…\"]"),
    ])
    func whatIsProbablyMeantOtherwiseIsSaid(line: String, start: String?, hint: String) throws {
        try home.configure(Self.one + line + "\n")
        let result = check(file)
        #expect(result.code == 0 && result.errors.count == (start == nil ? 0 : 1), "\(result)")
        let message = result.errors.first ?? ""
        #expect(
            start.map { message.hasPrefix("xphase: hook 'a': \($0)") && message.contains(hint) } ?? true,
            "\(message)")
    }
}

extension DesktopTests {
    @Suite struct HooksCheckOfService {
        /// The service may have a different PATH from the terminal.
        @Test func programsAreLookedForInThePathOfTheService() throws {
            let hooks = try HookSession("[[hook]]\nname = 'a'\nrun = ['mine']\n")
            var environment = hooks.home.environment
            try hooks.home.addTool("mine", "true")
            environment["DISPLAY"] = hooks.session.display.name
            #expect(XPhase.call(["hooks", "check"], environment: environment).errors.isEmpty)
            environment["PATH"] = hooks.home.path
            #expect(XPhase.call(["hooks", "check"], environment: environment).errors.isEmpty)
            unlink("\(hooks.home.path)/bin/mine")
            let errors = XPhase.call(["hooks", "check"], environment: environment).errors
            #expect(
                errors.count == 1 && errors.first?.hasSuffix("'mine' in the PATH of the service") == true)
            // The same applies to programs of reactions.
            try hooks.home.configure(
                DesktopTests.FreezeTests.hook("").replacing("freeze", with: "mute"))
            #expect(
                !XPhase.call(["hooks", "check"], environment: environment).errors.contains {
                    $0.contains("pactl")
                })
            try hooks.end()
        }
    }

    /// Output of `xphase hooks` on a real display. `HookWordsTests` has the words.
    @Suite struct HooksOnADisplay {
        @Test func eachHookIsReportedInWordsAndWithWhatItMatches() throws {
            let home = try HookHome(
                """
                policy = "visible"
                \(HookSession.hook("applications", "application = ['alpha', 'beta']", shell: "a"))
                \(HookSession.hook("ghosts", "application = 'ghost'", shell: "a"))
                \(HookSession.hook("windows", "application = '[ab]*'\nlevel = 'scene'", shell: "a"))
                """)
            symlink("/bin/true", "\(home.hooksDirectory)/log")
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            let beta = try stage.show(.init("Beta"), x: 300)
            try stage.hide(beta, "Beta")
            let result = try XPhase.run(["hooks"], on: stage.display, environment: home.environment)
            #expect(result.code == 69 && result.errors.count == 1)
            let (both, run) = (
                "  matches now: Alpha (active), Beta (background)", #"  run: a\n (time limit 30s)"#
            )
            let words = "opens, changes its phase or closes"
            #expect(
                result.output == [
                    "applications", "  when alpha or beta \(words)", run, both, "",
                    "ghosts", "  when ghost \(words)", run,
                    "  matches nothing now; no application matches 'ghost': running now: Alpha, Beta", "",
                    "windows", "  when a scene of [ab]* \(words)", run,
                    "  matches now: Alpha/alpha \(alpha.name) (active), Beta/beta \(beta.name) (background)",
                    "",
                    "hooks.d/log", "  when any application \(words)",
                    "  run: \(home.hooksDirectory)/log (time limit 30s)", both,
                ])
            let one = try XPhase.run(["hooks", "ghosts"], on: stage.display, environment: home.environment)
            #expect(one.output == Array(result.output[5...8]), "\(one)")
            try XPhase.expect(
                ["hooks", "ghost"], on: stage.display, environment: home.environment, code: 64,
                errors: ["xphase: there is no hook 'ghost'; did you mean 'ghosts'?"])
        }

        /// Only a name that resembles one on the display is probably misspelled.
        @Test func checkReportsNamesThatAreProbablyMisspelled() throws {
            let hooks = try HookSession(
                HookSession.hook("near", "application = \"Alhpa\"", shell: "true")
                    + HookSession.hook("far", "application = \"ghost\"", shell: "true"))
            _ = try hooks.session.open("Alpha")
            let check = try hooks.xphase("hooks", "check")
            let words = "hook 'near': no application matches 'Alhpa': did you mean 'Alpha'?"
            #expect(check.errors == ["xphase: \(words)"] && check.code == 0)
            try hooks.end()
        }
    }
}
