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

    @Test func aHomeIsFoundAndAFileCanBeNamed() throws {
        let result = try run(
            """
            umask 022; mkdir -p "h$E/.config/xphase/hooks.d"
            printf '[[hook]]\\nname = "a"\\nshell = "b"\\n' >"h$E/.config/xphase/config.toml"
            ln -s /bin/true "h$E/.config/xphase/hooks.d/true"; : >"c$E.toml"
            "$0" hooks check "c$E.toml" && HOME="$PWD/h$E" exec "$0" hooks check
            """)
        #expect(result.code == 0, "\(result.errors)")
        let folder = "\(folder.path)/h\u{FFFD}/.config/xphase"
        #expect(
            result.output == [
                "c\u{FFFD}.toml: 0 hooks, no faults", "\(folder)/config.toml: 1 hook, no faults",
                "\(folder)/hooks.d: 1 hook",
            ])
    }

    /// A chroot or a container may lack /proc, from which Swift reads the arguments.
    @Test(.enabled(if: ProcFolder.canBeHidden, "only root may mount here"))
    func withoutProcArgumentsCountAllTheSame() throws {
        let result = try run("exec unshare -m sh -c 'mount -t tmpfs none /proc; exec \"$0\" phase' \"$0\"")
        #expect(result.code == 64)
        #expect(result.errors.first == "xphase: Missing expected argument '<app> ...'")
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
    }
}

private enum ProcFolder {
    static let canBeHidden =
        (try? Program.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/proc"]).code) == 0
}
