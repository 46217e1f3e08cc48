import PhaseWatch
import Testing

@testable import Console
@testable import Scenes

/// The lines that are given up. `ResyncTests` has what follows them, and `StoppedReader` that it is true.
@Suite struct BacklogTests {
    private var backlog = Backlog()

    /// Does what the watch does with events that would be so many lines, and returns whether they are given up.
    ///
    /// - Parameter cap: The greatest phase of the state, which tells it from other states.
    private mutating func drops(_ count: Int, isFull: Bool = false, at cap: ScenePhase = .active) -> Bool {
        var state = SceneTable()
        state.cap = cap
        backlog.prepare(state, isFull: isFull)
        return backlog.drops(count)
    }

    @Test mutating func aNoticeReportsHowManyLinesWereGivenUpAndTheStateSinceTheLastLineFollows() {
        // The reader gets room again, but has not read everything yet.
        let dropped = [
            drops(1), drops(2, isFull: true, at: .inactive), drops(4, isFull: true, at: .background),
            drops(3),
        ]
        #expect(dropped == [false, true, true, true])
        var known: [ScenePhase] = []
        let events = backlog.catchUp { state in
            known.append(state.cap)
            return [.change(.bareScene)]
        }
        #expect(known == [.inactive])
        guard case .notice(let notice) = events.first, case .change = events.last, events.count == 2 else {
            Issue.record("no notice before the state, but \(events)")
            return
        }
        #expect(notice.name == "resync" && notice.text.hasPrefix("9 lines were dropped"))
        let isDropped = drops(1)
        #expect(!isDropped)
    }

    @Test(arguments: [false, true]) mutating func withoutALostLineNothingIsReported(isFull: Bool) {
        let dropped = [
            drops(0, isFull: isFull), !backlog.catchUp { _ in [.change(.bareScene)] }.isEmpty, drops(1),
        ]
        #expect(dropped == [isFull, false, false])
    }
}
