import Glibc
import TestDesktop
import Testing

@testable import xphase

/// Error messages for invalid arguments and unusable displays.
@Suite struct Misuse {
    /// Command lines, whose words are separated by single spaces, and parts of their error messages.
    private static let table = [
        (
            "wathc",
            "there is no command 'wathc'; the commands are watch, run, list, active, phase, wait, on, freeze, "
                + "thaw, explain, hooks, report, top, doctor, record, replay, session, bus, help: did you mean 'watch'?"
        ),
        (
            "hooks chekc",
            "there is no command 'hooks chekc'; the commands are hooks check, hooks list, hooks add, hooks fire, "
                + "hooks status, hooks why, hooks pause, hooks resume, hooks thaw-all: "
                + "did you mean 'hooks check'?"
        ),
        ("rubbish", "explain, hooks, report, top, doctor, record, replay, session, bus, help"),
        ("--jsn", "Try 'xphase --help'."), ("list --jsn", "Try 'xphase help list'."),
        ("hooks fire --jsn", "Try 'xphase help hooks fire'."),
        ("on a background", "write the command after --: xphase on a background -- beep"),
        ("wait a actve", "the phases are active, inactive, background: did you mean 'active'?"),
        ("on a active,backgruond -- b", "background: did you mean 'background'?"),
        ("wait a active,", "the phases are active, inactive, background"),
        ("wait a Active", "did you mean 'active'?"), ("wait a", "Missing expected argument '<phase,…>'"),
        ("wait a active --timeout 5", "write a whole number and its unit"),
        ("phase", "Missing expected argument '<application>'"), ("phase a b", "Unexpected argument 'b'"),
        ("on a active", "write the command after --: xphase on a active -- beep"),
        ("on a active beep", "write the command after --: xphase on a active -- beep"),
        ("on a active -- ", "write the command after --"),
        ("on a background --do freez", "mute, reclaim: did you mean 'freeze'?"),
        ("on a background --do cap", "--do cap and --cap go together: --do cap --cap 20%"),
        ("on a background --do slow --cap 20%", "--do cap and --cap go together"),
        ("on a background --do cap --cap 20", "The value '20' is invalid for '--cap"),
        ("on a background --do slow --do idle", "choose one of them"),
        ("on a background --except audio -- b", "--except needs --do"),
        ("on a background --do mute --except adio", "fullscreen, none: did you mean 'audio'?"),
        (
            "on a active,background --do freeze",
            "an application with the focus cannot be frozen: write background or inactive,background"
        ),
        ("on a active --do mute --do freeze", "--do: an application with the focus cannot be"),
        ("on a background --do freeze -- b", "use either --do or a command"),
        ("on  active -- b", "it is not a valid glob: it is empty, and would match nothing"),
        ("on [a active -- b", "The value '[a' is invalid for '<application>': it is not a valid glob: '['"),
        ("list ", "it is not a valid glob: it is empty"), ("list a\\", "it ends in a backslash"),
        ("watch --application [a", "it is not a valid glob: '[' is not closed"),
        ("run --application ", "it is not a valid glob: it is empty"),
        ("phase [a", "it is not a valid glob: '[' is not closed"), ("explain [a", "it is not a valid glob"),
        ("wait [a active", "it is not a valid glob"),
        ("watch --process /a(/", "it is not a valid regular expression: Unmatched ( or \\("),
        ("phase //", "it is not a valid regular expression: it is empty, and would match everything"),
        ("list --desktop -2", "write the number of a desktop: 0 is the first"),
        ("hooks fire a --application [a --to active", "it is not a valid glob"),
        ("hooks fire a --application a --to activ", "'background', 'inactive' or 'active'"),
        ("hooks pause --for 0s", "--for must be longer than 0"),
        ("on a active --timeout 0 -- b", "--timeout must be longer than 0"),
        ("wait a active --timeout -1s", "write a whole number and its unit"),
        ("on a active --after -1s -- b", "write a whole number and its unit"),
        ("help foo", "there is no command 'foo'; the commands are watch"),
        ("help hooks foo", "there is no command 'hooks foo'; the commands are hooks check"),
        ("help list foo", "'list' has no subcommands: write xphase help list"),
        ("hooks help", "there is no command 'hooks help'; the commands are hooks check"),
        ("hooks fire -dash", "there is no option '-dash'; a name that begins with '-' goes after --"),
        ("hooks check a b", "Unexpected argument 'b'"), ("hooks list --confg a", "Did you mean '--config'?"),
        ("--policy foo", "'focus', 'application' or 'visible'"),
        ("--level foo", "'application', 'group' or 'scene'"),
        ("list --level foo", "'application', 'group' or 'scene'"),
        (
            "--session lok,away",
            "there is no session state 'lok' (did you mean 'lock'?); the session states are away, lock, "
                + "display-off, none"
        ),
        ("list --session away,none", "none cannot be combined with others"),
        ("run --idle 0", "it must be longer than 0"),
        ("--idle x", "a whole number and its unit"),
        ("--settle 5x", "write a whole number and its unit: 250ms, 30s, 5m or 1h"),
        ("--settle -1s", "write a whole number and its unit"),
        ("--settle 99999999999999999999h", "write a whole number and its unit"),
        ("--settle 8000000h", "write a whole number and its unit"),
        ("--occlusion 5x", "'5x' is invalid for '--occlusion"),
        ("--format {foo}", "the fields are v, seq, time, kind, change, application"),
        ("--format {to", "'{' is not closed"), ("--json --format {to}", "use either --json or --format"),
        ("--json list", "write options after the command: xphase list …"),
        ("--display :1 phase a", "write options after the command: xphase phase …"),
        ("--jsn", "Did you mean '--json'?"), ("list a b", "Unexpected argument 'b'"),
        ("watch extra", "Unexpected argument 'extra'"), ("replay a --speed 0", "a whole number, 1 or more"),
        (
            "report --from 2026-11-23 --to 2026-11-22",
            "--from 2026-11-23 is not before --to 2026-11-22: swap them, or name others"
        ),
        ("report --from tomorrow", "write 2026-11-22, monday, 2026-11-22T14:30, 14:30, or how long ago"),
        ("report --from 2025-02-31", "2025-02-31 is not a date"),
        ("report --to 2025-13-01", "is not a date"),
        ("report --to 2025-00-10", "is not a date"),
        ("report --to 2026-02-29T10:00", "is not a date"),
        ("report --to 24:30", "write 2026-11-22,"),
        ("report --json --csv", "use only one of --json, --csv and --svg"),
        ("report --svg a --by phase", "not by phase"),
        ("report --today --from 1h", "use only one of --today"),
        ("report --by window", "phase, day, title or category"), ("report --force", "--force needs --svg"),
        // A byte that is not valid UTF-8, as `Arguments` encodes it.
        ("phase a\0\u{E9}", "is not UTF-8"), ("--display :0\0\u{E9} list", "is not UTF-8"),
        ("list --display :0\0\u{E9}", "is not UTF-8"), ("list \0\u{E9}", "is not UTF-8"),
        ("--format \0\u{E9}{to}", "is not UTF-8"), ("wait a \0\u{E9}", "the phases are"),
        ("\0\u{E9}", "there is no command '\u{FFFD}'"),
    ]

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: table)
    func isExplainedAndExits64(_ line: String, _ message: String) throws {
        let result = XPhase.call(Self.words(line))
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors.first?.hasPrefix("xphase: ") == true)
        #expect(result.errors.joined().contains(message), "\(result.errors)")
    }

    @Test(arguments: [
        "--help", "help", "watch --help", "list --help", "help list", "help help", "explain --help",
        "help doctor", "--version", "phase --help", "help wait", "on --help", "hooks", "hooks --help",
        "hooks check --help", "help hooks list",
    ])
    func helpIsDataAndExits0(_ line: String) throws {
        let result = XPhase.call(Self.words(line))
        #expect(result.code == 0 && !result.output.isEmpty && result.errors.isEmpty)
        #expect(result.output.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: ["list", "on", "hooks", "hooks list"])
    func helpNamesTheCommandThatItIsOf(_ command: String) {
        let (help, option) = (Self.words("help \(command)"), Self.words("\(command) --help"))
        #expect(XPhase.call(help).output == XPhase.call(option).output)
        #expect(XPhase.call(help).output.contains { $0.hasPrefix("USAGE: xphase \(command) ") })
    }

    /// The executable behaves like the function that the tests call in this process.
    @Test(arguments: ["--help", "hooks", "wathc", "list --jsn", "hooks check /nowhere/config.toml"])
    func theProgramDoesTheSame(_ line: String) throws {
        let (own, other) = (XPhase.call(Self.words(line)), try XPhase.run(Self.words(line), on: nil))
        #expect(other.code == own.code && other.output == own.output && other.errors == own.errors)
    }

    @Test(arguments: [
        ["watch"], ["list"], [], ["phase", "a"], ["wait", "a", "active"],
        ["on", "a", "active", "--", "true"],
    ])
    func withoutADisplayItExits69(_ arguments: [String]) throws {
        let result = try XPhase.run(arguments, on: nil, environment: ["DISPLAY": nil])
        #expect(result.code == 69 && result.output.isEmpty)
        #expect(result.errors == ["xphase: DISPLAY is not set: run inside an X session or pass --display"])
    }

    @Test(arguments: [":4711", "nowhere.invalid:0", "rubbish"])
    func anUnreachableDisplayIsNamedAndExits69(_ name: String) throws {
        let result = try XPhase.run(["list"], on: nil, environment: ["DISPLAY": name])
        #expect(result.code == 69)
        #expect(result.errors.last?.hasPrefix("xphase: cannot open display '\(name)': check") == true)
        let named = try XPhase.run(["list", "--display", name], on: nil, environment: ["DISPLAY": nil])
        #expect(named.code == 69)
        #expect(named.errors == result.errors)
    }
}

extension DesktopTests {
    @Suite struct Displays {
        @Test func aServerThatRefusesIsNamedAndExits69() throws {
            let folder = try TemporaryFolder()
            // A cookie that no client has.
            let file = "\(folder.path)/authority"
            _ = try Program.run(
                "xauth", ["-f", file, "add", ":0", ".", "00112233445566778899aabbccddeeff"], package: "xauth")
            let display = try VirtualDisplay(arguments: ["-auth", file])
            let result = try XPhase.run(["list"], on: display, environment: ["XAUTHORITY": "/dev/null"])
            #expect(result.code == 69)
            #expect(
                result.errors.last?.hasPrefix("xphase: cannot open display '\(display.name)': check") == true)
        }

        @Test func aServerThatDoesNotAnswerIsNamedAndExits69() throws {
            let display = try VirtualDisplay()
            display.send(SIGSTOP)
            defer { display.send(SIGCONT) }
            let result = try XPhase.run(["watch"], on: display)
            #expect(result.code == 69)
            #expect(
                result.errors == [
                    "xphase: display '\(display.name)' does not answer: is its X server stopped, or its host away?"
                ])
        }

        @Test func aServerThatDiesEndsTheWatchWith69AndWholeLines() throws {
            let session = try Session(.openbox)
            try session.open("Alpha")
            try session.display.crash()
            #expect(try session.watch.exitCode() == 69)
            #expect(
                try session.watch.errors.rest() == [
                    "xphase: the X server of display '\(session.display.name)' went away"
                ])
            for line in try session.watch.output.rest() { _ = try Line(line) }
        }

        @Test func aServerThatDiesWhileAStormIsReadEndsTheWatchWith69() throws {
            let session = try Session(.none, settle: "0")
            for number in 1...200 {
                let window = session.window(.init("Storm\(number)"))
                window.map()
            }
            try session.display.crash()
            #expect(try session.watch.exitCode() == 69)
            for line in try session.watch.output.rest() { _ = try Line(line) }
        }

        @Test func aServerThatDiesWhileItIsOpenedIsNamedAndExits69() throws {
            let display = try VirtualDisplay()
            display.send(SIGSTOP)
            let program = try XPhase.start(["list"], on: display)
            // xphase sleeps while the server does not answer.
            #expect(try waitUntil { try program.status("State").contains("S (") })
            try display.crash()
            #expect(try program.exitCode() == 69)
            #expect(try program.errors.rest().last?.contains(display.name) == true)
        }

        @Test func inAWaylandSessionItSaysOnceWhatIsNotSeen() throws {
            let display = try VirtualDisplay()
            for variable in [["WAYLAND_DISPLAY": "wayland-0"], ["XDG_SESSION_TYPE": "wayland"]] {
                let result = try XPhase.run(["list"], on: display, environment: variable)
                #expect(result.code == 0)
                #expect(
                    result.errors == [
                        "xphase: this is a Wayland session: native Wayland windows are not seen, only those of XWayland"
                    ])
            }
        }
    }
}
