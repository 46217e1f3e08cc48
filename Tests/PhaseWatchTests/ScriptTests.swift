import PhaseWatch
import Synchronization
import TestDesktop
import Testing

/// The behaviour of a monitor as a program sees it, tested with a scripted monitor without a display.
@Suite struct ScriptTests {
    @Test func thePresentIsThatOfEverythingThatASubjectNames() throws {
        let (monitor, script) = PhaseMonitor.scripted()
        script.open(1, application: "Firefox", group: "Navigator", title: "Inbox")
        script.open(2, application: "Firefox", group: "Places")
        script.set(2, .background)
        #expect(
            try monitor.scenes().map { "\($0.application)/\($0.group)/\($0.id) \($0.phase)" } == [
                "Firefox/Navigator/0x1 inactive", "Firefox/Places/0x2 background",
            ])
        #expect(try monitor.phase(of: .application("fire*")) == .inactive)
        script.close(1)
        #expect(try monitor.phase(of: .application("/^fire/")) == .background)
        script.close(2)
        #expect(try monitor.phase(of: .all) == nil)
        script.fail(.displayLost(":7"))
        #expect(throws: MonitorFailure.displayLost(":7")) { try monitor.phase(of: .all) }
    }

    @Test func phasesBeginWithThePresentAndEndWithTheMonitor() async throws {
        let (monitor, script) = PhaseMonitor.scripted()
        var phases = monitor.phases(of: .application("a")).makeAsyncIterator()
        #expect(try await phases.next() == .some(nil))
        script.open(1, application: "A")
        #expect(try await phases.next() == .some(.inactive))
        script.set(1, .active)
        script.set(1, .inactive)
        script.set(1, .background)
        // A slow consumer misses phases that have ended.
        #expect(try await phases.next() == .some(.background))
        script.set(1, .active)
        #expect(try await phases.next() == .some(.active))
        script.close(1)
        #expect(try await phases.next() == .some(.background))
        #expect(try await phases.next() == .some(nil))
        monitor.close()
        #expect(try await phases.next() == .none)
    }

    @Test func aPresentThatIsNotReadYetStaysTheFirst() async throws {
        let (monitor, script) = PhaseMonitor.scripted(.init(isStepwise: true))
        script.open(1, application: "A")
        var phases = monitor.phases(of: .application("a")).makeAsyncIterator()
        script.open(2, application: "B")
        #expect(try await phases.next() == .some(.inactive))
        var later = monitor.phases(of: .application("a")).makeAsyncIterator()
        script.set(1, .active)
        #expect(try await later.next() == .some(.active))
        script.set(1, .background)
        #expect(try await later.next() == .some(.inactive))
        #expect(try await later.next() == .some(.background))
        script.fail(.displayLost(":7"))
        await #expect(throws: MonitorFailure.displayLost(":7")) { try await later.next() }
        #expect(try await later.next() == .none)
    }

    @Test func aTitleIsThatOfScenesForAsLongAsItMatches() async throws {
        let (monitor, script) = PhaseMonitor.scripted(.init(details: .titles))
        let log = Log()
        let observation = try monitor.onChange(of: .title("*play*")) { log.add("\($0.text)→\($1.text)") }
        var changes = monitor.changes(of: .title("/play/")).makeAsyncIterator()
        script.open(1, application: "A", title: "stop")
        script.set(1, .active)
        script.set(1, title: "play 1")
        let retitled = try await changes.next()
        #expect(retitled?.kind == .title && retitled?.from == .active && retitled?.to == .active)
        #expect(try monitor.phase(of: .title("play ?")) == .active)
        script.set(1, title: "play 2")
        #expect(try await changes.next()?.kind == .title)
        script.set(1, title: nil)
        let untitled = try await changes.next()
        #expect(untitled?.kind == .title && untitled?.scene?.title == nil)
        script.set(1, .background)
        script.set(1, title: "play 3")
        #expect(try await changes.next()?.to == .background)
        #expect(
            log.all == ["nothing→active", "active→background", "background→nothing", "nothing→background"])
        #expect(try monitor.phase(of: .title("play*")) == .background)
        withExtendedLifetime(observation) {}
    }

    @Test(arguments: [[], .titles, .titleChanges] as [PhaseWatcher.Details])
    func titlesAreReportedToThoseWhoAsk(_ details: PhaseWatcher.Details) async throws {
        let (monitor, script) = PhaseMonitor.scripted(.init(details: details))
        func title() throws -> String? { try monitor.scenes(of: .scene(1)).first?.facts.title }
        script.open(1, application: "A", title: "old")
        #expect(try title() == (details.isEmpty ? nil : "old"))
        var changes = monitor.changes(of: .scene(1)).makeAsyncIterator()
        script.set(1, title: "new")
        #expect(try title() == (details.isEmpty ? nil : "new"))
        script.set(1, .active)
        let change = try await changes.next()
        #expect(change?.kind == .phase && change?.cause == .focus)
        script.set(1, title: "newer")
        script.fail(.displayLost(":7"))
        if details == .titleChanges { #expect(try await changes.next()?.kind == .title) }
        await #expect(throws: MonitorFailure.self) { try await changes.next() }
    }

    @Test func titlesThatAreNotReadAreAnError() async throws {
        let monitor = PhaseMonitor.scripted().monitor
        let subject = PhaseMonitor.Subject.any([.all, .title("*")])
        #expect(throws: MonitorFailure.titlesNotRead) { try monitor.phase(of: subject) }
        #expect(throws: MonitorFailure.titlesNotRead) { try monitor.onChange(of: subject) {} }
        var phases = monitor.phases(of: subject).makeAsyncIterator()
        await #expect(throws: MonitorFailure.titlesNotRead) { try await phases.next() }
    }

    @Test func thePresentIsReportedOnEveryLevel() async throws {
        let (monitor, script) = PhaseMonitor.scripted()
        script.open(1, application: "A", pid: 7)
        script.open(2, application: "A", pid: 4)
        var changes = monitor.changes(of: .all, initial: true).makeAsyncIterator()
        var present: [Change.Subject] = []
        for _ in 1...4 { try await changes.next().map { present.append($0.subject) } }
        let members = Change.Members(counts: .init(inactive: 2), pids: [4, 7], groups: ["A"], desktops: [0])
        #expect(present.suffix(2) == [.group(members), .application(members)])
    }

    @Test func callsAreMadeWhereTheOptionsSay() throws {
        let queued = Mutex<[@Sendable () -> Void]>([])
        let delivery = PhaseMonitor.Delivery { work in queued.withLock { $0.append(work) } }
        func runLoop() {
            let all = queued.withLock { queued in
                defer { queued = [] }
                return queued
            }
            for work in all { work() }
        }
        let (monitor, script) = PhaseMonitor.scripted(.init(deliver: delivery))
        let (log, cancelled) = (Log(), Log())
        let observation = try monitor.onChange(of: .application("a")) { log.add("\($0.text)→\($1.text)") }
        let other = try monitor.onChange(of: .application("a")) { _, _ in cancelled.add("called") }
        _ = try monitor.onChange(of: .application("a")) { _, _ in cancelled.add("released") }
        script.open(1, application: "A")
        #expect(log.all.isEmpty)
        other.cancel()
        runLoop()
        #expect(log.all == ["nothing→inactive"] && cancelled.all.isEmpty)
        script.set(1, .active)
        script.set(1, .background)
        runLoop()
        #expect(log.all == ["nothing→inactive", "inactive→background"])
        withExtendedLifetime(observation) {}
    }

    /// No lock is held during an action, so it may call anything.
    @Test func anActionMayUseTheMonitor() throws {
        let (monitor, script) = PhaseMonitor.scripted()
        let log = Log()
        let observation = try monitor.onChange(of: .application("a")) { [weak monitor] _, new in
            let phase = try? monitor?.phase(of: .application("a"))
            log.add("\(new.text) \(phase.text)")
            monitor?.close()
        }
        script.open(1, application: "A")
        #expect(log.all == ["inactive inactive"])
        withExtendedLifetime(observation) {}
    }
}
