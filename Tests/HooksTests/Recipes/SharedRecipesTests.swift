import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// Recipes that switch a setting of the whole session while an application is present, and restore it only if they have
/// changed it. Stand-ins for the required programs read and write the file `state`.
@Suite struct SharedRecipesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder("bin"), 0o755)
        for (name, script) in [
            ("setxkbmap", "echo $1 >state"),
            ("xkbcomp", "if [ $1 = -xkb ]; then cp state $3; else cp $3 state; fi"),
            ("picom", "echo on >state"),
            (
                "pkill",
                """
                case $(cat state),$* in
                on,'-x picom') echo off >state;;
                on,-USR1*) echo off >state;;
                off,-USR1*) echo on >state;;
                *) exit 1;;
                esac
                """
            ),
            ("dunstctl", "if [ $1 = is-paused ]; then cat state; else echo $2 >state; fi"),
        ] {
            try folder.write("bin/\(name)", "#!/bin/sh\ncd '\(folder.path)'\n\(script)\n")
            chmod(folder("bin/\(name)"), 0o755)
        }
    }

    /// Runs a step, and checks the state afterwards.
    private func run(_ words: [SystemString], state: String) throws {
        let child = try Child(
            words[0].description, words.dropFirst().map(\.description),
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "DISPLAY": ":7", "XPHASE_APPLICATION": "Alpha",
                "PATH": "\(folder("bin")):/usr/bin:/bin",
            ])
        let errors = try child.errors.rest()
        #expect(try child.exitCode() == 0, "\(errors)")
        #expect(try folder.text(of: "state").filter { $0 != "\n" } == state)
    }

    private static func commands(_ recipe: String) throws -> (enter: [SystemString], leave: [SystemString]) {
        let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let file = SystemString("\(project)/packaging/examples/hooks/\(recipe).toml")
        let hook = try #require(try Configuration(file: file)?.hooks.first)
        #expect(hook.condition.level == .all)
        guard case .pair(let pair) = hook.reaction else { throw Failure("\(recipe) is not a pair") }
        return (try #require(pair.enter).arguments, try #require(pair.leave).arguments)
    }

    @Test(arguments: [
        ("game-mode", "on", "off"), ("game-mode", "none", "none"), ("quiet-writing", "false", "true"),
        ("quiet-writing", "true", "true"), ("keyboard-layout", "de", "us"), ("keyboard-layout", "us", "us"),
        ("night-light-off", "on", "off"), ("night-light-off", "none", "none"),
    ])
    func whatWasThereComesBack(recipe: String, before: String, during: String) throws {
        let (enter, leave) = try Self.commands(recipe)
        try folder.write("state", before + "\n")
        for (step, expected) in [(enter, during), (leave, before), (leave, before), (enter, during)] {
            try run(step, state: expected)
        }
    }
}
