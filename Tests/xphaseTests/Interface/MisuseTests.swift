import Glibc
import TestDesktop
import Testing

@testable import xphase

/// Error messages for invalid arguments and unusable displays.
@Suite struct Misuse {
    /// Command lines, whose words are separated by single spaces, and what their error messages name: the wrong word, and
    /// valid words or what to write. One row a rule: `DurationTextTests`, `PatternTests` and `TemplateTests` have the
    /// cases of values.
    private static let table: [(line: String, named: [String])] = [
        ("wathc", ["'wathc'", "'watch'", "xphase watch wathc"]),
        ("hooks chekc", ["'chekc'", "'check'"]),
        ("--jsn", ["'--jsn'", "'--json'", "xphase watch --help"]), ("list --jsn", ["xphase list --help"]),
        ("hooks add a --jsn", ["xphase hooks add --help"]),
        ("help lst", ["'lst'", "'list'"]), ("wait a hidden", ["'hidden' is background here"]),
        ("wait a actve", ["active, inactive, background", "'active'"]),
        ("wait a active,", ["active, inactive"]),
        ("on a active,backgruond -- b", ["'background'"]), ("wait a Active", ["'active'"]),
        ("hooks fire a a activ", ["'background', 'inactive' or 'active'"]),
        ("on a active", ["xphase on a active -- beep"]), ("on a active beep", ["xphase on a active -- beep"]),
        ("on a active -- ", ["after --"]),
        ("on a background --do freez", ["'cap' or 'mute'"]),
        ("on a background --do cap", ["--do cap --cap 20%"]),
        ("on a background --do slow --cap 20%", ["--do cap", "--cap"]),
        ("on a background --do cap --cap 20", ["'20'", "--cap"]),
        ("on a background --except audio -- b", ["--except", "--do"]),
        ("on a background --do mute --except adio", ["fullscreen, none", "'audio'"]),
        ("on a active,background --do freeze", ["background or inactive,background"]),
        ("on a background --do freeze -- b", ["--do", "a command"]),
        ("on a background --do freeze --timeout 5s", ["--timeout", "--do"]),
        ("on [a active -- b", ["'[a'", "<app>", "'['"]), ("list ", ["it is empty"]),
        ("--level foo", ["'application', 'group' or 'scene'"]),
        ("--policy foo", ["'foo'", "'focus', 'application' or 'visible'"]),
        ("--session lok,away", ["'lok'", "'lock'", "away, lock, display-off, none"]),
        ("watch --session away,none", ["none"]),
        ("--settle 5x", ["'5x'", "--settle", "250ms, 1.5s, 30s, 5m or 1h30m"]),
        ("--occlusion 5x", ["'5x'", "--occlusion"]),
        ("--idle x", ["'x'", "--idle"]), ("run --idle 0", ["longer than 0"]),
        ("hooks pause --for 0s", ["--for", "longer than 0"]),
        ("on a active --timeout 0 -- b", ["--timeout", "longer than 0"]),
        ("wait a active --timeout 5x", ["'5x'", "--timeout"]),
        ("on a active --after -1s -- b", ["'-1s'", "--after"]),
        ("--format {foo}", ["v, seq, time, kind, change, application"]),
        ("--json --format {to}", ["--json", "--format"]),
        (
            "report --since 2026-11-23 --until 2026-11-22",
            ["from 2026-11-23 to 2026-11-22: the start must be before the end"]
        ),
        ("report --since tomorrow", ["today, yesterday, monday, 2026-11-20 or '2026-11-20 09:00'"]),
        ("report --since yestreday", ["did you mean 'yesterday'?"]),
        ("report --since 2025-02-31", ["2026-11-20"]), ("report --until 2025-00-10", ["2026-11-20"]),
        ("report --json --svg a", ["--json and --svg"]), ("report --force", ["--svg"]),
        ("report --by window", ["'application', 'day' or 'title'"]),
    ]

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: table)
    func theMessageNamesTheWordAndWhatIsValidAndTheExitCodeIs64(_ line: String, _ named: [String]) {
        let result = XPhase.call(Self.words(line))
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors.first?.hasPrefix("xphase: ") == true)
        let message = result.errors.joined(separator: " ")
        for name in named { #expect(message.contains(name), "\(message)") }
    }

    /// No suggestion is better than a wrong one.
    @Test(arguments: [["watch", "--class", "a"], ["run", "--title", "a"]])
    func anOptionThatIsNotSimilarIsNotSuggested(_ arguments: [String]) {
        #expect(XPhase.call(arguments).errors.first == "xphase: Unknown option '\(arguments[1])'")
    }

    @Test func optionsMayPrecedeTheCommand() {
        let late = XPhase.call(["replay", "/dev/null", "--json", "--policy", "visible"])
        let early = XPhase.call(["--json", "--policy", "visible", "replay", "/dev/null"])
        #expect(late.code == 65 && early.code == 65 && early.errors == late.errors, "\(early)")
        // A value that is the name of a command.
        #expect(XPhase.call(["--phase", "active", "--display", "rubbish"]).code == 69)
        #expect(
            XPhase.call(["--for", "0s", "hooks", "pause"]).errors.first
                == XPhase.call(["hooks", "--for", "0s", "pause"]).errors.first)
    }

    /// The executable behaves like the function that the tests call in this process.
    @Test(arguments: [
        "--help", "-V", "hooks chekc", "wathc", "list --jsn", "hooks check /dev/null/config.toml",
    ])
    func theProgramDoesTheSame(_ line: String) throws {
        let (own, other) = (XPhase.call(Self.words(line)), try XPhase.run(Self.words(line), on: nil))
        #expect(other.code == own.code && other.output == own.output && other.errors == own.errors)
    }

    @Test(arguments: [
        ["watch"], ["list"], [], ["phase", "a"], ["wait", "a", "active"],
        ["on", "a", "active", "--", "true"],
    ])
    func withoutADisplayItExits69(_ arguments: [String]) throws {
        try XPhase.expect(
            arguments, on: nil, environment: ["DISPLAY": nil], code: 69,
            errors: ["xphase: DISPLAY is not set: run inside an X session or pass --display"])
    }

    @Test(arguments: [
        (":4711", "no X server runs on display ':4711'"),
        ("rubbish", "'rubbish' is not the name of a display"),
        ("nowhere.invalid:0", "cannot open display 'nowhere.invalid:0': check that its host"),
    ])
    func anUnreachableDisplayIsNamedAndExits69(_ name: String, _ message: String) throws {
        let result = try XPhase.run(["list"], on: nil, environment: ["DISPLAY": name])
        #expect(result.errors.last?.hasPrefix("xphase: \(message)") == true, "\(result)")
        try XPhase.expect(
            ["list", "--display", name], on: nil, environment: ["DISPLAY": nil], code: 69,
            errors: result.errors)
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
                result.errors.last?.contains("'\(display.name)' does not accept this user") == true,
                "\(result)")
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
                    result.errors.dropLast() == [
                        "xphase: this is a Wayland session: native Wayland windows are not seen, only those of XWayland"
                    ])
            }
        }
    }
}
