import Console
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// The resources that a program does not use while it is held.
@Suite struct SavingsTests {
    private let busy: TestDesktop.Program
    private let processes: Set<Int32>

    /// Starts a program that alternates between computing and sleeping.
    init() throws {
        busy = try Program(
            "sh", ["-c", "while :; do sleep 0.01; for i in 1 2 3 4 5 6 7 8 9; do :; done; done"])
        processes = [busy.pid]
    }

    private func seconds(_ time: Duration) -> Double { Double(time.milliseconds) / 1000 }

    private func waits(_ time: Duration, since start: Duration) -> Bool {
        waitUntil { Clock.now() - start >= time }
    }

    @Test func timeHeldTimesTheRateBeforeIsSaved() throws {
        var savings = Savings()
        let begin = Clock.now()
        savings.measure("A", processes)
        let first = ProcessUse(of: processes)
        #expect(waits(.milliseconds(2100), since: begin))
        let rate = ProcessUse(of: processes).rate(since: first)
        #expect(rate.wakeUps > 1)
        busy.send(SIGSTOP)
        savings.follow(["A": [.stopped([])]]) { _ in processes }
        let held = Clock.now()
        #expect(waits(.milliseconds(1500), since: held))
        let present = try #require(savings.present(of: "A", processes: processes))
        savings.add(memory: 5 << 20, of: "A")
        savings.follow([:]) { _ in processes }
        busy.send(SIGCONT)
        let all = savings.take()
        let saving = try #require(all.first)
        #expect(all.count == 1 && saving.application == "A" && saving.reactions == ["freeze"])
        #expect(saving.memory == 5 << 20)
        #expect(saving.held >= present.held && present.held >= .milliseconds(1500))
        // The rate is that of the time before the hold. Other load on the machine may have changed since.
        let expected = rate.wakeUps * seconds(saving.held)
        #expect((expected / 2...expected * 2).contains(Double(saving.wakeUps)), "\(expected) \(saving)")
        #expect(savings.take().isEmpty && savings.present(of: "A", processes: processes) == nil)
        busy.send(SIGKILL)
    }

    /// An application that is held at once was measured earlier, at changes of other applications.
    @Test func whatOthersDoIsAnOccasionToMeasure() throws {
        var savings = Savings()
        var hook = Hook(name: "h", reaction: .pair(.init(phases: [.background], builtIns: [.freeze])))
        hook.condition.criteria.application = [Pattern("A")]
        let members = Change.Subject.application(.init(counts: .init(), pids: [busy.pid], groups: []))
        savings.note(
            Change(kind: .initial, application: "A", subject: members, to: .active, cause: .start), [hook],
            processes: { _ in processes })
        savings.measureAll { _ in processes }
        let begin = Clock.now()
        #expect(waits(.milliseconds(2100), since: begin))
        busy.send(SIGSTOP)
        savings.follow(["A": [.stopped([])]]) { _ in processes }
        let present = try #require(savings.present(of: "A", processes: processes))
        #expect(present.reactions == ["freeze"])
        let held = Clock.now()
        #expect(waits(.seconds(1), since: held))
        // The rate over its lifetime would be zero: the shell has just started and sleeps most of the time.
        #expect(try #require(savings.present(of: "A", processes: processes)).wakeUps > 1)
        busy.send(SIGKILL)
    }

    /// `do = ["reclaim"]` alone creates no hold.
    @Test func memoryThatIsGivenBackByItselfCounts() throws {
        var savings = Savings()
        savings.add(memory: 7 << 20, of: "A")
        let saving = try #require(savings.take().first)
        #expect(saving.application == "A" && saving.reactions == ["reclaim"] && saving.memory == 7 << 20)
        busy.send(SIGKILL)
    }

    @Test func whatIsUsedAllTheSameIsNotSaved() throws {
        let worker = try Program("sh", ["-c", "while :; do :; done"])
        var savings = Savings()
        // Without an earlier measurement, the rate is that of its lifetime.
        #expect(waitUntil { ProcessUse(of: [worker.pid]).rate(since: nil).processor > 0.05 })
        let start = ProcessUse(of: [worker.pid])
        savings.follow(["A": [.slowed(unit: "a.scope", weights: [])]]) { _ in [worker.pid] }
        #expect(waitUntil { ProcessUse(of: [worker.pid]).since(start).processor > 0.5 })
        // A different set of reactions starts a new saving.
        savings.follow(["A": [.stopped([])]]) { _ in [worker.pid] }
        let saving = try #require(savings.take().first)
        #expect(saving.reactions == ["slow"] && saving.held > .zero)
        #expect(seconds(saving.processor) < seconds(saving.held) / 2, "\(saving)")
        worker.send(SIGKILL)
    }

    /// Its processes are gone or unknown.
    @Test func aProgramThatIsGoneHasSavedNothingMore() throws {
        var savings = Savings()
        let closed = Change(
            kind: .closed, application: "A",
            subject: .application(.init(counts: .init(), pids: [], groups: [])), from: .background,
            cause: .close)
        savings.measure("A", [])
        savings.follow(["A": [.stopped([])], "B": [.stopped([])]]) { _ in [Int32.max] }
        savings.note(closed, [], processes: { _ in [] })
        savings.follow([:]) { _ in [] }
        #expect(savings.take().map(\.processor) == [.zero, .zero])
        busy.send(SIGKILL)
    }
}
