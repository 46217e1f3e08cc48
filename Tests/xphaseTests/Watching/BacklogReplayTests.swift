import Testing

@testable import Console
@testable import PhaseWatch
@testable import Scenes

/// Contract, section 3: whatever was dropped, the last line about any subject is true.
@Suite struct BacklogReplayTests {
    private static let steps: [@Sendable (inout TrackedDesktop) -> [Event]] = [
        { $0.open(1, "A") }, { $0.focus(1) }, { $0.open(2, "A", "other") }, { $0.open(3, "B") },
        { $0.focus(3) }, { $0.iconify(1) }, { $0.close(2) }, { $0.rename(1, "C") }, { $0.open(4, "D") },
        { $0.focus(4) }, { $0.close(4) }, { $0.close(3) }, { $0.open(3, "B") }, { $0.focus(3) },
        { $0.rename(3, "A") }, { $0.close(1) }, { $0.open(5, "D") }, { $0.focus(5) }, { $0.close(5) },
        { $0.open(6, "E") }, { $0.iconify(6) }, { $0.close(3) },
    ]

    /// Performs all steps. The reader reads only before every `pause`th step and at the end.
    private static func run(bound: Int, pause: Int) throws -> (sink: FakeSink, tracked: TrackedDesktop) {
        var tracked = TrackedDesktop()
        var backlog = Backlog()
        let sink = FakeSink(bound: bound)
        for (index, step) in steps.enumerated() {
            if index % pause == 0 {
                sink.flush()
                try backlog.catchUp(sink, resync: tracked.resync)
            }
            backlog.prepare(tracked.state, sink)
            try backlog.pass(step(&tracked), at: .now(), to: sink)
        }
        sink.flush()
        try backlog.catchUp(sink, resync: tracked.resync)
        return (sink, tracked)
    }

    @Test(arguments: [1, 4, 7, 12, 20, 33], [2, 3, 5, 8, 13, 100])
    func whoHasReadAllLinesKnowsTheTruth(bound: Int, pause: Int) throws {
        let (sink, tracked) = try Self.run(bound: bound, pause: pause)
        #expect(!tracked.truth.isEmpty)
        #expect(PhasesInEvents(sink.taken).phases == tracked.truth)
    }

    @Test(arguments: [2, 3, 5, 8, 13, 100])
    func aSlowReaderGetsANoticeOfLostLines(pause: Int) throws {
        let (sink, _) = try Self.run(bound: 1, pause: pause)
        #expect(!sink.notices.isEmpty)
        #expect(sink.notices.allSatisfy { $0.name == "resync" })
    }

    @Test func aReaderThatKeepsUpGetsNoResync() throws {
        let (sink, tracked) = try Self.run(bound: .max, pause: 1)
        #expect(sink.notices.isEmpty)
        #expect(PhasesInEvents(sink.taken).phases == tracked.truth)
        #expect(PhasesInEvents(sink.taken).gaps.isEmpty)
    }

    /// Contract, section 1: an application that loses its last scene first enters background.
    @Test func anApplicationThatEndedUnseenGoesToTheBackgroundBeforeItIsClosed() throws {
        var tracked = TrackedDesktop()
        var backlog = Backlog()
        let sink = FakeSink(bound: 1)
        try backlog.pass(tracked.open(1, "A"), at: .now(), to: sink)
        sink.flush()
        backlog.prepare(tracked.state, sink)
        try backlog.pass(tracked.focus(1), at: .now(), to: sink)
        backlog.prepare(tracked.state, sink)
        try backlog.pass(tracked.close(1), at: .now(), to: sink)
        sink.flush()
        try backlog.catchUp(sink, resync: tracked.resync)
        let steps = sink.taken.compactMap { event -> String? in
            guard case .change(let change) = event, change.level == .application else { return nil }
            return "\(change.from?.rawValue ?? "") → \(change.to?.rawValue ?? "")"
        }
        #expect(steps == [" → inactive", "inactive → active", "active → background", "background → "])
    }
}
