import Glibc
import Loop
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct FirstSeenTests {
    private var seen = Sightings()

    private func change(_ window: UInt32, isClosed: Bool = false) -> Change {
        let facts = Change.SceneFacts(id: WindowID(window), pid: getpid())
        return Change(
            kind: isClosed ? .closed : .opened, application: "A", group: "a", subject: .scene(facts),
            from: isClosed ? .active : nil, to: isClosed ? nil : .active, cause: isClosed ? .close : .open)
    }

    @Test mutating func aClosedWindowIsForgottenWhenManyCloseAfterIt() {
        seen.note(change(1))
        seen.note(change(1, isClosed: true))
        #expect(seen.processes(of: change(1)).pids == [getpid()])
        for window in 2...1026 { seen.note(change(UInt32(window), isClosed: true)) }
        seen.note(change(1026))
        #expect(seen.processes(of: change(1026)).pids == [getpid()])
    }

    @Test mutating func aWindowThatIsOpenAgainIsNotForgottenHoweverManyClose() {
        let start = Clock.sinceBoot() - .seconds(3600)
        // Before this process: a window that names it then is not believed.
        for window in UInt32(2)...2000 { seen.note(change(window), at: start) }
        seen.note(change(1))
        seen.note(change(1, isClosed: true))
        seen.note(change(1))
        for window in UInt32(2)...2000 { seen.note(change(window, isClosed: true), at: start) }
        #expect(seen.processes(of: change(1)).pids == [getpid()])
    }
}
