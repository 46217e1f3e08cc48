import Glibc
import TestDesktop
import Testing

@testable import PhaseWatch
@testable import System

@Suite struct EventLoopTests {
    /// In a storm, the queue of Xlib always has further events.
    @Test func aSignalAndTheTimerComeBeforeEventsThatNeverEnd() throws {
        let loop = try EventLoop(display: -1, output: nil)
        defer { Self.unblockSignals() }
        // Sent only to this thread, in which the loop has blocked the signal.
        pthread_kill(pthread_self(), SIGTERM)
        loop.setTimer(.nanoseconds(1))
        for wake in [EventLoop.Wake.signal(SIGTERM), .timer, .display] {
            #expect(try loop.wait(hasQueuedEvents: true) == wake)
        }
    }

    @Test func whatOthersWatchComesUntilItIsForgotten() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let pipe = try Pipe()
        // Only the descriptors of the pipe are used.
        defer { withExtendedLifetime(pipe) {} }
        // The second entry replaces the first one.
        var calls: [Int] = []
        for call in 1...2 { loop.watch(pipe.reading) { calls.append(call) } }
        try #require(write(pipe.writing, "x", 1) == 1)
        #expect(try loop.wait() == .ready && calls == [2])
        // Nothing is left of the first watch.
        loop.setEvents(POLLOUT, of: pipe.reading)
        loop.setTimer(.nanoseconds(1))
        #expect(try loop.wait() == .timer)
        loop.setEvents(POLLIN, of: pipe.reading)
        #expect(try loop.wait() == .ready && calls == [2, 2])
        // A handler may forget its own descriptor.
        loop.watch(pipe.reading) { loop.forget(pipe.reading) }
        #expect(try loop.wait() == .ready)
        loop.setTimer(.nanoseconds(1))
        #expect(try loop.wait() == .timer)
    }

    /// The realtime clock is set by hand, by NTP, and when the machine resumes.
    @Test func aClockThatWasSetIsAResumeOnlyAfterASleep() throws {
        let pipe = try Pipe()
        // Only the descriptors of the pipe are used.
        defer { withExtendedLifetime(pipe) {} }
        var asleep = Duration.seconds(100)
        let clock = try Descriptor("dup", dup(pipe.reading))
        let loop = try EventLoop(
            display: -1, output: nil, signals: [], sleep: SleepWatch(clock) { asleep })
        func setClock() throws {
            try #require(write(pipe.writing, "8 bytes.", 8) == 8)
            loop.setTimer(.nanoseconds(1))
            #expect(try loop.wait() == .timer)
        }
        try setClock()
        asleep += .milliseconds(900)
        try setClock()
        loop.setTimer(.nanoseconds(1))
        #expect(try loop.wait() == .timer)
        asleep += .seconds(3600)
        try setClock()
        #expect(try loop.wait() == .resumed)
        loop.setTimer(.nanoseconds(1))
        #expect(try loop.wait() == .timer)
    }

    private static func unblockSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
