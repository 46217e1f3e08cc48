import Glibc
import TestDesktop
import Testing

@testable import PhaseWatch
@testable import System

struct EventLoopTests {
    /// The realtime clock is set by hand, by NTP, and when the machine resumes.
    @Test func aClockThatWasSetIsAResumeOnlyAfterASleep() throws {
        let pipe = try Pipe()
        // Only the descriptors of the pipe are used.
        defer { withExtendedLifetime(pipe) {} }
        var asleep = Duration.seconds(100)
        let clock = try Descriptor("dup", dup(pipe.reading))
        let loop = try EventLoop(
            display: -1, output: nil, signals: [], sleep: SleepWatch(clock) { asleep })
        for (slept, wakes) in [
            (Duration.zero, [.timer]), (.milliseconds(900), [.timer, .timer]),
            (.seconds(3600), [.timer, .resumed, .timer]),
        ] as [(Duration, [EventLoop.Wake])] {
            asleep += slept
            try #require(write(pipe.writing, "8 bytes.", 8) == 8)
            for wake in wakes {
                loop.setTimer(.nanoseconds(1))
                #expect(try loop.wait() == wake)
            }
        }
    }

    /// Each of the programs that call all the time has its turn, and so has the display.
    @Test func handlersThatAreAlwaysReadyDoNotHoldUpTheDisplay() throws {
        let pipes = try (0...50).map { _ in try Pipe() }
        defer { withExtendedLifetime(pipes) {} }
        for pipe in pipes { try #require(write(pipe.writing, "x", 1) == 1) }
        let loop = try EventLoop(display: pipes[0].reading, output: nil, signals: [])
        var calls = [Int](repeating: 0, count: pipes.count)
        for (index, pipe) in pipes.enumerated().dropFirst() {
            loop.watch(pipe.reading) {
                calls[index] += 1
                usleep(2000)
            }
        }
        var handled = 0
        for _ in 1...30 {
            let count = calls.reduce(0, +)
            while try loop.wait() != .display {}
            handled = max(handled, calls.reduce(0, +) - count)
        }
        #expect(handled <= 7)
        #expect(calls.dropFirst().allSatisfy { $0 > 0 } && calls.dropFirst().max() ?? 0 <= 5)
    }
}
