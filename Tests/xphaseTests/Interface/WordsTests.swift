import Glibc
import TestDesktop
import Testing

@testable import xphase

/// What people type who know other programs, or nothing of this one.
struct WordsTests {
    /// Command lines and configurations, each with the exit code and what the messages name. One row a rule.
    private static let rows: [(line: String, code: Int32, named: [String])] = [
        // Commands of other programs.
        ("start", 64, ["type systemctl --user start xphase", "xphase session start", "xphase watch start"]),
        ("stop", 64, ["type xphase session stop."]), ("status", 64, ["xphase doctor", "xphase hooks"]),
        ("enable", 64, ["systemctl --user enable xphase"]), ("disable", 64, ["systemctl --user disable"]),
        ("restart", 64, ["systemctl --user restart"]), ("reload", 64, ["systemctl --user reload"]),
        ("log", 64, ["journalctl --user --unit xphase"]), ("logs", 64, ["journalctl"]),
        ("version", 64, ["xphase --version"]), ("ls", 64, ["xphase list"]), ("ps", 64, ["xphase list"]),
        ("kill", 64, ["xphase session stop", "xphase freeze"]), ("--json ls", 64, ["xphase list"]),
        ("help nope", 64, ["'nope'", "xphase help"]), ("hooks list", 64, ["type xphase hooks."]),
        ("hooks help", 64, ["xphase hooks --help"]), ("hooks log", 64, ["xphase hooks why"]),
        ("hooks disable a", 64, ["type xphase hooks pause a."]),
        ("hooks disable", 64, ["type xphase hooks pause."]),
        ("undo", 64, ["xphase hooks pause, which undoes everything"]),
        ("mpv pause", 64, ["xphase freeze mpv"]),
        ("mute mpv", 64, ["type xphase on mpv background --do mute. "]),
        ("slow", 64, ["xphase on APP background --do slow"]), ("cap a", 64, ["--do cap --cap 20%"]),
        ("pause Slack", 64, ["type xphase freeze Slack, or for hooks xphase hooks pause"]),
        ("lock now", 64, ["xphase hooks add on-lock"]), ("add sync-notes", 64, ["xphase hooks add"]),
        ("why a", 64, ["xphase explain a", "xphase hooks why"]), ("usage", 64, ["xphase report"]),
        ("frozen", 64, ["type xphase list"]), ("toggle a", 64, ["type xphase freeze a --toggle"]),
        ("session enable", 64, ["type systemctl --user enable xphase"]),
        ("session strat", 64, ["did you mean 'start'?"]),
        ("completion bash", 64, ["--generate-completion-script bash"]),
        ("uninstall", 64, ["systemctl --user disable --now xphase", "remove the package"]),
        ("hooks explain a", 64, ["type xphase hooks why a."]),
        ("hooks undo a", 64, ["type xphase hooks pause a."]), ("hooks exclude a", 64, ["config.toml"]),
        // Dashes in the wrong place.
        ("on a background notify-send hidden", 64, ["type xphase on a background -- notify-send hidden"]),
        ("on a active --after 3s beep", 64, ["type xphase on a active --after 3s -- beep"]),
        ("on -- a background --do freeze", 64, ["type xphase on a background --do freeze"]),
        ("on -- a active beep", 64, ["type xphase on a active -- beep"]),
        ("on a active -- --after 3s beep", 64, ["begins with '--after'", "before --"]),
        ("on a background --run BLANKS", 64, ["type xphase on a background -- play it"]),
        ("on a background BLANKS", 64, ["type xphase on a background -- play it"]),
        ("on a background -- BLANKS", 64, ["write -- play it"]),
        ("on a background SIGNS", 64, ["type xphase on a background -- sh -c 'a; b'"]),
        ("on a background --then true", 64, ["type xphase on a background -- true"]),
        ("on --exec true a background", 64, ["'--exec': the command stands behind --"]),
        ("list -- --json", 64, ["'--json' counts as a name behind --"]),
        ("on a background freeze --after 9s", 64, ["type xphase on a background --do freeze --after 9s"]),
        ("on a freeze,mute", 64, ["type xphase on a background --do freeze,mute"]),
        ("on a cap", 64, ["type xphase on a background --do cap --cap 20%"]),
        ("on a background do freeze", 64, ["type xphase on a background --do freeze"]),
        // An option without its dashes.
        ("thaw all", 69, ["serves", "for the option --all, type xphase thaw --all"]),
        ("list json", 1, ["no application matches 'json'", "type xphase list --json"]),
        ("wait sync", 64, ["type xphase wait --sync"]), ("active follow", 64, ["xphase active --follow"]),
        ("explain pick", 1, ["type xphase explain --pick"]), ("report by day", 1, ["report --by day"]),
        ("freeze a for ten minutes --toggle", 69, ["type xphase freeze a --for 10m --toggle"]),
        ("phase focused", 1, ["'focused': type xphase active"]),
        ("list background", 1, ["'background': type xphase list --phase background"]),
        ("doctor mpv", 64, ["for an application, type xphase explain mpv"]),
        ("active mpv", 64, ["type xphase phase mpv"]),
        ("freeze a background", 69, ["type xphase on a background --do freeze"]),
        // An option of another program or command, or for what is none here.
        ("list --policy visible", 64, ["'--policy': xphase watch, run, replay have it"]),
        ("freeze a --after 9s", 64, ["type xphase on APP background --after 5m --do freeze"]),
        ("freeze a --power battery", 64, ["'--power': xphase on has it"]),
        ("report --title", 64, ["type --by title"]), ("active --watch", 64, ["'--follow'"]),
        ("list --follow", 64, ["xphase watch"]), ("list --all", 64, ["without a name"]),
        ("watch --follow", 64, ["without an option, it follows"]),
        ("freeze --app a", 64, ["write xphase freeze APP"]),
        ("freeze --pid 1", 64, ["write xphase freeze APP"]),
        ("hooks add --application a", 64, ["write xphase hooks add RECIPE APP"]),
        ("freeze -f a", 64, ["type --except none"]), ("list --hidden", 64, ["list --phase background"]),
        ("list --active", 64, ["list --phase active"]), ("top --once", 64, ["xphase top | cat"]),
        ("top --json", 64, ["xphase list --json"]), ("top -d 1", 64, ["changes by itself"]),
        ("list --sort cpu", 64, ["xphase top sorts"]), ("report --week", 64, ["--since 1w"]),
        ("explain --focused", 64, ["xphase explain --pick"]),
        ("run -d", 64, ["systemctl --user start xphase", "xphase session start"]),
        ("wait a background --for 9s", 64, ["Did you mean '--timeout'?"]),
        ("on a background --for 9s -- b", 64, ["'--for': --after 5m reacts"]),
        ("on a --background --do freeze", 64, ["'--background': write xphase on APP background"]),
        ("wait a --phase active", 64, ["write xphase wait APP PHASE"]),
        ("report --today", 64, ["type --since today"]),
        // Lists with blanks.
        ("wait a background active", 64, ["type xphase wait a background,active"]),
        ("on a b active -- beep", 64, ["type xphase on a,b active -- beep"]),
        ("on a in background --do freeze", 64, ["type xphase on a background --do freeze"]),
        ("wait until a is active or inactive", 64, ["type xphase wait a active,inactive"]),
        ("on a background --do freeze mute", 64, ["--do freeze,mute"]),
        ("list --level scene group", 1, ["type xphase list --level scene,group"]),
        ("wait Alpha, a active, closed", 0, []), ("wait a, b active, hiden", 64, ["'background'"]),
        // Times.
        ("report --from 9", 64, ["Did you mean '--since'?"]), ("report --to 9", 64, ["'--until'"]),
        ("report --since 9", 64, ["write 09:00, or for a time before now 9h or 9m"]),
        ("report --since 30", 64, ["it has no unit: write 30min or 30h"]),
        ("report --until 9am", 64, ["write 09:00"]), ("report --since 9:30pm", 64, ["write 21:30"]),
        ("report --since 12am", 64, ["write 00:00"]), ("report --since 13pm", 64, ["write now, 07:50"]),
        // Arguments without their command, or in another order.
        ("firefox active", 64, ["'active' is a phase: type xphase wait firefox active."]),
        ("background", 64, ["xphase wait APP background"]),
        ("wait active,closed firefox", 64, ["type xphase wait firefox active,closed"]),
        ("on background fire* -- true", 64, ["type xphase on 'fire*' background"]),
        ("wait a open", 64, ["'open' is active,inactive,background here"]),
        ("on fire* closed", 64, ["xphase on 'fire*' closed -- beep"]),
        ("on a iconify -- b", 64, ["'iconify' is background here"]),
        ("list active", 1, ["it is a phase"]),
        ("wait a hiden", 64, ["did you mean 'background'?"]), ("-v", 64, ["Did you mean '-V'?"]),
        // An unknown option comes before a missing argument.
        ("freeze --all", 64, ["Unknown option '--all': write each application as xphase list prints it"]),
        ("top --sort cpu", 64, ["'--sort': press s in the table"]),
        ("top --srt cpu", 64, ["xphase top --help"]),
        ("explain --pic", 64, ["'--pic'", "'--pick'"]), ("thaw --al", 64, ["'--al'", "'--all'"]),
        ("wait --foo", 64, ["'--foo'"]), ("on --bar", 64, ["'--bar'"]), ("hooks fire --foo", 64, ["'--foo'"]),
        // Lists take commas and repetition.
        ("list --level scene,group --level foo", 64, ["'foo'"]),
        ("list --phase active,foo", 64, ["active, inactive, background"]),
        ("list --phase closed", 64, ["the phases are active, inactive, background"]),
        ("wait a quit", 64, ["active, inactive, background, closed: did you mean 'closed'?"]),
        ("hooks fire a b clsed", 64, ["'closed'"]),
        ("on a background --do freeze,foo", 64, ["'foo'"]),
        ("on a background --do freeze --except audio,foo", 64, ["'foo'"]),
        ("watch --session lock --session none", 64, ["none cannot be combined"]),
        // Names that match nothing yet.
        ("wait nope active --timeout 10ms", 124, ["'nope'", "waiting for it, see xphase --help"]),
        // The command behind its names, and a time without its option.
        ("mousepad freeze", 64, ["type xphase freeze mousepad.", "xphase watch mousepad freeze"]),
        ("a* freeze --for 5m", 64, ["type xphase freeze 'a*' --for 5m."]),
        ("rest why", 64, ["xphase explain rest", "xphase hooks why"]),
        ("a on background --do freeze", 64, ["type xphase on a background --do freeze."]),
        ("hooks rest why -j", 64, ["type xphase hooks why rest -j.", "xphase hooks status rest why"]),
        ("rest hooks why -j", 64, ["type xphase hooks why rest -j."]),
        ("freeze a 10m", 64, ["'10m' is a time: type xphase freeze a --for 10m"]),
        ("freeze a for 1h30m --toggle", 64, ["type xphase freeze a --for 1h30m --toggle"]),
        ("freeze a 10 m", 64, ["'10m' is a time: type xphase freeze a --for 10m"]),
        ("hooks pause 1h", 64, ["type xphase hooks pause --for 1h"]),
        ("wait a active 5s", 64, ["type xphase wait a active --timeout 5s"]),
        ("on a background 5s -- beep", 64, ["type xphase on a background --after 5s -- beep"]),
        ("record file 2min", 64, ["type xphase record file --for 2min"]),
        ("freeze a --for 10 m", 64, ["'10 m' is one value: type xphase freeze a --for 10m"]),
        ("wait --timeout 1 h 30 min a active", 64, ["type xphase wait --timeout 1h30min a active"]),
        ("report --since 2 days ago a", 64, ["type xphase report --since 2days a"]),
        ("report --since last monday", 64, ["type xphase report --since monday"]),
        ("report yesterday", 64, ["'yesterday' is a time: type xphase report --since yesterday"]),
        ("report monday", 64, ["for an application of this name, xphase report -- monday"]),
        // Other words may be names.
        ("hooks pause last 1h", 64, ["type xphase hooks pause last --for 1h"]),
        ("on a active after 5m", 64, ["type xphase on a active --after 5m"]),
        ("report --since yesterday 9:30", 64, ["type xphase report --since 'yesterday 9:30'"]),
        ("freeze a --until 18:00", 64, ["there is --for, as in --for 1h30m"]),
        ("freeze a --for 18:00", 64, ["it is a time of day", "1h30m"]),
        ("freeze a 10x", 69, ["no 'xphase run' serves", "to start it: ", "xphase session start"]),
        ("on a background --do cap --cap 20", 64, ["write 20%"]),
        ("on a background --do cap --cap 20k", 64, ["write a percentage of one processor"]),
        ("list --format {application}: {title}", 64, ["in quotes: --format '{application}: {title}'"]),
        ("active -f {application} {title} --json", 64, ["--format '{application} {title}'"]),
        // Displays.
        ("list --display :9999.5", 69, ["':9999.5'"]), ("list --display DISPLAY.5", 69, ["has no screen 5"]),
        // Configurations.
        ("journal = True", 78, ["write true instead of True"]), ("journal = yes", 78, ["write true"]),
        ("journal = on", 78, ["write true"]), ("journal = \"off\"", 78, ["write false"]),
        ("[[hook]]|to = 'background'|do = 'freeze'", 78, ["write while = \"background\""]),
        ("[[hook]]|application = 'mousepad, xterm'|run = ['true']", 0, ["[\"mousepad\", \"xterm\"]"]),
        ("[[hook]]|application = 'The title'|run = ['true']", 0, ["is a title of Alpha"]),
        ("[[hook]]|run = ['./pause.sh']", 0, ["'./pause.sh' is not in the home directory"]),
        ("run = ['a']|[[hook]]|run = ['true']", 78, ["run: it is a key of a hook", "below the [[hook]]"]),
        (
            "[[hook]]|run = 'play it'", 78,
            [#"write ["play", "it"], or for the shell shell = "play it" in its place"#]
        ),
        ("[[hook]]|run = 'a; b'", 78, [#"write shell = "a; b" in its place"#]),
        (
            "[[hook]]|while = 'background'|enter = 'a b'|leave = ['true']", 78,
            [#"write ["a", "b"], or for the shell ["sh", "-c", "a b"]"#]
        ),
        ("[[hook]]|application = ''|run = ['true']", 78, ["it is empty: write * for every name"]),
        (
            "[[hook]]|session = 'unlock'|run = ['true']", 78,
            [#"'unlock' is the end of 'lock': write session = "lock", enter = ["true"], and as leave"#]
        ),
        ("[[hook]]|to = 'closed'|initial = true|run = ['true']", 78, ["not found at the start"]),
        ("[[hook]]|to = 'closed'|from = 'active'|run = ['true']", 78, ["write from = \"background\""]),
        ("[[hook]]|run = ['cp', '~/notes', '~/x']", 0, ["run: '~/notes' is passed as it is", "shell = "]),
        ("[[hook]]|while = 'background'|enter = ['ls', '~']|leave = ['true']", 0, ["enter: '~' is", "sh"]),
        (
            "[[hook]]|application = 'A'|while = 'background'|do = 'cap'|cap = '20'", 78,
            ["'20': write \"20%\""]
        ),
        ("[[hook]]|application = 'A'|while = 'background'|do = 'cap'|cap = 20", 78, ["write \"20%\""]),
    ]

    @Test func onlyAWordOfTheSameListIsProposedForIt() {
        func hint(_ line: String) -> String? {
            Mistakes.hint(about: line.split(separator: " ").map(String.init))
        }
        let joined = "commas separate several: type xphase list --phase background,inactive"
        #expect(hint("list --phase background inactive") == joined)
        #expect(hint("list a --phase background, inactive") == nil)
        #expect(hint("list --level scene active") == "'active': type xphase list --phase active")
        #expect(hint("on a --do cap background") == nil)
    }

    @Test func wordsOfOtherProgramsAndMistakesLeadToWhatToType() throws {
        let stage = try Stage(.openbox)
        let alpha = try stage.show(.init("Alpha"))
        alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("The title".utf8))
        try stage.wait(for: "Alpha", "active")
        for (line, code, named) in Self.rows {
            let result: XPhase.Result
            if line.contains("=") {
                let text = line.replacing("|", with: "\n").replacing("[[hook]]", with: "[[hook]]\nname = 'a'")
                let script = "printf '%s\\n' \"$0\" | xphase hooks check -"
                result = try Program.run("sh", ["-c", script, text], environment: stage.environment)
            } else {
                let values = ["DISPLAY": stage.display.name, "BLANKS": "play it", "SIGNS": "a; b"]
                let words = line.split(separator: " ").map(String.init).map { word in
                    values.reduce(word) { $0.replacing($1.key, with: $1.value) }
                }
                result = try XPhase.run(words, on: nil, environment: stage.environment)
            }
            let message = result.errors.joined(separator: "\n")
            #expect(
                result.code == code && result.errors.first?.hasPrefix("xphase: ") == true,
                "\(line): \(result)")
            for name in named { #expect(message.contains(name), "\(line): \(message)") }
        }
    }

    @Test(arguments: ["hooks check -", "replay -", "run --config -"])
    func aCommandThatReadsATerminalSaysSo(_ line: String) throws {
        let stage = try Stage(.none)
        let terminal = try Terminal()
        let program = try stage.start(line, terminal: terminal)
        let text = "from standard input: end it with Ctrl-D"
        while try #require(try terminal.output.next()).contains(text) == false {}
        try program.end(SIGTERM)
    }

    @Test func severalValuesOfAnOptionCountWithCommasAndRepeated() throws {
        let (stage, alpha) = try Stage.alpha()
        let beta = try stage.show(.init("Beta"), x: 300)
        try stage.focus(beta, "Beta")
        try stage.hide(alpha, "Alpha")
        for words in ["--level scene,application", "--level scene --level application"] {
            let levels = try stage.output("list \(words) --format {kind} Beta")
            #expect(levels == ["scene", "application"], "\(words)")
        }
        for line in ["list --level scene, application --format {kind} Beta", "list --format {kind}, Beta"] {
            #expect(try stage.output(line).count == (line.contains("--level") ? 2 : 3), "\(line)")
        }
        #expect(try stage.output("phase Alpha, Beta") == ["active"])
        let format = "--level application --format {application}"
        for words in ["--phase active,background", "--phase active --phase background"] {
            #expect(try stage.output("list \(words) \(format)") == ["Alpha", "Beta"], "\(words)")
        }
    }

    @Test func anExecutableOfHooksDThatCannotStartIsAFaultWithItsRemedy() throws {
        let stage = try Stage(.none)
        for (name, text) in [
            ("0", "\u{1}\0\u{2}"), ("1", "echo\n"), ("2", "#!/usr/bin/pythn3\n"),
            ("3", "#!/bin/sh\r\necho\r\n"), ("4", "#!/bin/sh\n"), ("5", "#! /usr/bin/env -S pythn7 -u\n"),
            ("6", "#!/usr/bin/env sh\n"),
        ] {
            try stage.home.write("config/xphase/hooks.d/\(name)", text)
            chmod("\(stage.home.hooksDirectory)/\(name)", 0o755)
        }
        let result = try stage.run("hooks check")
        #expect(result.code == 78 && result.errors.count == 4, "\(result)")
        let start = "xphase: hook 'hooks.d/5': run: the first line of its script names what is missing: "
        #expect(result.errors.last?.hasPrefix("\(start)there is no program 'pythn7'") == true, "\(result)")
        for (line, reason) in zip(
            result.errors,
            [
                "1: cannot start: write a first line that names its interpreter, such as #!/bin/sh",
                "2: cannot start: its first line names '/usr/bin/pythn3', which does not exist or is not executable",
                "3: cannot start: its first line names '/bin/sh\\r': save it with Unix line ends",
            ])
        { #expect(line == "xphase: \(stage.home.hooksDirectory)/\(reason)") }
        #expect(result.output.contains("\(stage.home.hooksDirectory): 4 hooks"))
    }

    @Test func theFileToEditIsNamed() throws {
        let stage = try Stage(.none)
        for line in ["hooks remove a", "hooks delete a", "hooks edit", "edit", "config"] {
            let result = try stage.run(line)
            let file = stage.home.configurationFile
            #expect(
                result.code == 64 && result.errors[0].contains(" type ${EDITOR:-nano} \(file), "), "\(result)"
            )
        }
    }

    /// At a reload, the old hooks stay, so a fault shows only at the next start.
    @Test func aServiceThatFaultsKeepFromStartingNamesTheCheck() throws {
        let stage = try Stage(.none, "a = 1\nb = 2\n")
        for line in ["freeze Alpha", "thaw Alpha", "hooks pause", "hooks why a", "wait --sync"] {
            let result = try stage.run(line)
            let reason =
                "xphase: it does not start, since the configuration has 2 faults: type xphase hooks check"
            #expect(result.code == 69 && result.errors.last == reason, "\(line): \(result)")
        }
        try stage.home.configure("")
        let start = try stage.run("freeze Alpha").errors.last
        #expect(start?.hasPrefix("xphase: to start it: ") == true, "\(start ?? "")")
    }

    @Test func withoutADisplayTheMessageNamesSSHAndWayland() throws {
        let home = try HookHome()
        for (variable, words) in [
            ("SSH_CONNECTION", "DISPLAY=:0 xphase list"),
            ("WAYLAND_DISPLAY", "this Wayland session has no XWayland"),
        ] {
            var variables: [String: String?] = [
                "DISPLAY": nil, "SSH_CONNECTION": nil, "WAYLAND_DISPLAY": nil,
            ]
            variables[variable] = "a"
            let result = try XPhase.run(
                ["list"], on: nil, environment: home.environment.merging(variables) { $1 })
            #expect(result.code == 69 && result.errors.first?.contains(words) == true, "\(result)")
        }
    }

    @Test(arguments: [
        "now", "07:50", "1h", "1 hour", "1 hour ago", "2 days ago", "1w", "5msec", "today", "yesterday",
        "monday",
        "2026-11-20", "2026-11-20 09:00", "2026-11-20T09:00",
    ])
    func eachFormOfATimeIsUnderstood(_ text: String) throws {
        let home = try HookHome()
        let result = try XPhase.run(["report", "--until", text], on: nil, environment: home.environment)
        let messages = result.errors.joined()
        #expect(
            messages.contains("there is no journal yet") || messages.contains("must be before the end"),
            "\(result)")
    }

    @Test func unitsMayBeWordsInEveryPlaceThatTakesADuration() throws {
        let (stage, _) = try Stage.alpha()
        for time in ["5msec", "0.001 seconds", "5 ms"] {
            let result = try stage.run("wait Alpha background --timeout", time)
            #expect(result.code == 124, "\(result)")
        }
        for key in [
            "settle = '1 second'", "idle = '1 hour'", "keep = '2w'", "keep = '90 days'", "idle = '1w'",
        ] {
            try stage.home.configure(key)
            #expect(try stage.run("hooks check").code == 0, "\(key)")
        }
    }

    @Test func aReaderThatIsGoneEndsARecordingAsAWatchWithoutAMessage() throws {
        let (stage, _) = try Stage.alpha()
        for command in ["record -", "watch"] {
            let script = "{ xphase \(command); echo $? >&2; } | true"
            let result = try Program.run("sh", ["-c", script], environment: stage.environment)
            #expect(result.errors == ["0"], "\(command): \(result)")
        }
        let reading = try Program.run(
            "sh", ["-c", "xphase record - --for 100ms | gzip | xphase replay - --format {application}"],
            environment: stage.environment)
        #expect(reading.output == ["Alpha"] && reading.errors.isEmpty, "\(reading)")
    }

    @Test func aServiceReadsItsConfigurationFromStandardInput() throws {
        let (stage, alpha) = try Stage.alpha()
        let script =
            "printf \"[[hook]]\\nname = 'a'\\nto = 'background'\\nrun = ['echo', 'seen']\\n\" | xphase run --config -"
        let run = try Program("sh", ["-c", "exec 2>&1; \(script)"], environment: stage.environment)
        #expect(try waitUntil { try stage.run("wait --sync").code == 0 })
        alpha.iconify()
        var line: String?
        repeat { line = try run.output.next() } while line != nil && line != "xphase: hook 'a': seen"
        #expect(line != nil)
        try stage.expect("session stop", output: ["the service of \(stage.display.name) has ended"])
    }

    @Test func aReactionNamesInitialIfItsPhaseHasBegun() throws {
        let (stage, alpha) = try Stage.alpha()
        try stage.hide(alpha, "Alpha")
        let on = try stage.start("on Alpha background -- true")
        _ = try on.errors.next()
        #expect(try on.errors.next() == "xphase: to react now, too, add --initial")
        try on.end(SIGTERM)
    }

    @Test func firedHooksGetTheMonitorAndTheNameOfTheDesktop() throws {
        let (stage, _) = try Stage.alpha(
            .openbox, "[[hook]]\nname = 'a'\nlevel = 'scene'\nrun = ['sh', '-c', 'cat']\n")
        let json = try stage.run("hooks fire a Alpha active").output.joined()
        #expect(json.contains(#""monitor":"screen""#) && json.contains(#""desktop_name":""#), "\(json)")
    }
}

extension RootTests {
    @Test func aConfigurationThatMayNotBeReadNamesTheCommandThatPermitsIt() throws {
        let home = try HookHome("")
        let (file, user) = (home.configurationFile, uid_t(65_534))
        for path in ["", "/config", "/config/xphase"] { chown(home.path + path, user, user) }
        chown(file, user, user)
        for (path, mode, remedy) in [
            (file, 0, "chmod u+r \(file)"), ("\(home.path)/config", 0, "chmod u+x \(home.path)/config"),
        ] {
            chmod(path, mode_t(mode))
            let result = try Program.run(
                "setpriv", ["--reuid=65534", "--clear-groups", XPhase.path, "hooks", "check", file],
                package: "util-linux", environment: home.environment)
            chmod(path, 0o700)
            let message = "xphase: \(file): cannot be read: Permission denied: \(remedy)"
            #expect(result.code == 78 && result.errors == [message], "\(result)")
        }
    }

    /// Root in the environment of another user, whose display and files it would take.
    @Suite struct SudoTests {
        private static let commands = [
            "run", "hooks check", "doctor", "freeze Alpha", "thaw --all", "list", "wait --sync",
            "hooks add sync-notes",
            "session start", "report",
        ]

        @Test func underSudoEveryCommandSaysToTypeItWithoutSudo() throws {
            let stage = try Stage(.none)
            stage.environment["SUDO_USER"] = "ann"
            stage.environment["SUDO_UID"] = "987654"
            for line in Self.commands {
                let result = try stage.run(line)
                let message =
                    "xphase: the session belongs to ann, not to root: type the command without sudo, as ann; in a session "
                    + "of root's own, type unset SUDO_UID first"
                #expect(result.code == 64 && result.errors == [message], "\(line): \(result)")
            }
            #expect(try stage.run("--version").code == 0 && stage.run("help list").code == 0)
            // A session of root that sudo(8) has started.
            stage.environment["XAUTHORITY"] = try stage.home.folder.write("authority", "")
            #expect(try stage.run("list").code == 0)
        }

        /// In a container, what it does not know belongs to this number, which has an account.
        @Test func rootMayUseWhatBelongsToNobody() throws {
            let stage = try Stage(.none)
            let home = "\(stage.home.path)/home"
            mkdir(home, 0o755)
            chown(home, 65_534, 65_534)
            stage.environment["HOME"] = home
            #expect(try stage.run("list").code == 0)
        }

        @Test func rootWritesNothingInTheHomeOfAnotherUser() throws {
            let stage = try Stage(.none)
            let path = stage.home.path
            let home = "\(path)/home"
            mkdir(home, 0o755)
            chown(home, 1, 1)
            for name in ["XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"] {
                stage.environment[name] = .some(nil)
            }
            stage.environment["HOME"] = home
            for line in Self.commands {
                let result = try stage.run(line)
                let message =
                    "xphase: '\(home)' belongs to daemon, not to root: type the command without sudo, as daemon"
                #expect(result.code == 64 && result.errors == [message], "\(line): \(result)")
            }
            #expect(try Program.run("ls", ["-A", home]).output.isEmpty)
            for name in ["XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"] {
                var environment = stage.home.environment.merging(stage.display.environment) { $1 }
                environment[name] = name == "XDG_STATE_HOME" ? "\(home)/new" : home
                let result = try XPhase.run(["run"], on: stage.display, environment: environment)
                #expect(
                    result.code == 64 && result.errors[0].contains("belongs to daemon"), "\(name): \(result)")
            }
            #expect(try Program.run("ls", ["-A", home]).output.isEmpty)
        }
    }
}
