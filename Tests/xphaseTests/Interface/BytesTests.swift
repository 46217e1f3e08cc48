import Glibc
import TestDesktop
import Testing

/// Paths, arguments and variables that are not valid UTF-8.
@Suite struct BytesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a script in which `$E` is the byte E9, and `$0` is xphase.
    private func run(_ script: String) throws -> (code: Int32, output: [String], errors: [String]) {
        try Program.run(
            "sh", ["-c", "cd '\(folder.path)' && E=$(printf '\\351'); \(script)", XPhase.path],
            environment: ["XDG_CONFIG_HOME": nil, "DISPLAY": nil])
    }

    @Test func aHomeIsFound() throws {
        let result = try run(
            """
            umask 022; mkdir -p "h$E/.config/xphase/hooks.d"
            printf '[[hook]]\\nname = "a"\\nshell = "b"\\n' >"h$E/.config/xphase/config.toml"
            ln -s /bin/true "h$E/.config/xphase/hooks.d/true"
            HOME="$PWD/h$E" exec "$0" hooks check
            """)
        #expect(result.code == 0, "\(result.errors)")
        let folder = "\(folder.path)/h\u{FFFD}/.config/xphase"
        #expect(result.output == ["\(folder)/config.toml: 1 hook, no faults", "\(folder)/hooks.d: 1 hook"])
    }

    /// A chroot or a container may lack /proc, from which Swift reads the arguments.
    @Test(.enabled(if: ProcFolder.canBeHidden, "only root may mount here"))
    func withoutProcArgumentsCountAllTheSame() throws {
        let result = try run("exec unshare -m sh -c 'mount -t tmpfs none /proc; exec \"$0\" phase' \"$0\"")
        #expect(result.code == 64)
        #expect(result.errors.first == "xphase: Missing expected argument '<application>'")
    }

    @Test func aFileCanBeNamed() throws {
        let result = try run("umask 022; : >\"c$E.toml\"; exec \"$0\" hooks check \"c$E.toml\"")
        #expect(result.code == 0)
        #expect(result.output == ["c\u{FFFD}.toml: 0 hooks, no faults"])
    }

    @Test func whatMustBeTextIsRefused() throws {
        let result = try run("exec \"$0\" phase \"a$E\"")
        #expect(result.code == 64 && result.errors.joined().contains("is not UTF-8"))
    }
}

extension DesktopTests {
    /// Such bytes as hooks and commands receive them.
    @Suite struct HookBytes {
        @Test func argumentsVariablesAndTheHomeReachACommandAsTheyAre() throws {
            let (stage, _) = try Stage.active(.init("Alpha"))
            let folder = try TemporaryFolder()
            let script = #"""
                E=$(printf '\351'); mkdir "$1/h$E"; cd /
                VALUE="v$E" HOME="$1/h$E" exec "$0" on alpha active --initial -- \
                    sh -c 'printf "%s\n" "$1" "$VALUE" "${PWD##*/}" | od -An -c' sh "a$E"
                """#
            let on = try Program(
                "sh", ["-c", script, XPhase.path, folder.path], environment: stage.display.environment)
            #expect(try on.output.next() == #"   a 351  \n   v 351  \n   h 351  \n"#)
            try on.end(SIGTERM)
        }

<<<<<<< HEAD
        @Test func whatIsFrozenAndWrittenBelowAHomeIsFoundAgain() throws {
            let session = try Session(.openbox)
            let terminal = try ProgramWindow.terminal(session)
            let folder = try TemporaryFolder()
            mkdir("\(folder.path)/runtime", 0o700)
            func xphase(_ arguments: String...) throws -> Program {
                let script =
                    #"HOME="$1/h$(printf '\351')"; export HOME; mkdir -p "$HOME"; shift; exec "$0" "$@""#
                return try Program(
                    "sh", ["-c", script, XPhase.path, folder.path] + arguments,
                    environment: session.display.environment.merging([
                        "XDG_STATE_HOME": nil, "XDG_CONFIG_HOME": nil,
                        "XDG_RUNTIME_DIR": "\(folder.path)/runtime",
                    ]) { $1 })
            }
            func freezeAndKill() throws {
                let on = try xphase("on", "XTerm", "background", "--initial", "--do", "freeze")
                terminal.iconify()
                try on.waitForError("XTerm frozen")
                try on.end(SIGKILL)
                #expect(try waitUntil { try DesktopTests.FreezeTests.isFrozen(terminal) })
            }
            try freezeAndKill()
            let thaw = try xphase("hooks", "thaw-all")
            #expect(try thaw.output.rest() == ["XTerm thawed (hook 'on')"])
            #expect(try thaw.exitCode() == 0)
            #expect(try waitUntil { try DesktopTests.FreezeTests.runs(terminal) })
            try freezeAndKill()
            let run = try xphase("run", "--journal")
            #expect(try run.output.next() != nil)
            #expect(try waitUntil { try DesktopTests.FreezeTests.runs(terminal) })
            try run.end(SIGTERM)
            let report = try xphase("report", "--csv")
            #expect(try report.output.rest().contains { $0.contains(",XTerm,") })
            #expect(try report.errors.rest() == [])
=======
        @Test func aHookOfTheConfigurationInheritsThem() throws {
            let home = try HookHome(
                HookSession.hook("bytes", "", shell: #"printf '%s\n' "$VALUE" "${PWD##*/}" | od -An -c"#))
            let display = try VirtualDisplay()
            let script = #"""
                E=$(printf '\351'); mkdir "$1/h$E"
                VALUE="v$E" HOME="$1/h$E" exec "$0" hooks fire bytes --application a --to active
                """#
            let result = try Program.run(
                "sh", ["-c", script, XPhase.path, home.path],
                environment: display.environment.merging(home.environment) { $1 })
            #expect(result.output == [#"   v 351  \n   h 351  \n"#], "\(result.errors)")
>>>>>>> tests-b
        }
    }
}

private enum ProcFolder {
    static let canBeHidden =
        (try? Program.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/proc"]).code) == 0
}
