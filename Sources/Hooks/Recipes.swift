import Console
import Glibc
import PhaseWatch
import System

/// The hooks that come with xphase and can be copied into a configuration.
public struct Recipes {
    private static let mostBytes = 1 << 20

    /// A file that can be copied.
    public struct Recipe: Hashable, Sendable {
        public let name: String
        let path: SystemString
        /// Whether the file is an executable for hooks.d rather than a configuration.
        public let isExecutable: Bool
    }

    /// The result of adding a recipe.
    public enum Addition: Hashable, Sendable {
        /// The names of its hooks, and the file.
        case added([String], to: String)
        /// The hooks or the file exist already. The text is the message for the user.
        case isThere(String)
        /// The hooks exist already, for other applications. The text is the message for the user.
        case isForOthers(String)
    }

    /// The recipes sorted by name, executables for hooks.d last.
    public let all: [Recipe]

    /// Finds the recipes of the package that contains this program, or of the project that it was built in.
    public init() {
        self.init(beside: SystemString("/proc/self/exe").linkTarget)
    }

    /// - Parameter program: The path of this program.
    init(beside program: SystemString?) {
        all = program.flatMap { Self.places(beside: $0).lazy.map(Self.recipes).first { !$0.isEmpty } } ?? []
    }

    /// Returns `/usr/share/xphase/recipes` for `/usr/bin/xphase`, and the examples of the project that a program was
    /// built in.
    private static func places(beside program: SystemString) -> [SystemString] {
        let installed = program.directory.directory.entry("share/xphase/recipes")
        let names = program.components
        let build = names.firstIndex { $0.hasPrefix(".build") }
        let project = build.map { names[..<$0].reduce(SystemString("/")) { $0.entry($1) } }
        return [installed] + (project.map { [$0.entry("packaging/examples/hooks")] } ?? [])
    }

    private static func recipes(in place: SystemString) -> [Recipe] {
        func recipes(in directory: SystemString, suffix: String) -> [Recipe] {
            let names = (directory.entryNames ?? []).compactMap(\.text)
            return names.filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }.sorted().map { name in
                Recipe(
                    name: String(name.dropLast(suffix.count)), path: directory.entry("\(name)"),
                    isExecutable: suffix.isEmpty)
            }
        }
        return recipes(in: place, suffix: ".toml") + recipes(in: place.entry("hooks.d"), suffix: "")
    }

    public subscript(name: String) -> Recipe? { all.first { $0.name == name } }

    /// Returns the purpose of a recipe: the first sentence of its comment.
    public func purpose(of recipe: Recipe) -> String {
        guard let text = try? text(of: recipe.path) else { return "" }
        let comment = text.split(separator: "\n").drop { $0.hasPrefix("#!") }.prefix { $0.hasPrefix("#") }
        let words = comment.map { $0.dropFirst().drop { $0 == " " } }.joined(separator: " ")
        return words.firstRange(of: ". ").map { String(words[..<$0.lowerBound]) + "." } ?? words
    }

    private func text(of path: SystemString) throws(SystemError) -> String {
        let file = try Descriptor(
            "open", open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path: path)
        guard let bytes = try file.readAll(path, limit: Self.mostBytes) else {
            throw .tooLarge(path: path, limit: Self.mostBytes)
        }
        return String(decoding: bytes, as: UTF8.self)
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
            throw .refused("the recipe '\(recipe.name)' is for every application: name none")
        }
        if let word = applications.first(where: { $0.escapedForTerminal != $0 }) {
            throw .refused("'\(word.escapedForTerminal)' contains control characters")
        }
        let value = applications.count == 1 ? applications[0].inTOML : applications.inTOML
        lines = lines.map { $0.hasPrefix(key) ? key + value : $0 }
        return lines.joined(separator: "\n")
    }
}

extension Recipes {
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
        if recipe.isExecutable {
            guard let directory = locations.directory else { throw SystemError.noHome }
            let path = directory.entry(SystemString(recipe.name))
            if access(path.cString, F_OK) == 0 { return .isThere("\(path) already exists") }
            try Self.write(text, to: path, mode: 0o755)
            return .added(["hooks.d/\(recipe.name)"], to: path.description)
        }
        guard let own = locations.writable else { throw SystemError.noHome }
        // A symbolic link to a file elsewhere stays a link. Its target may be on a disk that is not mounted.
        let target = own.resolved
        if target == nil, own.linkTarget != nil {
            throw SystemError.failed(path: own, SystemError("realpath", ENOENT))
        }
        let hooks = try Configuration(text: text, file: recipe.path.description).hooks
        // If the user has no file yet, a new one would hide the system-wide one, which it continues.
        let present = try LoadedHooks.firstConfiguration(locations)
        let names = Set(present?.configuration.hooks.map(\.name) ?? [])
        let known = hooks.map(\.name).filter(names.contains)
        if let present, !known.isEmpty {
            let text = "hook '\(known.joined(separator: "', '"))' is in \(present.file) already"
            let there = present.configuration.hooks.filter { known.contains($0.name) }
                .map { $0.condition.criteria.application.map(\.text) }
            guard let own = there.first(where: { !Set(applications).isSubset(of: $0) }) else {
                return .isThere(text)
            }
            let all = own + applications.filter { !own.contains($0) }
            let names = own.isEmpty ? "every application" : own.joined(separator: ", ")
            return .isForOthers("\(text), for \(names): write application = \(all.inTOML) there")
        }
        var whole = try present.map { try self.text(of: $0.file) } ?? ""
        if !whole.isEmpty { whole += whole.hasSuffix("\n") ? "\n" : "\n\n" }
        whole += text
        _ = try Configuration(text: whole, file: "\(own), with \(recipe.name)")
        let path = target ?? own
        var facts = stat()
        try Self.write(
            whole, to: path, mode: stat(path.cString, &facts) == 0 ? facts.st_mode & 0o777 : 0o644)
        return .added(hooks.map(\.name), to: own.description)
    }

    /// Writes a file atomically.
    private static func write(_ text: String, to path: SystemString, mode: mode_t) throws(SystemError) {
        let directory = try OwnDirectory(making: path.directory, forbidding: 0o022)
        guard let name = path.components.last else { throw .noFile(path: path) }
        try directory.replace(name, with: Array(text.utf8), mode: mode)
    }
}
