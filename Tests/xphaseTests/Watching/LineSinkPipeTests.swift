import Glibc
import TestDesktop
import Testing

@testable import Console
@testable import PhaseWatch
@testable import Scenes
@testable import xphase

extension Pipe {
    /// Returns the current contents of the pipe.
    fileprivate func read() -> String { String(decoding: drain(), as: UTF8.self) }
}

@Suite struct LineSinkPipeTests {
    private static func sink(_ descriptor: Int32, bound: Int = 65_536) -> LineSink {
        LineSink(
            format: .json,
            filter: EventFilter(levels: [.application], criteria: Criteria(), hidesInitial: false),
            descriptor: descriptor, bound: bound)
    }

    private static func event(_ name: String) -> Event {
        .change(.sampleApplication.with { $0.application = name })
    }

    private static func numbers(_ text: String) throws -> [Int] {
        try text.split(separator: "\n").map { try Line(String($0)).seq }
    }

    @Test func linesArriveWholeInOrderAndNumbered() throws {
        let pipe = try Pipe()
        let sink = Self.sink(pipe.writing)
        try sink.take([Self.event("A"), .change(.sampleScene), Self.event("B")], at: .sample)
        try sink.take([.notice(.sample)], at: .sample)
        #expect(!sink.hasBacklog)
        #expect(try Self.numbers(pipe.read()) == [1, 2, 3])
    }

    @Test func aReaderThatDoesNotReadHoldsNothingUpAndMissesNothing() throws {
        let pipe = try Pipe()
        let sink = Self.sink(pipe.writing, bound: 2000)
        var count = 0
        while !sink.isFull {
            count += 1
            // Some lines are longer than a pipe accepts at once.
            let name = String(repeating: "é", count: count.isMultiple(of: 7) ? 5000 : 10)
            try sink.take([Self.event(name)], at: .sample)
        }
        #expect(sink.hasBacklog)
        var text = ""
        while sink.hasBacklog {
            text += pipe.read()
            try sink.flush()
        }
        text += pipe.read()
        #expect(try Self.numbers(text) == Array(1...count))
        #expect(!sink.isFull)
        try sink.take([Self.event("next")], at: .sample)
        #expect(try Self.numbers(pipe.read()) == [count + 1])
    }

    @Test func whatWaitsIsBoundedInBytesAsWell() throws {
        let pipe = try Pipe()
        let sink = Self.sink(pipe.writing)
        let name = String(repeating: "\u{1}", count: 1 << 20)
        var count = 0
        while !sink.isFull {
            count += 1
            try sink.take([Self.event(name)], at: .sample)
        }
        #expect(count < 20)
    }

    @Test func aDescriptorThatWouldBlockLeavesTheLineWaiting() throws {
        let pipe = try Pipe()
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let sink = Self.sink(pipe.writing)
        for _ in 1...1000 { try sink.take([Self.event("A")], at: .sample) }
        #expect(sink.hasBacklog)
        var text = ""
        while sink.hasBacklog {
            text += pipe.read()
            try sink.flush()
        }
        text += pipe.read()
        #expect(try Self.numbers(text) == Array(1...1000))
    }
}
