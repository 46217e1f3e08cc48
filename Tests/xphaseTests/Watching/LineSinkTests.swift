import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct LineSinkTests {
    private let pipe: Pipe

    init() throws { pipe = try Pipe() }

    private func sink(
        _ format: LineFormat = .json, levels: Set<Change.Level> = [.application], glob: String = "*",
        bound: Int = 32 << 20
    ) -> LineSink {
        var criteria = Criteria()
        criteria.application = [Pattern(glob)]
        return LineSink(
            format: format, filter: EventFilter(levels: levels, criteria: criteria, hidesInitial: false),
            descriptor: pipe.writing, bound: bound)
    }

    private func event(_ name: String) -> Event {
        .change(.sampleApplication.with { $0.application = name })
    }

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

    @Test func aReaderThatDoesNotReadHoldsNothingUpAndMissesNothing() throws {
        let sink = sink(bound: 1 << 20)
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

    @Test func whatWaitsIsBounded() throws {
        let sink = sink()
        let name = String(repeating: "\u{1}", count: 1 << 20)
        var count = 0
        while !sink.isFull {
            count += 1
            try sink.take([event(name)], at: .sample)
        }
        #expect(count < 20)
    }

    @Test func aDescriptorThatWouldBlockLeavesTheLineWaiting() throws {
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let sink = sink()
        for _ in 1...1000 { try sink.take([event("A")], at: .sample) }
        #expect(sink.hasBacklog)
        #expect(try numbers(sink) == Array(1...1000))
    }

    /// A notice for which a template has no place is no line either.
    @Test func onlyWhatPassesTheFilterCountsAsALine() throws {
        let events = Change.samples.map(Event.change) + [Event.notice(.sample)]
        #expect(sink().count(events) == 2)
        #expect(sink(levels: [.scene, .group, .application]).count(events) == 4)
        #expect(sink(glob: "mpv").count(events) == 1)
        #expect(sink(.template(try Template("{application} {to}"))).count(events) == 1)
        #expect(sink(.template(try Template("{application} {to} {text}"))).count(events) == 2)
    }
}
