import Glibc
import TestDesktop
import Testing

/// Completions in bash, by the script of `--generate-completion-script`. The scripts of other shells ask xphase, too.
struct CompletionTests {
    /// The names of windows and hooks, and the globs that match those that are no globs themselves.
    private static let names = [
        "Firefox", "Fiber", "Foo Bar", "it's", "\"quoted\"", "co:lon", "back\\slash", "a[b", "x*y", "~root",
        "Größe", "$(touch $HOME/ran)", "`touch $HOME/ran`", "two\nlines", "$HOME", "{a,b}", "-dash",
    ]
    private static let globs = [
        "back\\slash": "back\\\\slash", "a[b": "a\\[b", "x*y": "x\\*y", "two\nlines": "two?lines",
        "{a,b}": "{a\\,b}", "-dash": "\\-dash",
    ]

    private static let cases: [(line: String, completions: Set<String>)] = [
        ("wa", ["watch", "wait"]), ("hooks ch", ["check"]), ("watch --po", ["--policy"]),
        ("watch --policy ", ["focus", "application", "visible"]),
        ("run --level ", ["application", "group", "scene"]), ("on mpv b", ["background"]),
        ("wait mpv ", ["active", "inactive", "background", "closed"]),
        ("wait mpv active,", ["active,inactive", "active,background", "active,closed"]),
        ("on mpv background,active,", ["background,active,inactive", "background,active,closed"]),
        ("list --phase inactive,", ["inactive,active", "inactive,background"]),
        ("hooks fire a b ", ["active", "inactive", "background", "closed"]),
        ("wait mpv active --t", ["--timeout"]),
        ("watch --session away,d", ["away,display-off"]), ("watch --idle n", ["none"]),
        ("phase Fi", ["Firefox", "Fiber"]), ("phase fi", ["firefox", "fiber"]), ("on fire", ["firefox"]),
        ("list FIR", ["FIRefox"]), ("explain Gr", ["Größe"]), ("watch fir", ["firefox"]),
        ("hooks fire a fir", ["firefox"]), ("hooks fire vault ", ["lock", "unlock", "idle", "return"]),
    ]
    /// Options that are offered with the names.
    private static let options: Set = ["-q", "--quiet", "--display", "--version", "-h", "--help"]

    /// Calls the function as readline does. Each line is followed by its completions, prefixed with a plus sign.
    private static let script = #"""
        source <(xphase --generate-completion-script bash)
        for line; do
            printf '%s\n' "$line"
            COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
            read -ra COMP_WORDS <<<"$line"
            [[ $line == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _xphase xphase "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            ((${#COMPREPLY[@]} == 0)) || printf '+%s\n' "${COMPREPLY[@]}"
        done
        """#

    private static func bash(
        _ arguments: [String], on stage: Stage, terminal: Terminal? = nil
    ) throws -> Program {
        let variables = ["HISTFILE": nil, "TERM": "dumb", "LC_ALL": "C.UTF-8", "PS1": "ready\n"]
        return try Program(
            "bash", ["--norc"] + arguments, environment: stage.environment.merging(variables) { $1 },
            terminal: terminal)
    }

    @Test func commandsOptionsPhasesApplicationsAndHooksAreCompleted() throws {
        let hookNames = Self.names.filter { !$0.contains("\n") }
        let hooks = hookNames.map { name in
            let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "[[hook]]\nname = \"\(quoted)\"\nrun = [\"echo\", \"it ran\"]\n"
        }
        let vault = "[[hook]]\nname = 'vault'\nsession = ['idle', 'lock']\nrun = ['echo', 'it ran']\n"
        let stage = try Stage(.none, hooks.joined() + vault)
        try stage.home.addHook("10-first", "echo it ran")
        for name in Self.names { stage.window(.init(name)).map() }
        let globs = Set(Self.names.map { Self.globs[$0] ?? $0 })
        let fired = Set(hookNames.filter { $0 != "-dash" } + ["hooks.d/10-first", "vault"])
        let cases =
            Self.cases + [
                ("hooks fire Foo", ["Foo Bar"]), ("hooks fire hooks.d/", ["hooks.d/10-first"]),
                ("hooks fire ", fired), ("phase ", globs),
            ]
        let bash = try Self.bash(["-c", Self.script, "bash"] + cases.map { "xphase \($0.line)" }, on: stage)
        var answers: [Set<String>] = []
        for line in try bash.output.rest() {
            if line.first == "+" {
                answers[answers.count - 1].insert(String(line.dropFirst()))
            } else {
                answers.append([])
            }
        }
        #expect(try answers.count == cases.count && bash.errors.rest().isEmpty, "\(answers)")
        for (answer, expected) in zip(answers, cases) {
            #expect(answer.subtracting(Self.options) == expected.completions, "\(expected.line)")
        }
        for glob in globs { #expect(try stage.output("phase", glob) == ["inactive"], "\(glob)") }
        #expect(!stage.home.exists("ran"))
    }

    /// In bash, readline quotes the completions.
    @Test(arguments: [("Fo", "Foo Bar"), ("it", "it's"), ("ba", "back\\slash"), ("fir", "FIREFOX")])
    func theWordThatBashCompletesNamesTheApplication(_ typed: String, _ name: String) throws {
        let stage = try Stage(.none)
        try stage.show(.init(name, instance: "part"))
        let terminal = try Terminal()
        let bash = try Self.bash(["--noprofile", "-i"], on: stage, terminal: terminal)
        for text in [
            "source <(xphase --generate-completion-script bash)\n", "xphase phase \(typed)\t; exit\n",
        ] {
            while try terminal.output.next()?.hasPrefix("ready") == false {}
            terminal.type(text)
        }
        #expect(try bash.exitCode() == 0)
        let text = try terminal.text()
        // Compared as bytes, since "\r\n" is one Character.
        #expect(text.utf8.contains("\ninactive\r".utf8), "\(text)")
    }

    @Test func applicationsOfAnotherDisplayAreCompletedAndNoneWithoutADisplay() throws {
        let (here, there) = (try Stage(.none), try Stage(.none))
        try here.show(.init("Here"))
        try there.show(.init("There"))
        let phase = "---completion phase -- positional@0 4 0 xphase phase"
        try here.expect("\(phase) --display \(there.display.name)", output: ["There"])
        let faulty = try HookHome("[[hook]]\nname = 'a'\nshel = 'b'\n")
        for (line, variables) in [
            (phase, ["DISPLAY": nil]), (phase, ["DISPLAY": ":4711"]),
            ("---completion hooks fire -- positional@0 3 0 xphase hooks fire", faulty.environment),
        ] {
            here.environment["XDG_SESSION_TYPE"] = "wayland"
            here.environment.merge(variables) { $1 }
            let result = try here.run(line, "")
            #expect(result.code == 0 && result.output.allSatisfy(\.isEmpty) && result.errors.isEmpty)
        }
    }
}
