import TestDesktop
import Testing

@testable import Hooks

/// The keys in the manual.
@Suite struct ConfigurationKeyTests {
    /// A key, its example, and its default, if it has one that can be written.
    private typealias Row = (name: String, example: String, usual: String?)

    /// The keys of the whole file, and those of a hook.
    private let file: [Row]
    private let hook: [Row]
    /// The text of the examples.
    private let examples: String

    init() throws {
        var (rows, examples, isInside) = ([Row](), "", false)
        for line in try Program.run("cat", ["\(RecipesTests.project)/packaging/man/xphase.toml.5"]).output {
            let text = line.replacing("\\(dq", with: "\"").replacing("\\(aq", with: "'")
                .replacing("\\-", with: "-").replacing("\\&", with: "")
            if text.hasPrefix(".Bd") || text == ".Ed" {
                isInside = text != ".Ed"
            } else if isInside {
                examples += text + "\n"
            } else if let match = text.wholeMatch(of: /\.It Cm (([a-z-]+) = .+)/) {
                rows.append((String(match.2), String(match.1), nil))
            } else if let match = text.wholeMatch(of: /Default: (.+)\./) {
                rows[rows.count - 1].usual = String(match.1)
            }
        }
        self.examples = examples
        file = Array(rows.prefix(Configuration.keys.count))
        hook = Array(rows.dropFirst(Configuration.keys.count))
    }

    private func checkExamples<Target>(_ rows: [Row], _ keys: [Key<Target>], _ target: Target) throws {
        #expect(rows.map(\.name) == keys.map(\.name))
        for (key, row) in zip(keys, rows) {
            var (target, reader) = (target, TableReader(try TOML(document: row.example, file: "f")))
            key.read(&reader, &target)
            #expect(reader.faults.map(\.text) == [])
        }
    }

    @Test func everyKeyHasAValidExample() throws {
        try checkExamples(file, Configuration.keys, Configuration())
        try checkExamples(hook, Hook.keys, Hook(name: "h", reaction: .run(.arguments([]))))
    }

    @Test func theHooksOfTheExamplesAreValid() throws {
        #expect(try Configuration(text: examples, file: "f").hooks.count == 5)
    }

    /// Returns lines that set keys to their defaults.
    private func defaults(of rows: [Row]) -> String {
        rows.map { row in
            row.usual.map { "\(row.name) = \(["true", "false"].contains($0) ? $0 : "'\($0)'")\n" } ?? ""
        }.joined()
    }

    @Test func omittedKeysHaveTheirDefaults() throws {
        #expect(try Configuration(text: defaults(of: file), file: "f") == Configuration())
        let text = "[[hook]]\nname = 'h'\nshell = 'a'\n"
        let (more, short) = (defaults(of: hook), try Configuration(text: text, file: "f"))
        #expect(try Configuration(text: text + more, file: "f") == short)
        #expect(more.contains("level = 'application'"))
        #expect(short.hooks == [Hook(name: "h", reaction: .run(.shell("a")))])
    }
}
