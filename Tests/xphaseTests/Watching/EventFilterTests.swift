import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct EventFilterTests {
    private static func filter(
        _ levels: Set<Change.Level> = Set(Change.Level.allCases), _ globs: [String] = [],
        hidesInitial: Bool = false
    ) -> EventFilter {
        var criteria = Criteria()
        criteria.application = globs.map { Pattern($0) }
        return EventFilter(levels: levels, criteria: criteria, hidesInitial: hidesInitial)
    }

    /// The levels are in the order of the samples. Notices always pass.
    @Test(
        arguments: [
            [], [.application], [.group], [.scene], [.scene, .application], [.scene, .group, .application],
        ] as [[Change.Level]])
    func onlyTheLevelsAskedForPass(levels: [Change.Level]) {
        let filter = Self.filter(Set(levels))
        #expect(Change.samples.filter { filter.accepts(.change($0)) }.map(\.level) == levels)
        #expect(filter.accepts(.notice(.sample)))
    }

    @Test(arguments: [
        (Change.Kind.initial, Cause.start, false), (.initial, .resync, true), (.opened, .open, true),
        (.opened, .windowManager, true), (.phase, .focus, true), (.closed, .close, true),
    ])
    func withoutTheInitialLinesOnlyThoseOfTheStartAreHidden(
        kind: Change.Kind, cause: Cause, passes: Bool
    ) {
        for sample in Change.samples {
            let change = sample.with { ($0.kind, $0.cause) = (kind, cause) }
            #expect(Self.filter(hidesInitial: true).accepts(.change(change)) == passes)
            #expect(Self.filter(hidesInitial: false).accepts(.change(change)))
        }
    }

    /// A title first appears when its scene opens, and disappears when the scene closes.
    @Test func titlesComeWithTheScenesThatComeAndGo() {
        let filter = EventFilter(
            levels: [.application], criteria: Criteria(), hidesInitial: false, reportsTitles: true)
        func passes(_ kind: Change.Kind, _ sample: Change) -> Bool {
            filter.accepts(.change(sample.with { $0.kind = kind }))
        }
        for kind in [Change.Kind.initial, .opened, .title, .closed] { #expect(passes(kind, .sampleScene)) }
        #expect(!passes(.phase, .sampleScene) && !passes(.opened, .sampleGroup))
        #expect(passes(.phase, .sampleApplication))
    }

    /// Contract, section 3: the last line about any subject is always true.
    @Test func anApplicationThatWasReportedForItsInstanceIsReportedUntilItCloses() {
        let filter = Self.filter([.application], ["navigator"])
        let steps: [([String], Change.Kind)] = [
            (["Places"], .phase), (["Navigator", "Places"], .phase), (["Places"], .phase),
            (["Places"], .closed), (["Places"], .opened),
        ]
        let passed = steps.map { groups, kind in
            let change = Change.sampleApplication.with {
                $0.kind = kind
                $0.subject = .application(.init(counts: .init(active: 1), pids: [], groups: groups))
            }
            return filter.accepts(.change(change))
        }
        #expect(passed == [false, true, true, true, false])
    }

    /// With phases, no line reports that a subject ends or matches no more: nothing is followed.
    @Test func onlyWhatMatchesNowPassesInTheChosenPhases() {
        var criteria = Criteria()
        criteria.title = [Pattern("old")]
        let filter = EventFilter(
            levels: [.scene], criteria: criteria, phases: [.active], hidesInitial: false)
        func passes(_ title: String, _ phase: ScenePhase?) -> Bool {
            filter.accepts(
                .change(
                    Change.sampleScene.with {
                        $0.subject = .scene(.init(id: WindowID(1), title: title))
                        ($0.kind, $0.to) = (phase == nil ? .closed : .phase, phase)
                    }))
        }
        #expect(passes("old", .active) && !passes("old", .inactive) && !passes("new", .active))
        #expect(!passes("old", nil) && !passes("new", .active) && passes("old", .active))
    }
}
