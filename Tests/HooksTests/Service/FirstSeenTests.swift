import Glibc
import PhaseWatch
import System
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

@Suite struct FirstSeenTests {
    private var seen = FirstSeen()

    private func change(_ window: UInt32, isClosed: Bool = false) -> Change {
        let facts = Change.SceneFacts(id: WindowID(window), pid: getpid())
        return Change(
            kind: isClosed ? .closed : .opened, application: "A", group: "a", subject: .scene(facts),
            from: isClosed ? .active : nil, to: isClosed ? nil : .active, cause: isClosed ? .close : .open)
    }

    @Test mutating func aClosedWindowIsForgottenWhenManyCloseAfterIt() {
        seen.record(change(1))
        seen.record(change(1, isClosed: true))
        #expect(seen.processes(of: change(1)).pids == [getpid()])
        for window in 2...1026 { seen.record(change(UInt32(window), isClosed: true)) }
        seen.record(change(1026))
        #expect(seen.processes(of: change(1026)).pids == [getpid()])
    }

    @Test mutating func aWindowThatIsOpenAgainIsNotForgottenHoweverManyClose() {
        let start = Clock.sinceBoot() - .seconds(3600)
        // These windows predate this process, so they cannot belong to it.
        for window in UInt32(2)...2000 { seen.record(change(window), at: start) }
        seen.record(change(1))
        seen.record(change(1, isClosed: true))
        seen.record(change(1))
        for window in UInt32(2)...2000 { seen.record(change(window, isClosed: true), at: start) }
        #expect(seen.processes(of: change(1)).pids == [getpid()])
    }
}
