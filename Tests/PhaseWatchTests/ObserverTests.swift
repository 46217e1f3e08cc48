import Testing

@testable import PhaseWatch

/// Which calls and elements the consumers of a scripted monitor get, and when.
@Suite struct ObserverTests {
    /// Returns the calls of an observer of a subject.
    private func calls(
        of subject: PhaseMonitor.Subject = .application("A"), _ act: (Script) -> Void
    ) throws -> [String] {
        let (monitor, script) = PhaseMonitor.scripted()
        script.open(1, application: "A", group: "x")
        let log = Log()
        let observation = try monitor.onChange(of: subject) { log.add("\($0.text)→\($1.text)") }
        act(script)
        withExtendedLifetime(observation) {}
        return log.all
    }

    @Test func anObserverIsCalledOncePerPhase() throws {
        let calls = try calls {
            $0.set(1, .active)
            $0.open(2, application: "B")
            $0.open(3, application: "A", group: "y")
        }
        #expect(calls == ["inactive→active"])
    }

    @Test func aSubjectThatGoesAwayPassesThroughTheBackground() throws {
        #expect(try calls { $0.close(1) } == ["inactive→background", "background→nothing"])
        #expect(try calls { $0.rename(1, application: "B") } == ["inactive→nothing"])
        #expect(try calls(of: .scene(1)) { $0.rename(1, application: "B") } == [])
    }

    @Test func everyConsumerGetsEveryChangeAndNoMoreIsKeptThanSubjects() async throws {
        let (monitor, script) = PhaseMonitor.scripted()
        var consumers = (1...2).map { _ in monitor.changes(of: .all).makeAsyncIterator() }
        for window: UInt32 in 1...10 { script.open(window, application: "A\(window)") }
        for _ in 1...100 {
            for window: UInt32 in 1...10 { script.set(window, .active) }
        }
        monitor.close()
        for index in consumers.indices {
            for _ in 1...30 { #expect(try await consumers[index].next()?.kind == .opened) }
            #expect(try await consumers[index].next() == nil)
        }
    }

    @Test func theEndComesAfterWhatIsUnread() async throws {
        let (monitor, script) = PhaseMonitor.scripted()
        var changes = monitor.changes(of: .application("A")).makeAsyncIterator()
        script.open(1, application: "A")
        script.fail(.displayLost(":7"))
        script.open(2, application: "B")
        #expect(try await changes.next()?.application == "A")
        await #expect(throws: MonitorFailure.displayLost(":7")) { try await changes.next() }
        #expect(try await changes.next() == nil)
        var late = monitor.phases(of: .all).makeAsyncIterator()
        await #expect(throws: MonitorFailure.displayLost(":7")) { try await late.next() }
    }
}
