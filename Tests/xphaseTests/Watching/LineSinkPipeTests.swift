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

    @Test func aFullDiskIsAnErrorWithItsNumber() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let sink = Self.sink(full)
        let error = try #require(throws: CommandFailure.self) {
            try sink.take([Self.event("A")], at: .sample)
        }
        #expect(
            error.exitCode == 74
                && error.messages == ["cannot write to standard output: No space left on device"])
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

    @Test func afterLinesWereGivenUpTheReaderKnowsTheTruth() throws {
        let pipe = try Pipe()
        let sink = Self.sink(pipe.writing, bound: 300)
        var backlog = Backlog()
        var tracked = TrackedDesktop()
        for number in 1...2000 {
            backlog.prepare(tracked.state, sink)
            let xid = UInt32(1 + number % 5)
            let events = number % 10 < 5 ? tracked.open(xid, "App\(xid)") : tracked.close(xid)
            try backlog.pass(events, at: .now(), to: sink)
        }
        backlog.prepare(tracked.state, sink)
        try backlog.pass(tracked.open(9, "Last"), at: .now(), to: sink)
        var text = ""
        while sink.hasBacklog {
            text += pipe.read()
            try sink.flush()
            try backlog.catchUp(sink, resync: tracked.resync)
        }
        text += pipe.read()
        let lines = try text.split(separator: "\n").map { try Line(String($0)) }
        #expect(lines.map(\.seq) == Array(1...lines.count))
        #expect(lines.contains { $0.notice == "resync" })
        var phases: [String: String] = [:]
        for line in lines where line.kind == "application" { phases[line.application ?? ""] = line.to }
        var now: [String: String] = [:]
        for case .change(let change) in tracked.resync(since: tracked.state).flatMap({ Array($0) })
        where change.level == .application {
            now[change.application] = change.to?.rawValue
        }
        #expect(phases == now)
        #expect(now["Last"] == "inactive")
    }
}
