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

    static let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    @Test func recipesAreFoundBesideTheProgram() {
        #expect(recipes.all.map(\.name) == ["one", "two", "10-x"])
        #expect(recipes.all.map(recipes.purpose) == ["For one thing.", "Two.", "Runs."])
        #expect(Recipes(beside: "\(folder.path)/none/bin/xphase").all.isEmpty)
        #expect(Recipes(beside: nil).all.isEmpty)
    }

    /// What was built in the project has its examples.
    @Test(arguments: ["sync-notes", "sleep-unseen-chat"])
    func aHookOfTheReadmeThatHasTheNameOfARecipeIsThatRecipe(name: String) throws {
        let own = Recipes(beside: "\(Self.project)/.build/x/debug/xphase")
        #expect(own.all.allSatisfy { own.purpose(of: $0).count > 20 })
        let recipe = try own.text(of: try #require(own[name]), for: [])
        let hook = try #require(recipe.firstRange(of: "[[hook]]"))
        // Other hooks may follow, and comments.
        let page = try text("\(Self.project)/README.md").split(separator: "\n").map(String.init)
        let lines = recipe[hook.lowerBound...].split(separator: "\n").map(String.init)
        #expect(page.contains { $0 == "name = \"\(name)\"" } && lines.allSatisfy(page.contains))
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
        #expect(
            SystemString(link).linkTarget != nil && stat(real, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        // A link that leads nowhere stays one.
        unlink(real)
        #expect(throws: SystemError.failed(path: "\(link)", SystemError("realpath", ENOENT))) {
            try add("one", to: "\(link)")
        }
        #expect(SystemString(link).linkTarget != nil && access(real, F_OK) != 0)
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

/// Recipes that switch a setting of the whole session while an application is present, and restore it only if they have
/// changed it. Stand-ins for the required programs read and write the file `state`.
@Suite struct SharedRecipesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder("bin"), 0o755)
        for (name, script) in [
            ("dunstctl", "if [ $1 = is-paused ]; then cat state; else echo $2 >state; fi")
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
        let file = SystemString("\(RecipesTests.project)/packaging/examples/hooks/\(recipe).toml")
        let hook = try #require(try Configuration(file: file)?.hooks.first)
        #expect(hook.condition.level == .all)
        guard case .pair(let pair) = hook.reaction else { throw Failure("\(recipe) is not a pair") }
        return (try #require(pair.enter).arguments, try #require(pair.leave).arguments)
    }

    @Test(arguments: [("quiet-fullscreen", "false", "true"), ("quiet-fullscreen", "true", "true")])
    func theStateBeforeARecipeComesBack(recipe: String, before: String, during: String) throws {
        let (enter, leave) = try Self.commands(recipe)
        try folder.write("state", before + "\n")
        for (step, expected) in [(enter, during), (leave, before), (leave, before), (enter, during)] {
            try run(step, state: expected)
        }
    }
}
