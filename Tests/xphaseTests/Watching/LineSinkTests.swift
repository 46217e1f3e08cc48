import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

/// Lines for a reader that is slow. `StoppedReaderTests` has the notice for those that are given up.
@Suite struct LineSinkTests {
    private let pipe: Pipe

    init() throws { pipe = try Pipe() }

    private func sink(bound: Int = 65_536) -> LineSink {
        let filter = EventFilter(levels: [.application], criteria: Criteria(), hidesInitial: false)
        return LineSink(format: .json, filter: filter, descriptor: pipe.writing, bound: bound)
    }

    private func event(_ name: String) -> Event { .change(.sampleApplication.with { $0.application = name }) }

    /// Reads until nothing waits, and returns the numbers of the lines.
    private func numbers(_ sink: LineSink) throws -> [Int] {
        var bytes: [UInt8] = []
        while sink.hasBacklog {
            bytes += pipe.drain()
            try sink.flush()
        }
        bytes += pipe.drain()
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            try Line(String($0)).seq
        }
    }

    @Test(arguments: [false, true])
    func aReaderThatDoesNotReadHoldsNothingUpAndMissesNothing(wouldBlock: Bool) throws {
        if wouldBlock { _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK) }
        let sink = sink(bound: 2000)
        var count = 0
        while !sink.isFull {
            count += 1
            // Some lines are longer than a pipe accepts at once.
            let name = String(repeating: "é", count: count.isMultiple(of: 7) ? 5000 : 10)
            try sink.take([event(name), .change(.sampleScene)], at: .sample)
        }
        #expect(sink.hasBacklog)
        #expect(try numbers(sink) == Array(1...count))
        #expect(!sink.isFull)
        try sink.take([event("next"), .notice(.sample)], at: .sample)
        #expect(!sink.hasBacklog)
        #expect(try numbers(sink) == [count + 1, count + 2])
    }

    @Test func whatWaitsIsBoundedInBytesAsWell() throws {
        let sink = sink()
        var count = 0
        while !sink.isFull {
            count += 1
            try sink.take([event(String(repeating: "\u{1}", count: 1 << 20))], at: .sample)
        }
        #expect(count < 20)
    }
}
