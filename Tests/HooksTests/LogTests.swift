import Glibc
import TestDesktop
import Testing

@testable import Hooks

@Suite struct LogTests {
    private let ends: (read: Int32, write: Int32)

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure("no pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.ends = (ends[0], ends[1])
    }

    /// All that can be read now.
    private func read(_ log: Log) -> [String] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(ends.read, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
            log.flush()
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func whoeverDoesNotReadIsNotWaitedFor() {
        let log = Log(ends.write) { Array("\($0)\n".utf8) }
        let line = String(repeating: "x", count: 999)
        for _ in 1...10_000 { log.say(line) }
        let lines = read(log)
        // What a pipe holds and what waits.
        #expect(lines.count > 4000 && lines.count < 5000)
        #expect(lines.dropLast().allSatisfy { $0 == line })
        #expect(lines.last == "\(10_000 - lines.count + 1) lines more were lost: nobody read them")
        log.say("again")
        #expect(read(log) == ["again"])
        close(ends.read)
        close(ends.write)
    }

    @Test func aReaderThatIsGoneIsNoMatter() {
        signal(SIGPIPE, SIG_IGN)
        let log = Log(ends.write) { Array("\($0)\n".utf8) }
        close(ends.read)
        for _ in 1...10 { log.say("x") }
        log.end()
        close(ends.write)
    }
}
