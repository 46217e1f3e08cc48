import ArgumentParser
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

struct HooksAdd: Command {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a recipe to the configuration, or list recipes.",
        usage: "xphase hooks add [<recipe> [<app> ...]] [options]",
        discussion: """
            Appends the hook to the configuration of the running 'xphase run', which loads it, otherwise to yours; \
            changes nothing if it is there. With <app>, the hook applies to these applications instead of those of \
            the recipe. Exits 64 if it is there for other applications.

            EXAMPLES
              xphase hooks add
              xphase hooks add pause-the-player --print
              xphase hooks add sleep-unseen-chat Slack
            """
    )

    @Argument(
        help: ArgumentHelp("The name of a recipe. Without it, list all recipes.", valueName: "recipe"),
        completion: .custom { _, _, _ in Recipes().all.map(\.name) })
    var name: String?

    @Argument(
        help: ArgumentHelp("The applications of the hook, instead of the recipe's.", valueName: "app"),
        completion: .application, transform: Arguments.patterns)
    var apps: [[Pattern]] = []

    @Flag(help: "Print the recipe instead of adding it.")
    var print = false

    /// The time that a service has to load hooks.
    private static let patience = Duration.seconds(5)

    func run(_ io: CommandIO) throws {
        let recipes = Recipes()
        if recipes.all.isEmpty {
            throw CommandFailure.notFound(
                "there are no recipes: they belong in share/xphase/recipes, beside the bin directory of this program"
            )
        }
        guard let name else { return try list(recipes, io) }
        guard let recipe = recipes[name] else {
            let names = recipes.all.map(\.name)
            let hint =
                NearestWord.to(name, among: names).map { ": did you mean '\($0)'?" }
                ?? "; the recipes are \(names.joined(separator: ", "))"
            throw CommandFailure.misuse("there is no recipe '\(name.escapedForTerminal)'\(hint)")
        }
        let names = try Subjects(apps.flatMap(\.self), on: nil).applications().map(\.text)
        if print { return try io.write(recipes.text(of: recipe, for: names)) }
        let service = try io.askIfServed { try $0.status() }
        if service?.isFromInput == true && !recipe.isExecutable {
            throw CommandFailure.misuse(
                "'xphase run' reads its hooks from standard input: add what xphase hooks add \(name) --print prints "
                    + "to what it reads, and start it again")
        }
        let locations = io.locations(of: service)
        switch try recipes.add(recipe, for: names, to: locations) {
        case .added(let hooks, let path):
            try io.write(lines: hooks.map { "added hook '\($0)' to \(path)" })
            try report(on: hooks, in: locations, isRead: service?.isFromInput != true, io)
        case .isThere(let text): io.say("\(text): nothing was changed; edit or remove it there")
        case .isForOthers(let text): throw CommandFailure.misuse(text)
        }
    }

    /// Reports what the new hooks match, what they lack on this system, and whether the service reads them.
    ///
    /// - Parameter isRead: Whether a service reads new hooks while it runs.
    private func report(
        on names: [String], in locations: HookLocations, isRead: Bool, _ io: CommandIO
    ) throws {
        var loaded = try LoadedHooks(locations)
        loaded.hooks.removeAll { !names.contains($0.name) }
        let service = try SessionService(environment: io.environment)
        let (variables, owner) = service?.hookVariables ?? (io.environment, "this command")
        (loaded.lacks(variables) + loaded.missingPrograms(in: variables, of: owner)).forEach(io.say)
        guard let service else { return }
        if let changes = try? io.present(under: loaded.configuration) {
            try io.write(lines: loaded.hooks.compactMap { $0.matches(among: changes) }.map { "it \($0)" })
        }
        if !service.isRunning { return try io.write(lines: [io.state(of: service)]) }
        if !isRead { return try io.write(lines: ["start 'xphase run' again to load it"]) }
        guard let isLoaded = isLoaded(names, io) else {
            return io.say("the service does not answer: see 'xphase doctor'")
        }
        if isLoaded { return try io.write(lines: ["the service has loaded it"]) }
        io.say(
            "the service has not loaded it within \(Self.patience.text): see 'xphase hooks check' and its log, which "
                + "'xphase doctor' names")
    }

    /// Waits until the service has loaded these hooks, for some time; nil if it does not answer.
    private func isLoaded(_ names: [String], _ io: CommandIO) -> Bool? {
        let end = Clock.now() + Self.patience
        repeat {
            let rows = try? io.askIfServed { try $0.status().rows }
            guard let rows else { return nil }
            if Set(names).isSubset(of: rows.map(\.hook)) { return true }
            poll(nil, 0, 100)
        } while Clock.now() < end
        return false
    }

    private func list(_ recipes: Recipes, _ io: CommandIO) throws {
        let width = (recipes.all.map(\.name.count).max() ?? 0) + 2
        try io.write(lines: recipes.all.map { $0.name.padded(to: width) + recipes.purpose(of: $0) })
        io.say("to add one, type its name: xphase hooks add \(recipes.all[0].name)")
    }
}
