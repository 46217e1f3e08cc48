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
}
