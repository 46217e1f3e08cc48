import PhaseWatch

@testable import Console
@testable import Scenes
@testable import System

/// A sink whose reader reads only on request.
final class FakeSink: WatchMember {
    private let bound: Int
    private var waiting = 0
    private(set) var taken: [Event] = []
    /// The levels that are not counted as lines.
    var hidden: Set<Change.Level> = []

    /// - Parameter bound: The number of events that may wait.
    init(bound: Int = .max, output: Int32? = -1) {
        (self.bound, self.output) = (bound, output)
    }

    let output: Int32?
    var hasBacklog: Bool { waiting > 0 }
    var isFull: Bool { waiting >= bound }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        taken += events
        waiting += events.count
    }

    func count(_ events: [Event]) -> Int {
        events.count {
            guard case .change(let change) = $0 else { return true }
            return !hidden.contains(change.level)
        }
    }

    func flush() {
        waiting = 0
    }

    var notices: [Notice] {
        taken.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }
}

extension Backlog {
    mutating func prepare(_ state: SceneTable, _ sink: FakeSink) {
        prepare(state, isFull: sink.isFull)
    }

    /// Does what the loop does with the sink that has the output.
    mutating func pass(_ events: [Event], at time: Timestamp, to sink: some WatchMember) throws {
        if sink.output == nil || !drops(sink.count(events)) { try sink.take(events, at: time) }
    }

    /// Does what the loop does when the reader has read.
    mutating func catchUp(
        _ sink: FakeSink, resync: (SceneTable) -> [Event]
    ) throws {
        if sink.hasBacklog { return }
        try sink.take(catchUp(resync), at: .now())
    }
}
