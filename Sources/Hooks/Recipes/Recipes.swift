import Console
import Glibc
import System

/// The hooks that come with xphase and can be copied into a configuration.
public struct Recipes {
    private static let mostBytes = 1 << 20

    /// A file that can be copied.
    public struct Recipe: Hashable, Sendable {
        public let name: String
        let path: SystemString
        /// Whether the file is an executable for hooks.d rather than a configuration.
        let isExecutable: Bool
    }

    /// The recipes sorted by name, executables for hooks.d last.
    public let all: [Recipe]

    /// Finds the recipes of the package that contains this program, or of the project that it was built in.
    public init() {
        self.init(beside: SystemString("/proc/self/exe").linkTarget)
    }

    /// - Parameter program: The path of this program.
    init(beside program: SystemString?) {
        let places = program.map(Self.places) ?? []
        all =
            places.lazy.map { place in
                Self.names(in: place, behind: ".toml").map {
                    Recipe(
                        name: String($0.dropLast(5)), path: place.entry(SystemString($0)), isExecutable: false
                    )
                }
                    + Self.names(in: place.entry("hooks.d")).map {
                        Recipe(
                            name: $0, path: place.entry("hooks.d").entry(SystemString($0)), isExecutable: true
                        )
                    }
            }.first { !$0.isEmpty } ?? []
    }

    public subscript(name: String) -> Recipe? { all.first { $0.name == name } }

    /// Returns the purpose of a recipe: the first sentence of its comment.
    public func purpose(of recipe: Recipe) -> String {
        guard let text = try? text(of: recipe.path) else { return "" }
        let comment = text.split(separator: "\n").drop { $0.hasPrefix("#!") }.prefix { $0.hasPrefix("#") }
        let words = comment.map { $0.dropFirst().drop { $0 == " " } }.joined(separator: " ")
        return words.firstRange(of: ". ").map { String(words[..<$0.lowerBound]) + "." } ?? words
    }

    func text(of path: SystemString) throws(SystemError) -> String {
        let file = try Descriptor(
            "open", open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path: path)
        guard let bytes = try file.readAll(path, limit: Self.mostBytes) else {
            throw .tooLarge(path: path, limit: Self.mostBytes)
        }
        return String(decoding: bytes, as: UTF8.self)
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

    private static func names(in path: SystemString, behind end: String = "") -> [String] {
        (path.entryNames ?? []).compactMap(\.text).filter { $0.hasSuffix(end) && !$0.hasPrefix(".") }.sorted()
    }
}
