import Glibc
import TestDesktop
import Testing

/// Output of `xphase hooks check` that requires no display.
struct HooksCheckTests {
    private static let one = "[[hook]]\nname = 'a'\nshell = 'b'\n"
    private let home: HookHome
    private let file: String

    init() throws {
        home = try HookHome()
        file = home.configurationFile
    }

    private func check(_ arguments: String...) -> XPhase.Result {
        XPhase.call(["hooks", "check"] + arguments, environment: home.environment)
    }

    /// A cause that the file does not enable is no fault, since the command line may enable it.
    @Test func aGoodFileHasNoFaults() throws {
        let caused = Self.one + "cause = ['covered', 'unlock', 'return', 'blur']\n"
        let place = "xphase: hook 'a': cause:"
        for (text, verdict, errors) in [
            (Self.one, "1 hook, no faults", []),
            (Self.one + Self.one.replacing("'a'", with: "'b'"), "2 hooks, no faults", []),
            ("occlusion = '1s'\nidle = '1m'\n" + caused, "1 hook, no faults", []),
            (
                "session = 'away'\n" + caused, "1 hook",
                [
                    "\(place) 'covered' is never reported, since occlusion is off: write occlusion = \"2s\" above the hooks",
                    "\(place) 'return' is never reported, since idle is off: write idle = \"5m\" above the hooks",
                    "\(place) 'unlock' is never reported, since session has no 'lock': add it there, above the hooks",
                ]
            ),
        ] {
            try home.configure(text)
            for result in [check(), check(file)] {
                #expect(result == (0, ["\(file): \(verdict)"], errors), "\(text)")
            }
        }
    }

    /// The report includes the PATH and a similar name.
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
        let path = "in the PATH of this command, \(home.environment["PATH"].flatMap(\.self) ?? "")"
        let errors = [
            "hook 'a': run: there is no program 'playerctll' (did you mean 'playerctl'?) \(path)",
            "hook 'b': enter: '\(home.path)/x' does not exist or is not executable",
            "hook 'b': leave: only a shell expands the ~ of '~/bin/x': write the whole path",
        ]
        #expect(check() == (0, ["\(file): 2 hooks"], errors.map { "xphase: \($0)" }))
    }

    @Test func everyFaultIsALineOnStderrAndExits78() throws {
        try home.configure("[[hook]]\nname = \"a\\u001B[2J\"\nshell = 'a'\nshel = 'b'\n")
        let errors = [
            "2: hook[1] NAME: name: NAME contains control characters",
            "4: hook[1] NAME: there is no key 'shel' (did you mean 'shell'?)",
        ].map { "xphase: \(file):\($0.replacing("NAME", with: #"'a\e[2J'"#))" }
        #expect(check() == (78, [], errors))
        #expect(XPhase.call(["hooks"], environment: home.environment) == (78, [], errors))
    }

    @Test(.enabled(if: access("/etc/xdg/xphase/config.toml", F_OK) != 0, "the system has a configuration"))
    func noConfigurationIsNoFault() throws {
        let message = "there is no configuration: \(file) and /etc/xdg/xphase/config.toml do not exist"
        #expect(check() == (0, [message], []))
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
        guard let start, let message = result.errors.first else { return }
        #expect(message.hasPrefix("xphase: hook 'a': \(start)") && message.contains(hint), "\(message)")
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
        try hooks.session.open("Alpha")
        func check() throws -> [String] {
            let check = try XPhase.run(
                ["hooks", "check"], on: nil,
                environment: hooks.session.environment.merging(["PATH": "/nowhere"]) { $1 })
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
        #expect(missing.count == 1 && missing[0].contains("'mine' in the PATH of the service, "))
        try hooks.home.configure(DesktopTests.FreezeTests.hook("").replacing("freeze", with: "mute"))
        #expect(try check().allSatisfy { !$0.contains("pactl") })
        try hooks.end()
    }

    @Test func eachHookIsReportedInWordsAndWithWhatItMatches() throws {
        let (stage, alpha) = try Stage.alpha(
            .openbox,
            """
            policy = "visible"
            \(HookSession.hook("ghosts", "application = 'ghost'", shell: "a"))
            \(HookSession.hook("windows", "application = '[ab]*'\nlevel = 'scene'", shell: "a"))
            """)
        symlink("/bin/true", "\(stage.home.hooksDirectory)/log")
        let beta = try stage.show(.init("Beta"), x: 300)
        try stage.hide(beta, "Beta")
        let result = try stage.run("hooks")
        #expect(result.code == 69 && result.errors.count == 1)
        let text = """
            ghosts
              when ghost opens, changes its phase or closes
              run: a\\n (at most 30s)
              matches nothing now; no application matches 'ghost': running now: Alpha, Beta

            windows
              when a scene of [ab]* opens, changes its phase or closes
              run: a\\n (at most 30s)
              matches now: Alpha/alpha \(alpha.name) (active), Beta/beta \(beta.name) (background)

            hooks.d/log
              when any application opens, changes its phase or closes
              run: \(stage.home.hooksDirectory)/log (at most 30s)
              matches now: Alpha (active), Beta (background)
            """
        #expect(result.output.joined(separator: "\n") == text)
    }
}
