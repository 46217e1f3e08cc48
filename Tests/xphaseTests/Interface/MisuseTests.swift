import Testing

@testable import xphase

/// Error messages for invalid arguments. `DisplayTests` has those for unusable displays.
struct MisuseTests {
    /// Blanks at the end are a word.
    private static func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }

    /// Command lines, whose words are separated by single spaces, and what their error messages name: the wrong word, and
    /// valid words or what to write. One row a rule: `OptionTests`, `PatternTests` and `TemplateTests` have the
    /// cases of values.
    @Test(arguments: [
        ("wathc", ["'wathc'", "'watch'", "xphase watch wathc"]), ("hooks chekc", ["'chekc'", "'check'"]),
        ("--jsn", ["'--jsn'", "'--json'", "xphase watch --help"]), ("list --jsn", ["xphase list --help"]),
        ("--json phase a", ["'--json'", "xphase phase"]), ("--json lst", ["'lst'", "'list'"]),
        ("hooks --json check", ["'--json'", "hooks check"]), ("thaw --all --display :9", ["all displays"]),
        ("help lst", ["'lst'", "'list'"]),
        ("wait a actve", ["active, inactive, background", "'active'"]),
        ("wait a active,", ["active, inactive"]),
        ("on a active,backgruond -- b", ["'background'"]), ("wait a Active", ["'active'"]),
        ("hooks fire a a activ", ["'active', 'inactive', 'background' or 'closed'"]),
        ("on a active", ["xphase on a active -- beep"]), ("on a active beep", ["xphase on a active -- beep"]),
        ("on a active -- ", ["after --"]), ("on a background --do freez", ["'freeze'", "slow, cap, mute"]),
        ("on a background --do slow --cap 20%", ["--do cap", "--cap"]),
        ("on a background --do cap --cap 20", ["'20'", "--cap"]),
        ("on a background --except audio -- b", ["--except", "--do"]),
        ("on a background --do mute --except adio", ["fullscreen, none", "'audio'"]),
        ("on a active,background --do freeze", ["background or inactive,background"]),
        ("on a background --do freeze --timeout 5s", ["--timeout", "--do"]),
        ("on [a active -- b", ["'[a'", "<app>", "'['"]), ("list ", ["it is empty"]),
        ("--level foo", ["--level", "application, group, scene"]),
        ("--policy foo", ["'foo'", "'focus', 'application' or 'visible'"]),
        ("--session lok,away", ["'lok'", "'lock'", "away, lock, display-off, none"]),
        ("watch --session away,none", ["none"]),
        ("--settle 5x", ["'5x'", "--settle", "250ms, 1.5s, 30s, 5m or 1h30m"]),
        ("run --idle 0", ["longer than 0"]), ("hooks pause --for 0s", ["--for", "longer than 0"]),
        ("on a active --after -1s -- b", ["'-1s'", "--after"]),
        ("--format {foo}", ["v, seq, time, kind, change, application"]),
        ("--format {app:9}", ["did you mean '{application}'?"]),
        ("--json --format {to}", ["--json", "--format"]), ("--format %a", ["no field", "{application}"]),
        ("run --idle 1h30", ["write 1h30m"]), ("run --idle 1d2", ["write 1d2h"]),
        (
            "report --since 2026-11-23 --until 2026-11-22",
            ["from 2026-11-23 to 2026-11-22: the start must be before the end"]
        ),
        (
            "report --since tomorrow",
            ["now, 07:50, 1h, today, yesterday, monday, 2026-11-20 or '2026-11-20 09:00'"]
        ),
        ("report --since yestreday", ["did you mean 'yesterday'?"]),
        ("report --since 2025-02-31", ["2026-11-20"]), ("report --until 2025-00-10", ["2026-11-20"]),
        ("report --json --svg a", ["--json and --svg"]), ("report --force", ["--svg"]),
        ("report --by window", ["'application', 'day', 'title' or 'visit'"]),
    ])
    func theMessageNamesTheWordAndWhatIsValidAndTheExitCodeIs64(_ line: String, _ named: [String]) {
        let result = XPhase.call(Self.words(line))
        #expect(result.code == 64 && result.output.isEmpty)
        let message = result.errors.joined(separator: " ")
        for name in ["xphase: "] + named { #expect(message.contains(name), "\(message)") }
    }

    /// Command lines in which `%` stands for each of the words.
    @Test(arguments: [
        ("wait a %", "'background'", ["hidden", "minimized", "minimised", "iconified"]),
        ("wait a %", "'active'", ["focused"]),
        ("wait a %", "'closed'", ["quit", "exit", "exited", "ended", "gone", "closes"]),
        ("list --level %", "'application'", ["class", "app"]), ("list --level %", "'scene'", ["window"]),
        ("--format {%}", "'{application}'", ["class", "app"]), ("--format {%}", "'{scene}'", ["window"]),
        ("on a background --do %", "'freeze'", ["pause", "stop", "suspend"]),
        ("on a background --do freeze --except %", "'audio'", ["sound", "music"]),
        ("on a background --do freeze --except %", "'microphone'", ["mic"]),
        ("--session %", "'lock'", ["locked", "screensaver"]),
        ("--session %", "'display-off'", ["blank", "off"]),
        // The word itself leads to more than a suggestion.
        ("% a", "'thaw'", ["unfreze"]), ("report --% 30m", "'--since'", ["last"]),
    ])
    func aWordOfAnotherProgramIsAnsweredWithTheOneHere(line: String, meant: String, words: [String]) {
        for word in words {
            let result = XPhase.call(Self.words(line.replacing("%", with: word)))
            #expect(result.code == 64 && result.output.isEmpty)
            let message = result.errors.joined(separator: " ")
            #expect(message.contains("id you mean \(meant)?"), "\(message)")
        }
    }

    /// No suggestion is better than a wrong one.
    @Test(arguments: [("watch", "--colour"), ("run", "--title")])
    func anOptionThatIsNotSimilarIsNotSuggested(_ command: String, _ option: String) {
        #expect(XPhase.call([command, option, "a"]).errors.first == "xphase: Unknown option '\(option)'")
    }

    /// Only what the default command would take for a name may be one.
    @Test func aWordBehindSessionIsNoApplication() {
        let status = XPhase.call(["session", "status"])
        let message = "xphase: there is no command 'status': type xphase doctor, or for hooks xphase hooks"
        #expect(status.code == 64 && status.errors == [message], "\(status)")
    }

    /// A mistake has one remedy.
    @Test func aMistakeWithARemedyGetsNoSecondHint() {
        let pause = XPhase.call(["hooks", "pause", "a", "for", "10m"])
        #expect(pause.errors == ["xphase: '10m' is a time: type xphase hooks pause a --for 10m"], "\(pause)")
    }

    @Test func optionsMayPrecedeTheCommand() {
        let late = XPhase.call(["replay", "/dev/null", "--json", "--policy", "visible"])
        let early = XPhase.call(["--json", "--policy", "visible", "replay", "/dev/null"])
        #expect(late.code == 65 && early.code == 65 && early.errors == late.errors, "\(early)")
        // A value that is the name of a command.
        #expect(XPhase.call(["--display", "active"]).code == 69)
        let between = XPhase.call(["hooks", "--for", "0s", "pause"])
        #expect(XPhase.call(["--for", "0s", "hooks", "pause"]).errors.first == between.errors.first)
    }

    /// The executable behaves like the function that the tests call in this process.
    @Test(arguments: [
        "--help", "-V", "hooks chekc", "wathc", "list --jsn", "hooks check /dev/null/config.toml",
    ])
    func theProgramDoesTheSame(_ line: String) throws {
        let (own, other) = (XPhase.call(Self.words(line)), try XPhase.run(Self.words(line), on: nil))
        #expect(other.code == own.code && other.output == own.output && other.errors == own.errors)
    }
}

/// The help pages of all commands.
struct HelpTests {
    private static let pages: [[String]] = xphase.XPhase.configuration.subcommands.flatMap { command in
        let own = [command.configuration.commandName].compactMap(\.self)
        let parts = command.configuration.subcommands.compactMap { $0.configuration.commandName }
        return [own] + parts.map { own + [$0] }
    }

    @Test(arguments: pages + [[]]) func eachPageOfHelpFitsTheWidthAndIsTheSameByTheOption(_ path: [String]) {
        let help = XPhase.call(["help"] + path)
        #expect(help.code == 0 && help.errors.isEmpty)
        #expect(help.output.filter { $0.count > 80 } == [])
        #expect(help.output.count <= 60 || !path.isEmpty, "\(help.output.count)")
        #expect(help.output.contains { $0.hasPrefix("  -V, --version  ") })
        let option = XPhase.call(path + ["--help"])
        #expect(option.code == 0 && option.output == help.output && option.errors.isEmpty)
        let name = path == ["hooks", "status"] ? "hooks [status]" : path.joined(separator: " ")
        let usage = "USAGE: xphase \(path.isEmpty || path == ["watch"] ? "[watch]" : name)"
        #expect(help.output.contains { $0.hasPrefix(usage) }, "\(help)")
        #expect(Self.options(of: help.output) <= 12, "a command with many options is hard to read")
    }

    /// No command that a user may type is hidden.
    @Test func theListsOfHelpHaveEveryCommand() {
        let listed = Self.pages.filter { path in
            let lines = XPhase.call(["help"] + path.dropLast()).output.drop { $0 != "SUBCOMMANDS:" }
            return lines.contains { $0.hasPrefix("  \(path.last ?? "") ") }
        }
        #expect(listed == Self.pages && Self.pages.contains(["session", "start"]))
    }

    @Test func theOptionsOfAllCommandsAreAtMost90() {
        #expect(Self.pages.map { Self.options(of: XPhase.call(["help"] + $0).output) }.reduce(0, +) <= 90)
    }

    /// The number of options besides --version and --help.
    private static func options(of help: [String]) -> Int { help.count { $0.hasPrefix("  -") } - 2 }
}
