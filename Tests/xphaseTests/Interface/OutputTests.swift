import Glibc
import TestDesktop
import Testing

/// The output of `list` and `watch` for what is there.
struct OutputTests {
    @Test func listPrintsWhatWatchPrintsAsInitial() throws {
        let (stage, _) = try Stage.alpha()
        try stage.show(.init("Beta"), x: 300)
        func withoutTime(_ line: String) -> String { line.replacing(/"time":"[^"]*"/, with: "") }
        let watch = try stage.start("--json --level application --level group --level scene")
        let list = try stage.output("list --json").map(withoutTime)
        #expect(list.count == 6)
        for line in list { #expect(withoutTime(try #require(try watch.output.next())) == line) }
    }

    @Test func colourIsForTerminalsOnlyAndNotWithNO_COLOR() throws {
        let (stage, _) = try Stage.alpha()
        #expect(try stage.output("list").allSatisfy { !$0.contains("\u{1B}") })
        for (value, isColoured) in [(nil, true), ("", true), ("1", false)] as [(String?, Bool)] {
            let terminal = try Terminal()
            stage.environment["NO_COLOR"] = .some(value)
            #expect(try stage.start("list", stdout: terminal.end).exitCode() == 0)
            let text = try terminal.text()
            #expect(text.contains("Alpha") && text.contains("\u{1B}[") == isColoured)
        }
    }

    @Test func aListOfNothingSaysSoAndOneOfNothingThatMatchesExits1() throws {
        let stage = try Stage(.openbox)
        for line in ["list", "list --json", "list --phase active"] {
            try stage.expect(line, errors: ["xphase: no application is running"])
        }
        try stage.show(.init("Alpha"))
        try stage.wait(for: "Alpha", "active")
        for (words, message) in [
            ("Alhpa", "no application matches 'Alhpa': did you mean 'Alpha'?"),
            ("alpha --phase background", "Alpha is running, but does not match --phase background"),
        ] { try stage.expect("list \(words)", code: 1, errors: ["xphase: \(message)"]) }
    }
}

/// The end of a watch, and what its output has to do with it.
struct EndTests {
    @Test(arguments: [("watch", SIGINT), ("watch", SIGTERM), ("watch", nil), ("list", nil)])
    func aSignalOrAReaderThatGoesAwayEndsAWatchWith0(_ line: String, _ signal: Int32?) throws {
        let (stage, _) = try Stage.alpha(.none)
        let program = try stage.start(line)
        if line == "watch" { _ = try program.output.next() }
        if let signal { program.send(signal) } else { program.output.close() }
        #expect(try program.exitCode() == 0 && program.errors.rest().isEmpty)
    }

    @Test(arguments: [
        ("watch >/dev/full", "No space left on device"), ("list >/dev/full", "No space left on device"),
        ("--help >/dev/full", "No space left on device"), ("watch >&-", "Bad file descriptor"),
        ("list >&-", "Bad file descriptor"),
    ])
    func anOutputThatFailsEndsAWatchWith74(_ line: String, _ reason: String) throws {
        let (stage, _) = try Stage.alpha(.none)
        let result = try Program.run("sh", ["-c", "exec xphase \(line)"], environment: stage.environment)
        #expect(result.code == 74)
        #expect(result.errors == ["xphase: cannot write to standard output: \(reason)"])
    }

    /// A thread of its own writes to a file, whose disk may not answer.
    @Test func aFileHasAllLinesOfTheService() throws {
        let (stage, window) = try Stage.alpha(.none)
        let run = try Program(
            "sh", ["-c", "exec xphase run --json >\(stage.home.path)/lines"], environment: stage.environment)
        func phases() throws -> [String?] {
            try stage.home.lines("lines").map { try Line($0).to }
        }
        #expect(try waitUntil { try phases() == ["active"] })
        window.unmap()
        #expect(try waitUntil { try phases() == ["active", "background", nil] })
        run.send(SIGTERM)
        #expect(try run.exitCode() == 0)
    }

    @Test func aFileThatTakesNoMoreEndsTheServiceWith74() throws {
        let (stage, _) = try Stage.alpha(.none)
        let result = try Program.run(
            "sh", ["-c", "ulimit -f 0; exec xphase run --json >\(stage.home.path)/lines"],
            environment: stage.environment)
        #expect(result.code == 74)
        #expect(result.errors.last == "xphase: cannot write to standard output: File too large")
    }

    @Test(arguments: ["terminal", "pipe", "pipe that would block"])
    func aReaderThatStopsReadingDoesNotKeepAWatchFromEnding(reader: String) throws {
        let stage = try Stage(.none)
        for number in 1...300 { stage.client.queueSmallWindow(className: "Many\(number)") }
        stage.client.sync()
        let (terminal, pipe) = (try Terminal(), try FullPipe())
        if reader == "pipe that would block" { _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK) }
        let watch = try stage.start(
            "--json --level scene", stdout: reader == "terminal" ? terminal.end : pipe.writing)
        // xphase has filled the terminal, and sleeps. It blocks its signals once it watches.
        #expect(
            try waitUntil {
                try watch.status("SigBlk").hasSuffix("4002") && watch.status("wchan").contains("poll")
            })
        watch.send(SIGTERM)
        #expect(try watch.exitCode() == 0)
    }
}

/// Paths, arguments and variables that are not valid UTF-8.
struct BytesTests {
    private let stage: Stage

    init() throws { (stage, _) = try Stage.alpha() }

    /// Runs a script in a temporary home, in which `$E` is the byte E9.
    private func run(_ script: String) throws -> Program {
        try Program(
            "sh", ["-c", "cd; E=$(printf '\\351'); \(script)"],
            environment: stage.environment.merging(["XDG_CONFIG_HOME": nil]) { $1 })
    }

    @Test func aHomeIsFoundAndAFileCanBeNamed() throws {
        let check = try run(
            """
            umask 022; mkdir -p "h$E/.config/xphase/hooks.d"
            printf '[[hook]]\\nname = "a"\\nshell = "b"\\n' >"h$E/.config/xphase/config.toml"
            ln -s /bin/true "h$E/.config/xphase/hooks.d/true"; : >"c$E.toml"
            DISPLAY= xphase hooks check "c$E.toml" && DISPLAY= HOME="$PWD/h$E" exec xphase hooks check
            """)
        let folder = "\(stage.home.path)/h\u{FFFD}/.config/xphase"
        #expect(
            try check.output.rest() == [
                "c\u{FFFD}.toml: 0 hooks, no faults", "\(folder)/config.toml: 1 hook, no faults",
                "\(folder)/hooks.d: 1 hook",
            ])
        #expect(try check.exitCode() == 0)
    }

    @Test func argumentsVariablesAndTheHomeReachACommandAsTheyAre() throws {
        let on = try run(
            #"""
            mkdir "h$E"
            VALUE="v$E" HOME="$PWD/h$E" exec xphase on alpha active --initial -- \
                sh -c 'printf "%s\n" "$1" "$VALUE" "${PWD##*/}" "${HOME##*/}" | od -An -c' sh "a$E"
            """#)
        let line = try on.output.next()
        #expect(line?.hasPrefix(#"   a 351  \n   v 351  \n "#) == true && line?.contains("h 351") == true)
        try on.end()
    }
}

extension RootTests {
    /// Commands in a namespace of their own.
    @Suite struct NamespaceTests {
        private static func run(_ script: String, environment: [String: String?] = [:]) throws -> Program {
            try Program(
                "unshare", ["-m", "sh", "-c", script, XPhase.path], package: "util-linux",
                environment: environment)
        }

        /// A chroot or a container may lack /proc, from which Swift reads the arguments.
        @Test func withoutProcArgumentsCountAllTheSame() throws {
            let program = try Self.run("mount -t tmpfs none /proc && exec \"$0\" phase")
            #expect(try program.exitCode() == 64)
            #expect(try program.errors.next() == "xphase: Missing expected argument '<app> ...'")
        }

        /// The system may have a configuration for everybody.
        @Test func aMissingConfigurationIsNoFault() throws {
            let home = try HookHome()
            let program = try Self.run(
                "mkdir -p /etc/xdg && mount -t tmpfs none /etc/xdg && exec \"$0\" hooks check",
                environment: home.environment)
            let files = "\(home.configurationFile) and /etc/xdg/xphase/config.toml do not exist"
            #expect(try program.output.rest() == ["there is no configuration: \(files)"])
            #expect(try program.exitCode() == 0)
        }
    }
}
