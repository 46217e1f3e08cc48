import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

@Suite struct RecipesTests {
    private let folder: TemporaryFolder
    private let recipes: Recipes

    /// Creates a package whose program is bin/xphase.
    init() throws {
        folder = try TemporaryFolder()
        for name in [
            "bin", "share", "share/xphase", "share/xphase/recipes", "share/xphase/recipes/hooks.d", "config",
        ] {
            mkdir("\(folder.path)/\(name)", 0o755)
        }
        _ = try folder.write(
            "share/xphase/recipes/one.toml",
            "# For one\n# thing. And more.\n[[hook]]\nname = 'one'\nshell = 'a'\n")
        _ = try folder.write("share/xphase/recipes/two.toml", "# Two.\n[[hook]]\nname = 'two'\nshell = 'b'\n")
        _ = try folder.write("share/xphase/recipes/hooks.d/10-x", "#!/bin/sh\n# Runs.\ntrue\n")
        recipes = Recipes(beside: SystemString("\(folder.path)/bin/xphase"))
    }

    private var file: String { "\(folder.path)/config/xphase/config.toml" }

    private func add(_ name: String, to file: String? = nil) throws -> Recipes.Addition {
        let locations = HookLocations(
            config: file.map { SystemString($0) },
            environment: Environment(entries: [SystemString("XDG_CONFIG_HOME=\(folder.path)/config")]))
        return try recipes.add(try #require(recipes[name]), to: locations)
    }

    private func text(_ path: String) throws -> String {
        try Program.run("cat", [path]).output.joined(separator: "\n")
    }

    @Test func aLinkThatLeadsNowhereStaysOne() throws {
        let link = "\(folder.path)/link.toml"
        #expect(symlink("nowhere.toml", link) == 0)
        #expect(throws: SystemError.failed(path: SystemString(link), SystemError("realpath", ENOENT))) {
            try add("one", to: link)
        }
        var facts = stat()
        #expect(lstat(link, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK && access(link, F_OK) != 0)
    }

    @Test func aFileIsWrittenWhoseNameIsNoText() throws {
        let file = SystemString(bytes: Array("\(folder.path)/c".utf8) + [0xE9])
        let locations = HookLocations(config: file, environment: Environment(entries: []))
        _ = try recipes.add(try #require(recipes["one"]), to: locations)
        #expect(try Configuration(file: file)?.hooks.map(\.name) == ["one"])
        #expect(try #require(file.directory.entryNames).contains(SystemString(bytes: [0x63, 0xE9])))
    }

    @Test func theyAreFoundBesideTheProgram() {
        #expect(recipes.all.map(\.name) == ["one", "two", "10-x"])
        #expect(recipes.all.map(recipes.purpose) == ["For one thing.", "Two.", "Runs."])
        #expect(Recipes(beside: SystemString(folder("none/bin/xphase"))).all.isEmpty)
        #expect(Recipes(beside: nil).all.isEmpty)
    }

    @Test func whatWasBuiltInTheProjectHasItsExamples() {
        let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let found = Recipes(beside: SystemString("\(project)/.build/x/debug/xphase"))
        #expect(found["pause-the-player"] != nil && found["10-last-phase"] != nil)
        #expect(found.all.allSatisfy { found.purpose(of: $0).count > 20 })
        for recipe in found.all where !recipe.isExecutable {
            let hooks = try? Configuration(file: recipe.path)?.hooks
            #expect(hooks?.map(\.name) == [recipe.name])
        }
    }

    @Test func theHookOfTheREADMEIsARecipe() throws {
        let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let found = Recipes(beside: SystemString("\(project)/.build/x/debug/xphase"))
        let recipe = try found.text(of: try #require(found["sleep-unseen-chat"]), for: [])
        let hook = try #require(recipe.firstRange(of: "[[hook]]"))
        #expect(try text("\(project)/README.md").contains("```toml\n\(recipe[hook.lowerBound...])```"))
    }

    @Test func aRecipeComesBehindWhatIsThereAndOnlyOnce() throws {
        #expect(try add("one") == .added(["one"], to: file))
        let first = try text(file)
        #expect(first.hasSuffix("shell = 'a'"))
        #expect(try add("two") == .added(["two"], to: file))
        #expect(try text(file).hasPrefix(first + "\n\n# Two.\n"))
        let both = try text(file)
        #expect(try add("one") == .isThere("hook 'one' is in \(file) already"))
        #expect(try text(file) == both)
        #expect(try Configuration(file: SystemString(file))?.hooks.map(\.name) == ["one", "two"])
        #expect(try Program.run("ls", ["-A", "\(folder.path)/config/xphase"]).output == ["config.toml"])
    }

    @Test func modesLinksAndAMissingNewlineAreKept() throws {
        let real = try folder.write("real.toml", "policy = 'visible' # mine")
        chmod(real, 0o600)
        let link = "\(folder.path)/link.toml"
        symlink(real, link)
        #expect(try add("one", to: link) == .added(["one"], to: link))
        #expect(try text(real).hasPrefix("policy = 'visible' # mine\n\n# For one"))
        var facts = stat()
        #expect(lstat(link, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(real, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test func aConfigurationThatIsWrongStaysAsItIs() throws {
        for text in ["policy = ", "colour = 'red'", "hook = []"] {
            let file = try folder.write("wrong.toml", text)
            #expect(throws: ConfigurationError.self) { try add("one", to: file) }
            #expect(try self.text(file) == text)
        }
    }

    @Test func anExecutableGoesToHooksD() throws {
        let path = "\(folder.path)/config/xphase/hooks.d/10-x"
        #expect(try add("10-x") == .added(["hooks.d/10-x"], to: path))
        #expect(access(path, X_OK) == 0)
        _ = try folder.write("config/xphase/hooks.d/10-x", "mine")
        #expect(try add("10-x") == .isThere("\(path) already exists"))
        #expect(try text(path) == "mine")
    }
}
