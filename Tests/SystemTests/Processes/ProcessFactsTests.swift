import Glibc
import TestDesktop
import Testing

@testable import System

@Suite struct ProcessFactsTests {
    private func sleeper() throws -> Program {
        try Program("sleep", ["60"], package: "coreutils")
    }

    @Test func aProcessIsKnownByItsStart() throws {
        let before = Clock.sinceBoot()
        let sleeper = try sleeper()
        let after = Clock.sinceBoot()
        let identity = try #require(ProcessIdentity(pid: sleeper.pid))
        #expect(identity.pid == sleeper.pid && identity.isAlive)
        #expect(identity.started > before - .milliseconds(10) && identity.started <= after)
        var other = identity
        other.startTicks += 1
        #expect(!other.isAlive)
        try sleeper.end()
        #expect(!identity.isAlive)
    }

    @Test(arguments: [0, -1, .min, .max] as [Int32])
    func whatIsNoProcessIsNil(pid: Int32) {
        #expect(ProcessIdentity(pid: pid) == nil)
        #expect(ProcessFacts(pid: pid) == nil)
    }

    /// Hooks see the processes of the user that are older than the window, also those of the same tick.
    @Test func itIsVisibleToItsUserOnceItHasStarted() throws {
        for _ in 0..<20 {
            let sleeper = try sleeper()
            let seen = Clock.sinceBoot()
            let facts = try #require(ProcessFacts(pid: sleeper.pid))
            #expect(facts.isVisible(windowSeen: seen))
            #expect(!facts.isVisible(windowSeen: seen, user: getuid() + 1))
            #expect(!facts.isVisible(windowSeen: facts.identity.started - .nanoseconds(1)))
            try sleeper.end()
        }
    }

    @Test func ticksAreCountedInSeconds() {
        let ticks = UInt64(sysconf(Int32(_SC_CLK_TCK)))
        #expect(ProcessIdentity(pid: 1, startTicks: 0).started == .zero)
        #expect(ProcessIdentity(pid: 1, startTicks: ticks * 3 + ticks / 2).started == .milliseconds(3500))
        #expect(ProcessIdentity(pid: 1, startTicks: .max).started > .seconds(1_000_000_000))
    }

    @Test func whatVanishesWhileItIsReadIsNil() throws {
        let sleeper = try sleeper()
        let folder = try #require(ProcessFolder(pid: sleeper.pid))
        #expect(folder.text("stat") != nil)
        try sleeper.end()
        #expect(folder.row == nil && folder.text("status") == nil)
    }
}
