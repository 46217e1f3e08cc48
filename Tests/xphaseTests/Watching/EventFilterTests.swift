import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct EventFilterTests {
    /// The levels are in the order of the samples. Notices always pass.
    @Test(
        arguments: [
            [], [.application], [.group], [.scene], [.scene, .application], [.scene, .group, .application],
        ] as [[Change.Level]])
    func onlyTheLevelsAskedForPass(levels: [Change.Level]) {
        let filter = EventFilter(levels: Set(levels), criteria: Criteria(), hidesInitial: false)
        #expect(Change.samples.filter { filter.accepts(.change($0)) }.map(\.level) == levels)
        #expect(filter.accepts(.notice(.sample)))
    }

    @Test(arguments: [
        (Change.Kind.initial, Cause.start, false), (.initial, .resync, true), (.opened, .open, true),
        (.opened, .windowManager, true), (.phase, .focus, true), (.closed, .close, true),
    ])
    func withoutTheInitialLinesOnlyThoseOfTheStartAreHidden(kind: Change.Kind, cause: Cause, passes: Bool) {
        for (hidesInitial, isWanted) in [(true, passes), (false, true)] {
            let filter = EventFilter(
                levels: Set(Change.Level.allCases), criteria: Criteria(), hidesInitial: hidesInitial)
            for change in Change.samples.map({ $0.with { ($0.kind, $0.cause) = (kind, cause) } }) {
                #expect(filter.accepts(.change(change)) == isWanted)
            }
        }
    }

    /// A title first appears when its scene opens, and disappears when the scene closes.
    @Test func titlesComeWithTheScenesThatComeAndGo() {
        let filter = EventFilter(
            levels: [.application], criteria: Criteria(), hidesInitial: false, reportsTitles: true)
        for (sample, kind, passes) in [
            (.sampleScene, .initial, true), (.sampleScene, .opened, true), (.sampleScene, .title, true),
            (.sampleScene, .closed, true), (.sampleScene, .phase, false), (.sampleGroup, .opened, false),
            (.sampleApplication, .phase, true),
        ] as [(Change, Change.Kind, Bool)] {
            #expect(filter.accepts(.change(sample.with { $0.kind = kind })) == passes)
        }
    }

    /// Contract, section 3: the last line about any subject is always true.
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
        let filter = EventFilter(levels: [.scene], criteria: criteria, phases: [.active], hidesInitial: false)
        for (title, phase, passes) in [
            ("old", .active, true), ("old", .inactive, false), ("new", .active, false), ("old", nil, false),
            ("new", .active, false), ("old", .active, true),
        ] as [(String, ScenePhase?, Bool)] {
            let change = Change.sampleScene.titled(title).with {
                ($0.kind, $0.to) = (phase == nil ? .closed : .phase, phase)
            }
            #expect(filter.accepts(.change(change)) == passes)
        }
    }
}
