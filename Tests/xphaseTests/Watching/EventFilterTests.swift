import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

/// Contract, section 3: the last line about any subject is always true. `SubscriberTests` has what a filter chooses.
struct EventFilterTests {
    /// Without the initial lines, those after a loss are there.
    @Test(arguments: [
        (Change.Kind.initial, Cause.start, false), (.initial, .resync, true), (.opened, .open, true),
        (.opened, .windowManager, true), (.phase, .focus, true), (.closed, .close, true),
    ])
    func onlyTheInitialLinesOfTheStartAreHidden(kind: Change.Kind, cause: Cause, passes: Bool) {
        let filter = EventFilter(
            levels: Set(Change.Level.allCases), criteria: Criteria(), hidesInitial: true)
        for change in Change.samples.map({ $0.with { ($0.kind, $0.cause) = (kind, cause) } }) {
            #expect(filter.accepts(.change(change)) == passes)
        }
        #expect(filter.accepts(.notice(.sample)))
    }

    @Test func anApplicationThatWasReportedForItsInstanceIsReportedUntilItCloses() {
        var criteria = Criteria()
        criteria.application = [Pattern("navigator")]
        let filter = EventFilter(levels: [.application], criteria: criteria, hidesInitial: false)
        for (groups, kind, passes) in [
            (["Places"], .phase, false), (["Navigator", "Places"], .phase, true), (["Places"], .phase, true),
            (["Places"], .closed, true), (["Places"], .opened, false),
        ] as [([String], Change.Kind, Bool)] {
            let change = Change.sampleApplication.with {
                $0.kind = kind
                $0.subject = .application(.init(counts: .init(active: 1), pids: [], groups: groups))
            }
            #expect(filter.accepts(.change(change)) == passes)
        }
    }

    /// With phases, no line reports that a subject ends or matches no more: nothing is followed.
    @Test func onlyWhatMatchesNowPassesInTheChosenPhases() {
        var criteria = Criteria()
        criteria.title = [Pattern("old")]
        let filter = EventFilter(
            levels: [.scene], criteria: criteria, phases: [.active], hidesInitial: false)
        for (title, phase, passes) in [
            ("old", .active, true), ("old", .inactive, false), ("new", .active, false), ("old", nil, false),
        ] as [(String, ScenePhase?, Bool)] {
            let change = Change.sampleScene.titled(title).with {
                ($0.kind, $0.to) = (phase == nil ? .closed : .phase, phase)
            }
            #expect(filter.accepts(.change(change)) == passes)
        }
    }
}
