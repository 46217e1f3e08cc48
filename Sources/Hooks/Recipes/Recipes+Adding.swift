import Console
import Glibc
import System

extension Recipes {
    /// The result of adding a recipe.
    public enum Addition: Hashable, Sendable {
        /// The names of its hooks, and the file.
        case added([String], to: String)
        /// The hooks or the file exist already. The text is the message for the user.
        case isThere(String)
    }

    /// Copies a recipe into a configuration or into hooks.d. Existing contents are kept.
    ///
    /// - Parameters:
    ///   - applications: The applications of its hooks; empty for those of the recipe.
    ///   - locations: The paths. The configuration that is written is the one that the user may change.
    /// - Throws: `ConfigurationError` if the configuration is or would become invalid, `SystemError`.
    public func add(
        _ recipe: Recipe, for applications: [String] = [], to locations: HookLocations
    ) throws -> Addition {
        let text = try text(of: recipe, for: applications)
        if recipe.isExecutable { return try addFile(recipe, text, to: locations) }
        guard let own = locations.writable else { throw SystemError.noHome }
        // The target of the link may be on a disk that is not mounted.
        if own.isLink, own.resolved == nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        let hooks = try Configuration(text: text, file: recipe.path.description).hooks
        // If the user has no file yet, a new one would hide the system-wide one, which it continues.
        let present = try LoadedHooks.firstConfiguration(locations)
        let names = Set(present?.configuration.hooks.map(\.name) ?? [])
        let known = hooks.map(\.name).filter(names.contains)
        if let present, !known.isEmpty {
            return .isThere("hook '\(known.joined(separator: "', '"))' is in \(present.file) already")
        }
        var whole = try present.map { try self.text(of: $0.file) } ?? ""
        if !whole.isEmpty { whole += whole.hasSuffix("\n") ? "\n" : "\n\n" }
        whole += text
        _ = try Configuration(text: whole, file: "\(own), with \(recipe.name)")
        // A symbolic link to a file elsewhere stays a link.
        try Self.write(whole, to: own.resolved ?? own, mode: nil)
        return .added(hooks.map(\.name), to: own.description)
    }

    /// Returns the text of a recipe.
    ///
    /// - Parameter applications: The value of the key `application`; empty for that of the recipe.
    /// - Throws: `SystemError`, also if the recipe has no such key.
    public func text(of recipe: Recipe, for applications: [String]) throws(SystemError) -> String {
        let text = try text(of: recipe.path)
        if applications.isEmpty { return text }
        let key = "application = "
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard !recipe.isExecutable, lines.contains(where: { $0.hasPrefix(key) }) else {
            throw .refused("the recipe '\(recipe.name)' is for every application: omit --application")
        }
        if let word = applications.first(where: { $0.escapedForTerminal != $0 }) {
            throw .refused("'\(word.escapedForTerminal)' contains control characters")
        }
        let words = applications.map { word in
            "\"\(word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        let value = words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]"
        lines = lines.map { $0.hasPrefix(key) ? key + value : $0 }
        return lines.joined(separator: "\n")
    }

    private func addFile(_ recipe: Recipe, _ text: String, to locations: HookLocations) throws -> Addition {
        guard let directory = locations.directory else { throw SystemError.noHome }
        let path = directory.entry(SystemString(recipe.name))
        if access(path.cString, F_OK) == 0 { return .isThere("\(path) already exists") }
        try Self.write(text, to: path, mode: 0o755)
        return .added(["hooks.d/\(recipe.name)"], to: path.description)
    }

    /// Writes a file atomically.
    ///
    /// - Parameter mode: nil for the mode of the file that is replaced.
    private static func write(_ text: String, to path: SystemString, mode: mode_t?) throws(SystemError) {
        var facts = stat()
        let mode = mode ?? (stat(path.cString, &facts) == 0 ? facts.st_mode & 0o777 : 0o644)
        let directory = try OwnDirectory(making: path.directory, forbidding: 0o022)
        guard let name = path.components.last else { throw .noFile(path: path) }
        try directory.replace(name, with: Array(text.utf8), mode: mode)
    }
}

extension SystemString {
    fileprivate var isLink: Bool {
        var facts = stat()
        return lstat(cString, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }
}
