import Console
import Glibc
import System

extension Recipes {
    /// What became of a recipe.
    public enum Addition: Hashable, Sendable {
        case added(to: String)
        /// These hooks, or this file, are there.
        case isThere(String)
    }

    /// Copies a recipe into a configuration, or into hooks.d. What is there stays as it is.
    ///
    /// - Parameter locations: The first of the configurations is written, as the user's own.
    /// - Throws: `ConfigurationError` where the configuration is wrong or would be, `SystemError`.
    public func add(_ recipe: Recipe, to locations: HookLocations) throws -> Addition {
        let text = try text(of: recipe)
        if recipe.isExecutable { return try addFile(recipe, text, to: locations) }
        var own = try OwnConfiguration(locations)
        let hooks = try Configuration(text: text, file: recipe.path.description).hooks
        let names = Set(try Configuration(text: own.text, file: own.path.description).hooks.map(\.name))
        let known = hooks.map(\.name).filter(names.contains)
        if !known.isEmpty {
            return .isThere("hook '\(known.joined(separator: "', '"))' is in \(own.path) already")
        }
        try own.append(text, named: recipe.name)
        return .added(to: own.path.description)
    }

    private func addFile(_ recipe: Recipe, _ text: String, to locations: HookLocations) throws -> Addition {
        guard let directory = locations.directory else { throw SystemError.noHome }
        let path = directory.entry(SystemString(recipe.name))
        if access(path.cString, F_OK) == 0 { return .isThere("\(path) is there already") }
        try OwnConfiguration.write(text, to: path, mode: 0o755)
        return .added(to: path.description)
    }
}
