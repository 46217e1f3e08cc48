import Testing

@Suite struct TableTests {
    @Test func everyManagerHasARowOfItsOwn() {
        let rows = Manager.table.split(separator: "\n")
        #expect(rows.count == Manager.everyOne.count + 2)
        #expect(Set(rows).count == rows.count)
        #expect(rows.allSatisfy { $0.count { $0 == "|" } == 6 })
        print(Manager.table)
    }

    @Test func noneHasAWayForWhatItCannotDo() {
        for manager in Manager.everyOne {
            #expect(Set(manager.ways.keys).isDisjoint(with: manager.cannot.keys), "\(manager)")
        }
    }
}
