import Scenes
import Testing

@testable import PhaseWatch

/// When an action is called, and with which phases.
@Suite struct ObserverTests {
    @Test func isCalledOncePerPhase() {
        var observer = observer(.inactive)
        #expect(!mustCall(&observer, .inactive))
        #expect(mustCall(&observer, .active))
        #expect(calls(&observer) == ["inactive→active"])
    }

    /// Another thread is still running the action when the next phases arrive.
    @Test func aSlowActionMissesPhasesThatHaveEnded() {
        var observer = observer(.inactive)
        #expect(mustCall(&observer, .active))
        #expect(newPhase(&observer) == .active)
        #expect(!mustCall(&observer, .inactive))
        #expect(!mustCall(&observer, .background))
        #expect(calls(&observer) == ["active→background"])
    }

    @Test func nothingIsLeftToReportWhenItIsAsItWas() {
        var observer = observer(.inactive, isCalling: true)
        #expect(!mustCall(&observer, .active))
        #expect(!mustCall(&observer, .inactive))
        #expect(calls(&observer) == [])
    }

    @Test func whatGoesAwayPassesThroughTheBackground() {
        var observer = observer(.active)
        #expect(mustCall(&observer, nil))
        #expect(calls(&observer) == ["active→background", "background→nothing"])
    }

    @Test func aRenamedSubjectDoesNotPassThroughTheBackground() {
        var observer = observer(.active)
        #expect(mustCall(&observer, nil, isRenamed: true))
        #expect(calls(&observer) == ["active→nothing"])
    }

    @Test func goesStepByStepWhereThatIsAskedFor() {
        var observer = observer(.active, isStepwise: true)
        #expect(mustCall(&observer, .background))
        #expect(calls(&observer) == ["active→inactive", "inactive→background"])
        #expect(mustCall(&observer, .active))
        #expect(calls(&observer) == ["background→inactive", "inactive→active"])
    }

    private func observer(
        _ phase: ScenePhase?, isStepwise: Bool = false, isCalling: Bool = false
    ) -> Observer {
        Observer(subject(phase), isStepwise: isStepwise, isCalling: isCalling) { _, _, _ in }
    }

    private func subject(_ phase: ScenePhase?) -> SubjectPhase {
        var snapshot = Snapshot()
        if let phase { _ = snapshot.update(changes(nil, phase, .open), at: .zero) }
        return SubjectPhase(Selection(.all), in: snapshot)
    }

    private func changes(_ old: ScenePhase?, _ new: ScenePhase?, _ cause: Cause) -> [Change] {
        [
            Change(
                kind: .phase, application: "A", group: "a", subject: .scene(.init(id: WindowID(1))),
                from: old, to: new, cause: cause)
        ]
    }

    /// - Parameter phase: The phase of the only scene of the display.
    private func mustCall(_ observer: inout Observer, _ phase: ScenePhase?, isRenamed: Bool = false) -> Bool {
        var snapshot = Snapshot()
        if let phase { _ = snapshot.update(changes(nil, phase, .open), at: .zero) }
        return observer.update(
            changes(.active, phase, isRenamed ? .regroup : .focus), [WindowID(1)], in: snapshot)
    }

    private func newPhase(_ observer: inout Observer) -> ScenePhase? {
        observer.next()?.new
    }

    private func calls(_ observer: inout Observer) -> [String] {
        var calls: [String] = []
        while let (_, old, new, _) = observer.next() { calls.append("\(old.text)→\(new.text)") }
        return calls
    }
}
