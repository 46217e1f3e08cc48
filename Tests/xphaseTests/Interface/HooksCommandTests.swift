import Glibc
import TestDesktop
import Testing

/// A home of the test's own, with the configuration in it.
private struct Home {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        mkdir("\(folder.path)/xphase", 0o755)
    }

    var directory: String { "\(folder.path)/xphase/hooks.d" }
    var environment: [String: String?] { ["XDG_CONFIG_HOME": folder.path] }

    func write(_ text: String) throws -> String {
        try folder.write("xphase/config.toml", text)
    }

    func hooks(_ arguments: String..., on display: VirtualDisplay? = nil) throws
        -> (code: Int32, output: [String], errors: [String])
    {
        try XPhase.run(["hooks"] + arguments, on: display, environment: environment)
    }
}

/// What `xphase hooks check` says, as the program itself runs.
@Suite struct HooksCheckTests {
    private let home: Home

    init() throws {
        home = try Home()
    }

    @Test func aGoodFileHasNoFaults() throws {
        let one = "[[hook]]\nname = 'a'\nshell = 'b'\n"
        let file = try home.write(one)
        for arguments in [[], [file]] {
            let result = try XPhase.run(
                ["hooks", "check"] + arguments, on: nil, environment: home.environment)
            #expect(result.code == 0)
            #expect(result.output == ["\(file): 1 hook, no faults"])
            #expect(result.errors.isEmpty)
        }
        _ = try home.write(one + "[[hook]]\nname = 'b'\nshell = 'b'\n")
        #expect(try home.hooks("check").output == ["\(file): 2 hooks, no faults"])
    }

    /// They are no fault: the command line may have them followed.
    @Test func causesThatNothingBringsAboutAreNamed() throws {
        let hook = "[[hook]]\nname = 'a'\nshell = 'b'\ncause = ['covered', 'unlock', 'return', 'blur']\n"
        let file = try home.write("session = 'away'\n" + hook)
        let result = try home.hooks("check")
        #expect(result.code == 0)
        #expect(result.output == ["\(file): 1 hook, no faults"])
        let place = "xphase: hook 'a': cause:"
        #expect(
            result.errors == [
                "\(place) 'covered' is never told, since occlusion is off: write occlusion = \"2s\" above the hooks",
                "\(place) 'return' is never told, since idle is off: write idle = \"5m\" above the hooks",
                "\(place) 'unlock' is never told, since session has no 'lock': add it there, above the hooks",
            ])
        _ = try home.write("occlusion = '1s'\nidle = '1m'\n" + hook)
        #expect(try home.hooks("check").errors == [])
    }

    @Test func everyFaultIsALineOnStderrAndExits78() throws {
        let file = try home.write("[[hook]]\nname = \"a\\u001B[2J\"\nshel = 'b'\nafter = 3\n")
        let result = try home.hooks("check")
        #expect(result.code == 78)
        #expect(result.output.isEmpty)
        let place = #"xphase: \#(file): hook[1] 'a\e[2J':"#
        #expect(
            result.errors == [
                "\(place) there is no key 'shel' (did you mean 'shell'?)",
                #"\#(place) name: 'a\e[2J' holds control characters"#,
                "\(place) it does nothing: add run or shell, or while with do, or with enter and leave",
                #"\#(place) after: found an integer: write a duration, "250ms", "30s", "5m" or "1h""#,
            ])
        #expect(try home.hooks("list").errors == result.errors)
        #expect(try home.hooks("list").code == 78)
    }

    @Test func syntaxHasItsPlace() throws {
        let file = try home.write("settle = \n")
        let result = try home.hooks("check", file)
        #expect(result.code == 78)
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.hasPrefix("xphase: \(file):1:10: ") == true)
    }

    @Test func aFileThatIsNamedMustBeThere() throws {
        let result = try home.hooks("check", "/nowhere/config.toml")
        #expect(result.code == 78)
        #expect(result.errors == ["xphase: /nowhere/config.toml: there is no such file"])
    }

    @Test(.enabled(if: access("/etc/xdg/xphase/config.toml", F_OK) != 0, "the system has a configuration"))
    func noConfigurationIsNoFault() throws {
        let result = try home.hooks("check")
        #expect(result.code == 0)
        #expect(
            result.output == [
                "there is no configuration: \(home.folder.path)/xphase/config.toml and "
                    + "/etc/xdg/xphase/config.toml are not there"
            ])
    }

    @Test func executablesAreCountedAndWarnedOf() throws {
        let file = try home.write("")
        mkdir(home.directory, 0o755)
        symlink("/bin/true", "\(home.directory)/good")
        let bad = try home.folder.write("xphase/hooks.d/bad", "")
        let result = try home.hooks("check")
        #expect(result.code == 78)
        #expect(result.output == ["\(file): 0 hooks, no faults", "\(home.directory): 1 hook"])
        #expect(result.errors == ["xphase: \(bad): is not executable: chmod +x \(bad)"])
        // A file that is named is checked alone.
        let alone = try home.hooks("check", file)
        #expect(alone.code == 0)
        #expect(alone.output == ["\(file): 0 hooks, no faults"])
        #expect(alone.errors.isEmpty)
    }

    @Test func aHooksDirectoryThatIsRefusedExits78() throws {
        let file = try home.write("")
        mkdir(home.directory, 0o755)
        chmod(home.directory, 0o777)
        let result = try home.hooks("check")
        #expect(result.code == 78)
        #expect(result.output == ["\(file): 0 hooks, no faults"])
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.contains("\(home.directory): may be written by others") == true)
    }

    @Test func aFileThatOthersMayWriteIsRefused() throws {
        let file = try home.write("")
        chmod(file, 0o666)
        let result = try home.hooks("check")
        #expect(result.code == 78)
        #expect(result.errors == ["xphase: \(file): may be written by others: chmod go-w \(file)"])
    }

    @Test func withoutADisplayTheListExits69() throws {
        _ = try home.write("[[hook]]\nname = 'a'\nshell = 'b'\n")
        let result = try XPhase.run(
            ["hooks", "list"], on: nil, environment: home.environment.merging(["DISPLAY": nil]) { $1 })
        #expect(result.code == 69)
    }

    @Test func withoutHooksThereIsNothingToList() throws {
        let file = try home.write("")
        let result = try home.hooks("list")
        #expect(result.code == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors == ["xphase: \(file) has no hooks"])
    }
}

extension DesktopTests {
    /// What `xphase hooks list` says of a real display.
    @Suite struct HooksList {
        private static let configuration = """
            policy = "visible"
            [[hook]]
            name = "pause"
            application = ["alpha", "ghost"]
            to = "background"
            run = ["playerctl", "pause"]
            [[hook]]
            name = "ghosts"
            application = "ghost"
            while = "background"
            enter = ["a"]
            leave = ["b"]
            [[hook]]
            name = "windows"
            level = "scene"
            application = "[ab]*"
            from = "active"
            shell = "true"
            """

        @Test func eachHookIsToldInWordsAndWithWhatItMatches() throws {
            let home = try Home()
            _ = try home.write(Self.configuration)
            mkdir(home.directory, 0o755)
            symlink("/bin/true", "\(home.directory)/log")
            let stage = try Stage(.openbox)
            let alpha = try stage.show(.init("Alpha"))
            let beta = try stage.show(.init("Beta"), x: 300)
            beta.iconify()
            #expect(
                waitUntil { stage.client.words("_NET_WM_STATE", of: beta.id)?.isEmpty == false })

            let result = try home.hooks("list", on: stage.display)
            #expect(result.code == 0)
            #expect(result.errors.isEmpty)
            #expect(
                result.output == [
                    "pause",
                    "  when alpha or ghost becomes background",
                    "  run: playerctl pause (at most 30s)",
                    "  matches now: Alpha (active)",
                    "",
                    "ghosts",
                    "  while ghost is in the background",
                    "  enter: a (at most 30s)",
                    "  leave: b (at most 30s)",
                    "  matches nothing that is there now",
                    "",
                    "windows",
                    "  when a scene of [ab]* leaves active",
                    "  run: true (at most 30s)",
                    "  matches now: Alpha/alpha \(alpha.name) (active), Beta/beta \(beta.name) (background)",
                    "",
                    "hooks.d/log",
                    "  when any application opens, changes its phase or closes",
                    "  run: \(home.directory)/log (at most 30s)",
                    "  matches now: Alpha (active), Beta (background)",
                ])
        }

        @Test func anotherConfigurationAndAnotherDisplayCanBeNamed() throws {
            let home = try Home()
            _ = try home.write("rubbish")
            let other = try home.folder.write("other.toml", "[[hook]]\nname = 'o'\nshell = 'b'\n")
            let display = try VirtualDisplay()
            let result = try home.hooks("list", "--config", other, "--display", display.name)
            #expect(result.code == 0)
            #expect(result.output.first == "o")
            #expect(result.output.last == "  matches nothing that is there now")
        }
    }
}
