import System
import Testing

@Suite struct OpenFilesLimitTests {
    /// Each opens what it looks for.
    @Test func manyRoomsAtOnceLookForAFewTimesTheirFiles() {
        var looked: [Int] = []
        let limit = OpenFilesLimit { count in
            looked.append(count)
            return true
        }
        for _ in 1...2 {
            let rooms = (1...100).map { _ in limit.room(for: 16) }
            #expect(looked.max() ?? 0 >= 1600 && looked.reduce(0, +) <= 4 * 1600)
            withExtendedLifetime(rooms) {}
            looked = []
        }
        // What was free may be in use by now.
        let room = limit.room(for: 16)
        #expect(looked == [16])
        withExtendedLifetime(room) {}
    }
}
