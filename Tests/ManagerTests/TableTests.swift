import TestDesktop
import Testing

@Suite struct TableTests {
    @Test func thePageShowsTheTable() throws {
        let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let page = try Program.run("cat", [folder + "/README.md"]).output.joined(separator: "\n")
        #expect(page.contains(Manager.table), "It is to be:\n\(Manager.table)")
    }

    @Test func everyManagerHasANameOfItsOwn() {
        #expect(Set(Manager.all.map(\.name)).count == Manager.all.count)
    }

    @Test func noneHasAWayForWhatItCannotDo() {
        for manager in Manager.all {
            #expect(Set(manager.methods.keys).isDisjoint(with: manager.cannot.keys), "\(manager)")
        }
    }
}
