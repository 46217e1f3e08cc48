import Glibc
import System
import TestDesktop
import Testing

@testable import Service

@Suite struct ProcessReadingsTests {
    private let buses: Buses
    private let readings: ProcessReadings
    /// Two processes, of which the first does not answer before the pipe is written to.
    private let processes = [1, 2].map { ProcessIdentity(pid: $0, startTicks: 1) }
    private let pipe: Pipe

    init() throws {
        buses = Buses(try EventLoop(display: -1, output: nil, signals: []))
        readings = ProcessReadings(buses)
        pipe = try Pipe()
    }

    /// Returns the numbers of the processes that answer.
    private func read(_ processes: [ProcessIdentity], within limit: Duration) -> [Int32]? {
        var numbers: [Int32]?
        let end = pipe.reading
        readings.read(Set(processes), within: limit) { process in
            var byte = UInt8(0)
            if process.pid == 1 { _ = Glibc.read(end, &byte, 1) }
            return process.pid
        } then: {
            numbers = $0.values.sorted()
        }
        _ = waitUntil {
            buses.expire(at: Clock.now())
            return numbers != nil
        }
        return numbers
    }

    @Test func aProcessThatDoesNotAnswerIsNotReadAgainUntilItHasAnswered() throws {
        #expect(read([processes[0]], within: .milliseconds(20)) == [])
        // No further thread waits for it, and the other one is read nevertheless.
        #expect(read([processes[0]], within: .seconds(100)) == [])
        #expect(read(processes, within: .seconds(100)) == [2])
        for _ in 1...2 { try #require(write(pipe.writing, "\n", 1) == 1) }
        #expect(waitUntil { read(processes, within: .seconds(100)) == [1, 2] })
    }
}
