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
        guard let own = locations.configurations.first else { throw SystemError.noHome }
        // The file may be on a disk that is not there now.
        if own.isLink, own.resolved == nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        let hooks = try Configuration(text: text, file: recipe.path.description).hooks
        let old = try present(locations)
        let names = Set(try Configuration(text: old, file: own.description).hooks.map(\.name))
        let known = hooks.map(\.name).filter(names.contains)
        if !known.isEmpty {
            return .isThere("hook '\(known.joined(separator: "', '"))' is in \(own) already")
        }
        let start = old.isEmpty || old.hasSuffix("\n") ? old : old + "\n"
        let new = start + (start.isEmpty ? "" : "\n") + text
        _ = try Configuration(text: new, file: "\(own), with \(recipe.name)")
        // A link of whoever keeps the file elsewhere stays one.
        try write(new, to: own.resolved ?? own, mode: nil)
        return .added(to: own.description)
    }

    /// The configuration that is read now; that of the whole system would no longer be when the user has one.
    private func present(_ locations: HookLocations) throws -> String {
        for path in locations.configurations {
            // Checks who may write to it, too.
            guard try Configuration(file: path) != nil else { continue }
            let file = try Descriptor("open", open(path.cString, O_RDONLY | O_CLOEXEC), path: path)
            return String(decoding: try file.readAll(path, limit: 1 << 20) ?? [], as: UTF8.self)
        }
        return ""
    }

    private func addFile(_ recipe: Recipe, _ text: String, to locations: HookLocations) throws -> Addition {
        guard let directory = locations.directory else { throw SystemError.noHome }
        let path = directory.entry(SystemString(recipe.name))
        if access(path.cString, F_OK) == 0 { return .isThere("\(path) is there already") }
        try write(text, to: path, mode: 0o755)
        return .added(to: path.description)
    }

    /// Writes a file that is there as a whole or not at all.
    ///
    /// - Parameter mode: nil for that of the file that it replaces.
    private func write(_ text: String, to path: SystemString, mode: mode_t?) throws(SystemError) {
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
