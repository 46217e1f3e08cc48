import Testing

@testable import Console
@testable import PhaseWatch
@testable import Scenes
@testable import System

/// Contract, section 3: whatever was dropped, the last line about any subject is true.
@Suite struct BacklogTests {
    private static let steps: [@Sendable (inout TrackedDesktop) -> [Event]] = [
        { $0.open(1, "A") }, { $0.focus(1) }, { $0.open(2, "A", "other") }, { $0.open(3, "B") },
        { $0.focus(3) }, { $0.iconify(1) }, { $0.close(2) }, { $0.rename(1, "C") }, { $0.open(4, "D") },
        { $0.focus(4) }, { $0.close(4) }, { $0.close(3) }, { $0.open(3, "B") }, { $0.focus(3) },
        { $0.rename(3, "A") }, { $0.close(1) }, { $0.open(5, "D") }, { $0.focus(5) }, { $0.close(5) },
        { $0.open(6, "E") }, { $0.iconify(6) }, { $0.close(3) },
    ]

    private var tracked = TrackedDesktop()
    private var backlog = Backlog()
    /// The number of events that may wait for the reader.
    private var bound = 1
    private var waiting = 0
    /// The events that the reader gets.
    private var taken: [Event] = []

    /// Does what the watch does after a change.
    private mutating func pass(_ step: (inout TrackedDesktop) -> [Event]) {
        backlog.prepare(tracked.state, isFull: waiting >= bound)
        let events = step(&tracked)
        if !backlog.drops(events.count) { take(events) }
    }

    /// Does what the watch does after the reader has read.
    private mutating func read() {
        waiting = 0
        take(backlog.catchUp(tracked.resync))
    }

    private mutating func take(_ events: [Event]) {
        taken += events
        waiting += events.count
    }

    private var notices: [Notice] {
        taken.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }

    /// The reader reads only before every `pause`th step and at the end.
    @Test(arguments: [1, 4, 7, 12, 20, 33, .max], [1, 2, 3, 5, 8, 13, 100])
    mutating func whoHasReadAllLinesKnowsTheTruth(bound: Int, pause: Int) {
        self.bound = bound
        for (index, step) in Self.steps.enumerated() {
            if index % pause == 0 { read() }
            pass(step)
        }
        read()
        #expect(!tracked.truth.isEmpty)
        #expect(PhasesInEvents(taken).phases == tracked.truth)
        #expect(notices.allSatisfy { $0.name == "resync" })
        if bound == 1 && pause > 1 { #expect(!notices.isEmpty) }
        if bound == .max { #expect(notices.isEmpty && PhasesInEvents(taken).gaps.isEmpty) }
    }

    @Test mutating func aNoticeReportsHowManyLinesWereGivenUpAndTheStateFollows() {
        bound = 3
        pass { $0.open(1, "A") }
        pass { $0.focus(1) }
        pass { $0.open(2, "B") }
        read()
        #expect(notices.map { $0.text.contains("6 lines") } == [true])
        guard case .notice = taken.dropFirst(3).first else {
            Issue.record("the notice is not the first event")
            return
        }
        let changes = taken.dropFirst(4).compactMap {
            if case .change(let change) = $0 { change } else { nil }
        }
        #expect(changes.count == 6)
        #expect(changes.allSatisfy { $0.kind == .initial && $0.cause == .resync && $0.from == nil })
        #expect(PhasesInEvents(changes.map(Event.change)).phases == tracked.truth)
    }

    /// Contract, section 1: an application that loses its last scene first enters background.
    @Test mutating func anApplicationThatEndedUnseenGoesToTheBackgroundBeforeItIsClosed() {
        pass { $0.open(1, "A") }
        read()
        pass { $0.focus(1) }
        pass { $0.close(1) }
        read()
        let steps = taken.compactMap { event -> String? in
            guard case .change(let change) = event, change.level == .application else { return nil }
            return "\(change.from?.rawValue ?? "") → \(change.to?.rawValue ?? "")"
        }
        #expect(steps == [" → inactive", "inactive → active", "active → background", "background → "])
    }
}
