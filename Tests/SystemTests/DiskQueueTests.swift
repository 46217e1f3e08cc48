import Glibc
import TestDesktop
import Testing

@testable import System

/// The event loop does not wait for disk operations.
@Suite struct DiskQueueTests {
    private func awaitAnswer(_ descriptor: Int32) throws {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&request, 1, 20_000) == 1)
    }

    @Test func answersComeInTheOrderOfTheOperations() throws {
        let thread = try DiskQueue<Int>()
        #expect(!thread.isBusy && thread.takeAnswers().isEmpty)
        for number in 1...100 { thread.submit { number } }
        var answers: [Int] = []
        while thread.isBusy {
            try awaitAnswer(thread.answers.number)
            answers += thread.takeAnswers()
        }
        #expect(answers == Array(1...100))
    }

    @Test func anOperationWithoutAnAnswerWakesNobody() throws {
        let thread = try DiskQueue<Int>()
        thread.submit { nil }
        thread.submit { 1 }
        try awaitAnswer(thread.answers.number)
        #expect(thread.takeAnswers() == [1] && !thread.isBusy)
    }

    @Test func threadsThatHangAreBounded() throws {
        let (threads, (reading, writing)) = (SeparateThreads(), try Descriptor.pipe())
        _ = fcntl(reading.number, F_SETFL, 0)
        func hang() throws {
            try threads.run {
                var byte: UInt8 = 0
                read(reading.number, &byte, 1)
            }
        }
        for _ in 1...64 { try hang() }
        #expect(throws: SystemError.noAnswer) { try hang() }
        write(writing.number, [0], 1)
        #expect(waitUntil { (try? hang()) != nil })
        // Ends them.
        write(writing.number, [UInt8](repeating: 0, count: 64), 64)
    }

    @Test func theLastCallWaitsForAllThatWasSubmitted() throws {
        let thread = try DiskQueue<Int>()
        let folder = try TemporaryFolder()
        let path = folder("written")
        thread.submit {
            usleep(100_000)
            close(open(path, O_CREAT, 0o600))
            return nil
        }
        thread.finish(within: .seconds(20))
        #expect(access(path, F_OK) == 0)
    }
}
