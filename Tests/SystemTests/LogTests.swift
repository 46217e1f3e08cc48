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

    @Test func aReaderOfTheLogThatDoesNotReadIsNotWaitedFor() {
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

    /// A log that is a file, in a loop.
    private struct FileLog {
        let folder: TemporaryFolder
        let loop: EventLoop
        let log: Log
        private let file: Descriptor

        /// - Parameter access: O_WRONLY, or O_RDONLY for a file that takes no line.
        init(_ access: Int32) throws {
            folder = try TemporaryFolder()
            file = try Descriptor("open", open(folder("log"), access | O_CREAT | O_CLOEXEC, 0o600))
            log = Log(file.number) { Array("\($0)\n".utf8) }
            loop = try EventLoop(display: -1, output: nil, signals: [])
            log.join(loop)
        }
    }

    /// Its disk may not answer.
    @Test func aLoopWritesToAFileOnAThread() throws {
        let file = try FileLog(O_WRONLY)
        let (folder, log) = (file.folder, file.log)
        for number in 1...3 { log.pass("\(number)") }
        // The first answer submits the rest.
        for _ in 1...2 { #expect(try file.loop.wait() == .ready) }
        #expect(try folder.text(of: "log") == "1\n2\n3\n")
        for number in 4...6 { log.pass("\(number)") }
        log.end()
        #expect(try folder.text(of: "log") == "1\n2\n3\n4\n5\n6\n")
    }

    @Test func aLastLineThatCannotBeWrittenToAFileIsAFailure() throws {
        let file = try FileLog(O_RDONLY)
        file.log.pass("last")
        file.log.end()
        #expect(file.log.failure == EBADF)
    }

    @Test func aReaderThatIsGoneIsNoFailureOfTheLog() {
        signal(SIGPIPE, SIG_IGN)
        let log = Log(pipe.writing) { Array("\($0)\n".utf8) }
        pipe.closeReading()
        for _ in 1...10 { log.say("x") }
        log.end()
        #expect(log.failure == nil)
    }
}

@Suite struct RecentLinesTests {
    private static let few = RecentLines.mostWritten

    /// The first few, then one each second.
    @Test func aLineInALoopIsCounted() {
        var lines = RecentLines()
        let written = (0..<3000).flatMap { lines.add("a", at: .milliseconds($0)) }
        let first = "a (\(1000 - Self.few + 1) times more)"
        #expect(written == [String](repeating: "a", count: Self.few) + [first, "a (1000 times more)"])
        #expect(lines.end() == ["a (999 times more)"])
        #expect(lines.end().isEmpty)
    }

    @Test func theCountComesWithTheNextLine() {
        var lines = RecentLines()
        for _ in 0..<Self.few { #expect(lines.add("a", at: .zero) == ["a"]) }
        #expect(lines.add("a", at: .milliseconds(500)).isEmpty)
        // There may be more in this second.
        #expect(lines.add("b", at: .milliseconds(999)) == ["b"])
        #expect(lines.add("c", at: .seconds(1)) == ["a (once more)", "c"])
        #expect(lines.add("a", at: .seconds(1)) == ["a"])
    }

    @Test func aLineThatComesSlowlyIsAlwaysWritten() {
        var lines = RecentLines()
        for number in 0..<10 { #expect(lines.add("a", at: .seconds(number)) == ["a"]) }
        #expect(lines.end().isEmpty)
    }

    @Test func linesThatAlternateAreCounted() {
        var lines = RecentLines()
        let written = (0..<100).flatMap { lines.add($0 % 2 == 0 ? "a" : "b", at: .milliseconds($0)) }
        #expect(written == (0..<Self.few).flatMap { _ in ["a", "b"] })
        #expect(lines.end() == ["a", "b"].map { "\($0) (\(50 - Self.few) times more)" })
    }

    @Test func manyDifferentLinesAreNotKept() {
        var lines = RecentLines()
        for number in 0..<1000 {
            #expect(lines.add("\(number)", at: .zero) == ["\(number)"])
            #expect(lines.count <= RecentLines.mostLines)
        }
    }
}
