import TestDesktop
import Testing

@testable import Hooks

/// The tables of keys.
@Suite struct ConfigurationKeyTests {
    /// A key without the type of what it sets.
    private typealias Row = (name: String, kind: String, usual: String, meaning: String)

    private static let file: [Row] = Configuration.keys.map { ($0.name, $0.kind, $0.usual, $0.meaning) }
    private static let hook: [Row] = Hook.keys.map { ($0.name, $0.kind, $0.usual, $0.meaning) }

    @Test func theTablesOfTheManualListTheKeys() throws {
        let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let page = try Program.run("cat", ["\(project)/packaging/man/xphase.toml.5"]).output
        let rows = page.filter { $0.hasPrefix(".It Cm ") && $0.contains(" Ta ") }
        let expected = (Self.file + Self.hook).map {
            ".It Cm \($0.name) Ta \($0.kind) Ta \($0.usual) Ta \($0.meaning.replacing("-", with: "\\-"))"
        }
        #expect(rows == expected)
    }

    /// Returns lines that set keys to their defaults. One that is no value, as `all`, stands for the absence of the key.
    private static func defaults(of rows: [Row]) -> String {
        rows.filter { !["required", "all", "none", "both", "all three", "see below"].contains($0.usual) }
            .map { "\($0.name) = \($0.kind == "boolean" ? $0.usual : "'\($0.usual)'")\n" }.joined()
    }

    @Test func omittedKeysHaveTheirDefaults() throws {
        #expect(try Configuration(text: Self.defaults(of: Self.file), file: "f") == Configuration())
        let text = "[[hook]]\nname = 'h'\nshell = 'a'\n"
        let (more, short) = (Self.defaults(of: Self.hook), try Configuration(text: text, file: "f"))
        #expect(try Configuration(text: text + more, file: "f") == short)
        #expect(more.contains("level = 'application'"))
        #expect(short.hooks == [Hook(name: "h", reaction: .run(.shell("a")))])
    }
}
