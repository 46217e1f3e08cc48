import TestDesktop
import Testing

@Suite struct TableTests {
    /// The text of a file, named from this folder.
    private func text(of name: String) throws -> String {
        let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return try Program.run("cat", ["\(folder)/\(name)"]).output.joined(separator: "\n")
    }

    @Test func thePageShowsTheTable() throws {
        let page = try text(of: "README.md")
        #expect(page.contains(Manager.table), "It is to be:\n\(Manager.table)")
    }

    @Test func theTestsInstallEveryManager() throws {
        let words = try Set(text(of: "../../packaging/test").split { " ()\n".contains($0) }.map(String.init))
        #expect(Set(Manager.all.map(\.package)).subtracting(words) == [""])
    }

    @Test func everyManagerHasANameOfItsOwn() {
        #expect(Set(Manager.all.map(\.name)).count == Manager.all.count)
    }

    @Test func noManagerHasAWayForWhatItCannotDo() {
        for manager in Manager.all {
            #expect(Set(manager.methods.keys).isDisjoint(with: manager.cannot.keys), "\(manager)")
        }
    }
}
