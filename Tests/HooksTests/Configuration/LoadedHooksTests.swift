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

    private func load(config: SystemString? = nil) throws(ConfigurationError) -> LoadedHooks {
        try LoadedHooks(HookLocations(config: config, environment: ["XDG_CONFIG_HOME": folder.path]))
    }

    @discardableResult
    private func write(_ name: String, mode: mode_t = 0o755) throws -> String {
        let path = try folder.write("xphase/hooks.d/\(name)", "#!/bin/sh\n")
        chmod(path, mode)
        return path
    }

    @Test func executablesFollowTheConfigurationInTheOrderOfTheirNames() throws {
        let file = try folder.write("xphase/config.toml", "[[hook]]\nname = 'z'\nshell = 'a'\n")
        for name in ["b", "é", "10-x", "B", "9-x"] { try write(name) }
        // What is not meant to run is passed over.
        for name in [".hidden", "copy~"] { try write(name, mode: 0o666) }
        mkdir("\(directory)/folder", 0o777)
        symlink("/usr", "\(directory)/other")
        symlink("/bin/true", "\(directory)/true")
        let loaded = try load()
        #expect(loaded.file?.description == file)
        #expect(loaded.warnings.isEmpty)
        let names = ["10-x", "9-x", "B", "b", "true", "é"]
        #expect(loaded.hooks.map(\.name) == ["z"] + names.map { "hooks.d/\($0)" })
        for (name, hook) in zip(names, loaded.hooks.dropFirst()) {
            let reaction = Hook.Reaction.run(.arguments(["\(directory)/\(name)"]))
            #expect(hook == Hook(name: "hooks.d/\(name)", reaction: reaction))
        }
    }

    @Test func aLogNamesTenFilesAndCountsTheRest() throws {
        for number in 1...1000 { try write("\(number)", mode: 0o644) }
        let texts = LoadedHooks.shortened(try load().warnings)
        #expect(texts.count == 11 && texts.dropLast().allSatisfy { $0.contains("is not executable") })
        #expect(texts.last == "there are 990 more such messages: run 'xphase hooks check'")
        #expect(LoadedHooks.shortened(Array(texts.prefix(10))).count == 10)
    }

    @Test func entriesThatCannotRunAreNamedAndTheRestRuns() throws {
        try write("a", mode: 0o644)
        try write("b", mode: 0o757)
        try write("good")
        symlink("nowhere", "\(directory)/c")
        mkfifo("\(directory)/d", 0o700)
        try write("e\u{1B}")
        _ = try Program.run("sh", ["-c", "cd \(directory) && touch \"$(printf 'f\\377')\""])
        let loaded = try load()
        #expect(loaded.hooks.map(\.name) == ["hooks.d/good"])
        #expect(
            loaded.warnings == [
                "\(directory)/a: is not executable: chmod +x \(directory)/a",
                "\(directory)/b: is writable by others: chmod go-w \(directory)/b",
                "\(directory)/c: cannot be run: No such file or directory",
                "\(directory)/d: is not a regular file",
                #"\#(directory)/e\e: 'e\e' contains control characters"#,
                "\(directory)/f\u{FFFD}: its name is not UTF-8",
            ])
    }

    @Test func nothingRunsOfADirectoryThatOthersMayWrite() throws {
        try write("a")
        let warning = "\(directory): is writable by others: chmod go-w \(directory); none of its hooks run"
        for mode in [0o777, 0o757, 0o1777] as [mode_t] {
            chmod(directory, mode)
            let loaded = try load()
            #expect(loaded.hooks.isEmpty && loaded.warnings == [warning])
        }
        unlink("\(directory)/a")
        rmdir(directory)
        try folder.write("xphase/hooks.d", "")
        #expect(try load().warnings == ["\(directory): is not a directory"])
    }

    @Test func aNamedConfigurationReplacesTheOtherAndMustBeThere() throws {
        try folder.write("xphase/config.toml", "rubbish")
        try write("a")
        try folder.write("mine.toml", "policy = 'visible'")
        let loaded = try load(config: "\(folder.path)/mine.toml")
        #expect(loaded.configuration.options.policy == .visible)
        #expect(loaded.hooks.map(\.name) == ["hooks.d/a"])
        let missing = "\(folder.path)/no.toml"
        #expect(throws: ConfigurationError(faults: ["\(missing): there is no such file"])) {
            try load(config: "\(missing)")
        }
    }

    // MARK: Locations

    private static let system: SystemString = "/etc/xdg/xphase/config.toml"

    @Test(
        arguments: [
            (["HOME=/home/a", "XDG_CONFIG_HOME=/c"], "/c"), (["HOME=/home/a"], "/home/a/.config"),
            (["HOME=/home/a", "XDG_CONFIG_HOME="], "/home/a/.config"), (["XDG_CONFIG_HOME=/c"], "/c"),
            (["HOME=/home/a", "XDG_CONFIG_HOME=relative"], "/home/a/.config"),
            // Every directory is named by its bytes.
            (
                [SystemString(bytes: Array("HOME=/h".utf8) + [0xE9])],
                SystemString(bytes: [0x2F, 0x68, 0xE9]) + "/.config"
            ),
            ([], nil), (["HOME="], nil), (["XDG_CONFIG_HOME=relative"], nil),
        ] as [([SystemString], SystemString?)])
    func theUsersFilesComeBeforeTheSystems(variables: [SystemString], folder: SystemString?) {
        let environment = Environment(entries: variables)
        let own = folder.map { $0 + "/xphase" }
        let (file, directory) = (own.map { [$0 + "/config.toml"] } ?? [], own.map { [$0 + "/hooks.d"] } ?? [])
        let locations = HookLocations(config: nil, environment: environment)
        #expect(locations.watched == file + [Self.system] + directory && locations.required == nil)
        // One that the user names is the only one.
        let named = HookLocations(config: "mine.toml", environment: environment)
        #expect(named.watched == ["mine.toml"] + directory && named.required == "mine.toml")
    }
}
