import Glibc
import TestDesktop
import Testing

@testable import System

@Suite struct LogTests {
    private let pipe: Pipe

    init() throws {
        pipe = try Pipe()
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    }

    /// Returns the lines that can be read without waiting.
    private func read(_ log: Log) -> [String] {
        var (bytes, part) = ([UInt8](), pipe.drain())
        while !part.isEmpty {
            bytes += part
            log.flush()
            part = pipe.drain()
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func whoeverDoesNotReadIsNotWaitedFor() {
        let log = Log(pipe.writing) { Array("\($0)\n".utf8) }
        let line = String(repeating: "x", count: 999)
        for _ in 1...10_000 { log.pass(line) }
        let lines = read(log)
        // The lines that the pipe holds and those that the log keeps for it.
        #expect(lines.count > 4000 && lines.count < 5000)
        #expect(lines.dropLast().allSatisfy { $0 == line })
        #expect(lines.last == "\(10_000 - lines.count + 1) more lines were lost, since nothing read them")
        log.say("again")
        #expect(read(log) == ["again"])
    }

    @Test func theEndTellsHowOftenALineCameAgain() {
        let log = Log(pipe.writing) { Array("\($0)\n".utf8) }
        for _ in 1...9 { log.say("x") }
        for _ in 1...9 { log.pass("y") }
        log.end()
        let (few, all) = (RecentLines.mostWritten, [String](repeating: "y", count: 9))
        #expect(read(log) == [String](repeating: "x", count: few) + all + ["x (\(9 - few) times more)"])
    }

    @Test func aReaderThatIsGoneIsNoMatter() {
        signal(SIGPIPE, SIG_IGN)
        let log = Log(pipe.writing) { Array("\($0)\n".utf8) }
        pipe.closeReading()
        for _ in 1...10 { log.say("x") }
        log.end()
    }
}
