import TestDesktop
import Testing

@testable import Hooks

/// The tables of keys.
@Suite struct ConfigurationKeyTests {
    /// A key without the type of what it sets.
    private struct Row: CustomStringConvertible {
        let name: String
        let kind: String
        let usual: String
        let meaning: String

        init<Target>(_ key: Key<Target>) {
            (name, kind, usual, meaning) = (key.name, key.kind, key.usual, key.meaning)
        }

        /// The row in the source of the manual.
        var description: String {
            ".It Cm \(name) Ta \(kind) Ta \(usual) Ta \(meaning.replacing("-", with: "\\-"))"
        }
    }

    private static let file = Configuration.keys.map(Row.init)
    private static let hook = HookTable.keys.map(Row.init)

    @Test func theTablesOfTheManualListTheKeys() throws {
        let project = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let page = try Program.run("cat", ["\(project)/packaging/man/xphase.toml.5"]).output
        let rows = page.filter { $0.hasPrefix(".It Cm ") && $0.contains(" Ta ") }
        #expect(rows == (Self.file + Self.hook).map(\.description))
    }

    /// A default that is no value, such as `all`, stands for the absence of the key.
    private static func isValue(_ row: Row) -> Bool {
        !["required", "all", "none", "both", "all three", "see below"].contains(row.usual)
    }

    private static func line(_ row: Row) -> String {
        "\(row.name) = \(row.kind == "boolean" ? row.usual : "'\(row.usual)'")\n"
    }

    @Test func theDefaultsAreThoseOfAnEmptyFile() throws {
        let text = Self.file.filter(Self.isValue).map(Self.line).joined()
        let (empty, full) = (Configuration(), try Configuration(text: text, file: "f"))
        #expect(full.options == empty.options && full.journal == empty.journal)
    }

    @Test func theDefaultsOfAHookAreThoseOfItsName() throws {
        let text = "[[hook]]\nname = 'h'\nshell = 'a'\n"
        let more = Self.hook.filter(Self.isValue).map(Self.line).joined()
        let (short, long) = (
            try Configuration(text: text, file: "f"), try Configuration(text: text + more, file: "f")
        )
        #expect(short == long && more.contains("level = 'application'"))
    }
}
