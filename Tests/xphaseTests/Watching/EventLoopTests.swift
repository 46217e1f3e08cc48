import Glibc
import TestDesktop
import Testing

@testable import PhaseWatch
@testable import System

@Suite struct EventLoopTests {
    /// Only its descriptors are used.
    private let pipe: Pipe

    init() throws { pipe = try Pipe() }

    /// Returns what the loop reports when at the latest its timer is due.
    private func wake(_ loop: EventLoop) throws -> EventLoop.Wake {
        loop.setTimer(.nanoseconds(1))
        return try loop.wait()
    }

    /// In a storm, the queue of Xlib always has further events.
    @Test func aSignalAndTheTimerComeBeforeEventsThatNeverEnd() throws {
        let loop = try EventLoop(display: -1, output: nil)
        // Sent only to this thread, in which the loop has blocked the signals.
        pthread_kill(pthread_self(), SIGTERM)
        loop.setTimer(.nanoseconds(1))
        for wake in [EventLoop.Wake.signal(SIGTERM), .timer, .display] {
            #expect(try loop.wait(hasQueuedEvents: true) == wake)
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// The realtime clock is set by hand, by NTP, and when the machine resumes.
    @Test func aClockThatWasSetIsAResumeOnlyAfterASleep() throws {
        var asleep = Duration.seconds(100)
        let clock = try Descriptor("dup", dup(pipe.reading))
        let loop = try EventLoop(display: -1, output: nil, signals: [], sleep: SleepWatch(clock) { asleep })
        for (slept, wakes) in [
            (Duration.zero, [.timer]), (.milliseconds(900), [.timer, .timer]),
            (.seconds(3600), [.timer, .resumed, .timer]),
        ] as [(Duration, [EventLoop.Wake])] {
            asleep += slept
            try #require(write(pipe.writing, "8 bytes.", 8) == 8)
            for expected in wakes { #expect(try wake(loop) == expected) }
        }
    }
}
