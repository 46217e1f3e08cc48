import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// The configuration and hooks.d together.
@Suite struct LoadedHooksTests {
    private let folder: TemporaryFolder
    private let directory: String

    init() throws {
        folder = try TemporaryFolder()
        directory = "\(folder.path)/xphase/hooks.d"
        mkdir("\(folder.path)/xphase", 0o755)
        mkdir(directory, 0o755)
        // Otherwise, an existing system configuration would be read.
        try folder.write("xphase/config.toml", "")
    }

    private func load(config: String? = nil) throws(ConfigurationError) -> LoadedHooks {
        try LoadedHooks(
            HookLocations(
                config: config.map { SystemString($0) }, environment: ["XDG_CONFIG_HOME": folder.path]))
    }

    @discardableResult
    private func write(_ name: String, mode: mode_t = 0o755) throws -> String {
        let path = try folder.write("xphase/hooks.d/\(name)", "#!/bin/sh\n")
        chmod(path, mode)
        return path
    }

    @Test(.enabled(if: access("/etc/xdg/xphase/config.toml", F_OK) != 0, "the system has a configuration"))
    func nothingAtAllIsNoHooksAndNoFault() throws {
        unlink("\(folder.path)/xphase/config.toml")
        rmdir(directory)
        let loaded = try load()
        #expect(loaded.hooks.isEmpty && loaded.warnings.isEmpty && loaded.file == nil)
    }

    @Test func executablesFollowTheConfigurationInTheOrderOfTheirNames() throws {
        let file = try folder.write("xphase/config.toml", "[[hook]]\nname = 'z'\nshell = 'a'\n")
        for name in ["b", "é", "10-x", "B", "9-x"] { try write(name) }
        let loaded = try load()
        #expect(loaded.file?.description == file)
        #expect(loaded.warnings.isEmpty)
        #expect(
            loaded.hooks.map(\.name) == [
                "z", "hooks.d/10-x", "hooks.d/9-x", "hooks.d/B", "hooks.d/b", "hooks.d/é",
            ])
        var first = Hook(name: "hooks.d/10-x", reaction: .run(.arguments(["\(directory)/10-x"])))
        first.origin = .directory
        #expect(loaded.hooks[1] == first)
    }

    @Test func whatIsNotMeantToRunIsPassedOver() throws {
        for name in [".hidden", "copy~"] { try write(name, mode: 0o666) }
        mkdir("\(directory)/folder", 0o777)
        let loaded = try load()
        #expect(loaded.hooks.isEmpty && loaded.warnings.isEmpty)
    }

    @Test func symbolicLinksAreFollowed() throws {
        symlink("/bin/true", "\(directory)/true")
        symlink("/usr", "\(directory)/folder")
        let loaded = try load()
        #expect(loaded.hooks.map(\.name) == ["hooks.d/true"])
        #expect(loaded.hooks.first?.reaction == .run(.arguments(["\(directory)/true"])))
        #expect(loaded.warnings.isEmpty)
    }

    @Test func whatCannotRunIsNamedAndTheRestRuns() throws {
        try write("a", mode: 0o644)
        try write("b", mode: 0o757)
        try write("good")
        symlink("nowhere", "\(directory)/c")
        mkfifo("\(directory)/d", 0o700)
        try write("e\u{1B}")
        let loaded = try load()
        #expect(loaded.hooks.map(\.name) == ["hooks.d/good"])
        #expect(
            loaded.warnings == [
                "\(directory)/a: is not executable: chmod +x \(directory)/a",
                "\(directory)/b: is writable by others: chmod go-w \(directory)/b",
                "\(directory)/c: cannot be run: No such file or directory",
                "\(directory)/d: is not a regular file",
                #"\#(directory)/e\e: 'e\e' contains control characters"#,
            ])
    }

    @Test func aNameThatIsNoTextIsNamed() throws {
        _ = try Program.run("sh", ["-c", "cd \(directory) && touch \"$(printf 'a\\377')\""])
        #expect(try load().warnings == ["\(directory)/a\u{FFFD}: its name is not UTF-8"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func executablesOfOthersDoNotRun() throws {
        let file = try write("a")
        chown(file, 4711, 0)
        let loaded = try load()
        #expect(loaded.hooks.isEmpty)
        #expect(
            loaded.warnings == ["\(file): belongs to user 4711, neither to you nor to root: chown 0 \(file)"])
    }

    @Test(arguments: [0o777, 0o757, 0o1777] as [mode_t])
    func ofADirectoryThatOthersMayWriteNothingRuns(mode: mode_t) throws {
        try write("a")
        chmod(directory, mode)
        let loaded = try load()
        #expect(loaded.hooks.isEmpty)
        #expect(
            loaded.warnings == [
                "\(directory): is writable by others: chmod go-w \(directory); none of its hooks run"
            ])
    }

    @Test func whatIsNoDirectoryIsNamed() throws {
        rmdir(directory)
        try folder.write("xphase/hooks.d", "")
        #expect(try load().warnings == ["\(directory): is not a directory"])
    }

    @Test func aNamedConfigurationReplacesTheOtherAndMustBeThere() throws {
        try folder.write("xphase/config.toml", "rubbish")
        try write("a")
        let mine = try folder.write("mine.toml", "policy = 'visible'")
        let loaded = try load(config: mine)
        #expect(loaded.configuration.options.policy == .visible)
        #expect(loaded.hooks.map(\.name) == ["hooks.d/a"])
        let missing = "\(folder.path)/no.toml"
        #expect(throws: ConfigurationError(faults: ["\(missing): there is no such file"])) {
            try load(config: missing)
        }
    }

    @Test func readAgainItIsTheSameUntilSomethingChanges() throws {
        try folder.write("xphase/config.toml", "[[hook]]\nname = 'z'\nshell = 'a'\n")
        try write("a")
        let first = try load()
        #expect(try load() == first)
        try write("b")
        let second = try load()
        #expect(second != first)
        try folder.write("xphase/config.toml", "[[hook]]\nname = 'z'\nshell = 'b'\n")
        #expect(try load() != second)
    }
}
