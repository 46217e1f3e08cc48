import ArgumentParser
import Console
import Hooks
import System

struct HooksAdd: Command {
    static let configuration = CommandConfiguration(
        command: "add",
        abstract: "Copy a recipe into the configuration; without a name, list them.",
        usage: "xphase hooks add [<recipe>] [--config <file>]",
        discussion: """
            What is in the configuration stays as it is, and nothing is added twice. A running 'xphase run' reads \
            it at once: look into the copy first for what has to be adapted.

            EXAMPLES
              xphase hooks add
              xphase hooks add pause-the-player
            """
    )

    @Argument(
        help: ArgumentHelp("The name of a recipe.", valueName: "recipe"),
        completion: .custom { _, _, _ in Recipes().all.map(\.name) }, transform: Arguments.text)
    var name: String?

    @Option(
        help: ArgumentHelp("A configuration to add to in place of the usual one.", valueName: "file"),
        completion: .file())
    var config: SystemString?

    func run(_ io: CommandIO) throws {
        let recipes = Recipes()
        if recipes.all.isEmpty {
            throw CommandFailure.notFound(
                "there are no recipes: they lie in share/xphase/recipes beside the bin of this program")
        }
        guard let name else { return try list(recipes, io) }
        guard let recipe = recipes[name] else {
            let names = recipes.all.map(\.name)
            if let near = NearestWord.to(name, among: names) {
                throw CommandFailure.misuse(
                    "there is no recipe '\(name.escapedForTerminal)': did you mean '\(near)'?")
            }
            throw CommandFailure.misuse(
                "there is no recipe '\(name.escapedForTerminal)'; there are \(names.joined(separator: ", "))")
        }
        switch try recipes.add(recipe, to: HookLocations(config: config, environment: io.environment)) {
        case .added(let path):
            try io.write(lines: ["added \(recipe.name) to \(path): see whether it names your applications"])
        case .isThere(let text): io.say("\(text): nothing was changed")
        }
    }

    private func list(_ recipes: Recipes, _ io: CommandIO) throws {
        let width = (recipes.all.map(\.name.count).max() ?? 0) + 2
        try io.write(lines: recipes.all.map { $0.name.padded(to: width) + recipes.purpose(of: $0) })
    }
}
