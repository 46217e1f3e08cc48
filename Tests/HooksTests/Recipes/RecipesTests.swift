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
        let place = "share/xphase/recipes"
        for name in ["bin", "share", "share/xphase", place, "\(place)/hooks.d", "config"] {
            mkdir(folder(name), 0o755)
        }
        try folder.write(
            "\(place)/one.toml", "# For one\n# thing. And more.\n[[hook]]\nname = 'one'\nshell = 'a'\n")
        try folder.write("\(place)/two.toml", "# Two.\n[[hook]]\nname = 'two'\nshell = 'b'\n")
        try folder.write("\(place)/hooks.d/10-x", "#!/bin/sh\n# Runs.\ntrue\n")
        recipes = Recipes(beside: "\(folder.path)/bin/xphase")
    }

    private var file: String { folder("config/xphase/config.toml") }

    private func add(_ name: String, to file: SystemString? = nil) throws -> Recipes.Addition {
        let environment: Environment = ["XDG_CONFIG_HOME": folder("config")]
        return try recipes.add(
            try #require(recipes[name]), to: HookLocations(config: file, environment: environment))
    }

    private func text(_ path: String) throws -> String {
        try Program.run("cat", [path]).output.joined(separator: "\n")
    }

    private static let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    private func isLink(_ path: String) -> Bool { SystemString(path).linkTarget != nil }

    @Test func theyAreFoundBesideTheProgram() {
        #expect(recipes.all.map(\.name) == ["one", "two", "10-x"])
        #expect(recipes.all.map(recipes.purpose) == ["For one thing.", "Two.", "Runs."])
        #expect(Recipes(beside: "\(folder.path)/none/bin/xphase").all.isEmpty)
        #expect(Recipes(beside: nil).all.isEmpty)
    }

    /// What was built in the project has its examples.
    @Test func theHookOfTheReadmeIsARecipe() throws {
        let own = Recipes(beside: "\(Self.project)/.build/x/debug/xphase")
        #expect(own.all.allSatisfy { own.purpose(of: $0).count > 20 })
        let recipe = try own.text(of: try #require(own["sleep-unseen-chat"]), for: [])
        let hook = try #require(recipe.firstRange(of: "[[hook]]"))
        #expect(try text("\(Self.project)/README.md").contains("```toml\n\(recipe[hook.lowerBound...])```"))
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
        #expect(try Program.run("ls", ["-A", folder("config/xphase")]).output == ["config.toml"])
    }

    @Test func modesLinksAndAMissingNewlineAreKept() throws {
        let (real, link) = (try folder.write("real.toml", "policy = 'visible' # mine"), folder("link.toml"))
        symlink(real, link)
        #expect(try add("one", to: "\(link)") == .added(["one"], to: link))
        #expect(try text(real).hasPrefix("policy = 'visible' # mine\n\n# For one"))
        var facts = stat()
        #expect(isLink(link) && stat(real, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        // A link that leads nowhere stays one.
        unlink(real)
        #expect(throws: SystemError.failed(path: "\(link)", SystemError("realpath", ENOENT))) {
            try add("one", to: "\(link)")
        }
        #expect(isLink(link) && access(real, F_OK) != 0)
    }

    @Test func aFileIsWrittenWhoseNameIsNoText() throws {
        let file = SystemString(bytes: Array(folder("c").utf8) + [0xE9])
        _ = try add("one", to: file)
        #expect(try Configuration(file: file)?.hooks.map(\.name) == ["one"])
    }

    @Test func aConfigurationThatIsWrongStaysAsItIs() throws {
        for text in ["policy = ", "colour = 'red'", "hook = []"] {
            let file = try folder.write("wrong.toml", text)
            #expect(throws: ConfigurationError.self) { try add("one", to: "\(file)") }
            #expect(try self.text(file) == text)
        }
    }

    @Test func anExecutableGoesToHooksD() throws {
        let path = folder("config/xphase/hooks.d/10-x")
        #expect(try add("10-x") == .added(["hooks.d/10-x"], to: path))
        #expect(access(path, X_OK) == 0)
        try folder.write("config/xphase/hooks.d/10-x", "mine")
        #expect(try add("10-x") == .isThere("\(path) already exists"))
        #expect(try text(path) == "mine")
    }
}
