import TestDesktop
import Testing

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

    /// A chroot or a container may lack /proc, from which Swift reads the arguments.
    @Test(.enabled(if: isRoot, "only root may mount here"))
    func withoutProcArgumentsCountAllTheSame() throws {
        let program = try run("exec unshare -m sh -c 'mount -t tmpfs none /proc; exec xphase phase'")
        #expect(try program.exitCode() == 64)
        #expect(try program.errors.next() == "xphase: Missing expected argument '<app> ...'")
    }

    private static let isRoot =
        (try? Program.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/proc"]).code) == 0
}
