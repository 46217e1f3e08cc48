import Testing

@testable import Console
@testable import PhaseWatch
@testable import Scenes

@Suite struct BacklogTests {
    private var tracked = TrackedDesktop()
    private var backlog = Backlog()

    /// Does what the watcher does after a change.
    private mutating func pass(to sink: FakeSink, _ step: (inout TrackedDesktop) -> [Event]) throws {
        backlog.prepare(tracked.state, sink)
        try backlog.pass(step(&tracked), at: .now(), to: sink)
    }

    /// Does what the watcher does after the reader has read.
    private mutating func drain(_ sink: FakeSink) throws {
        sink.flush()
        try backlog.catchUp(sink, resync: tracked.resync)
    }

    /// Sinks that react to events get all of them, however slow the reader of the lines is.
    @Test mutating func onlyTheSinkWithTheOutputMissesEvents() throws {
        let (sink, other) = (FakeSink(bound: 3), FakeSink(bound: 3, output: nil))
        for step in 1...3 {
            backlog.prepare(tracked.state, sink)
            let events = tracked.open(UInt32(step), "A\(step)")
            for taker in [sink, other] { try backlog.pass(events, at: .now(), to: taker) }
        }
        #expect(sink.taken.count == 3)
        #expect(other.taken.count == 9)
    }

    @Test mutating func aNoticeReportsHowManyLinesWereGivenUpAndTheStateFollows() throws {
        let sink = FakeSink(bound: 3)
        try pass(to: sink) { $0.open(1, "A") }
        try pass(to: sink) { $0.focus(1) }
        try pass(to: sink) { $0.open(2, "B") }
        try drain(sink)
        let reported = sink.taken.dropFirst(3)
        guard case .notice(let notice) = reported.first else {
            Issue.record("there is no notice")
            return
        }
        #expect(notice.name == "resync")
        #expect(notice.text.contains("6 lines"))
        let changes = reported.dropFirst().compactMap {
            if case .change(let change) = $0 { change } else { nil }
        }
        #expect(changes.count == 6)
        #expect(changes.allSatisfy { $0.kind == .initial && $0.cause == .resync && $0.from == nil })
        #expect(PhasesInEvents(changes.map(Event.change)).phases == tracked.truth)
    }

    @Test mutating func onlyWhatWouldHaveBeenALineIsCounted() throws {
        let sink = FakeSink(bound: 3)
        sink.hidden = [.scene, .group]
        try pass(to: sink) { $0.open(1, "A") }
        try pass(to: sink) { $0.open(2, "B") }
        try pass(to: sink) { $0.focus(2) }
        try drain(sink)
        #expect(sink.notices.map { $0.text.contains("2 lines") } == [true])
    }
}
