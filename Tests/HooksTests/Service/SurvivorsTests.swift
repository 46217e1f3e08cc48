import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

/// The processes of applications without windows.
@Suite struct SurvivorsTests {
    private static func step(_ kind: Change.Kind, _ subject: Change.Subject) -> Change {
        var change = Change.step(
            "A", from: kind == .closed ? .background : nil, to: kind == .closed ? nil : .active)
        change.subject = subject
        return change
    }

    @Test func closedLastsUntilTheLastOfSeveralProcessesHasEnded() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let survivors = Survivors(loop)
        var reported: [HookTrigger] = []
        survivors.report = { reported.append($0) }
        let processes = try (0..<2).map { _ in try Child("sleep", ["60"], package: "coreutils") }
        let seen = FirstSeen()
        for (number, process) in processes.enumerated() {
            let window = Change.Subject.scene(.init(id: WindowID(UInt32(number) + 1), pid: process.pid))
            for kind in [Change.Kind.opened, .closed] { seen.record(Self.step(kind, window)) }
        }
        let members = Change.Members(counts: .init(), pids: processes.map(\.pid), groups: [])
        let closed = HookTrigger(change: Self.step(.closed, .application(members)), time: .zero)
        #expect(!survivors.follow(closed, [.pair("slow")], seen).isSurvived)
        #expect(survivors.follow(closed, [Hook.pair("slow").closed], seen).isSurvived)
        for (process, count) in zip(processes, [0, 1]) {
            try process.end(SIGKILL)
            #expect(try loop.wait() == .ready)
            #expect(reported.count == count)
        }
        #expect(reported.first?.isSurvived == false)
    }
}
