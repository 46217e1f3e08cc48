import Console
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct ConditionTests {
    private func change(
        _ application: String = "mpv", group: String = "gl", kind: Change.Kind = .phase,
        from: ScenePhase? = .active, to: ScenePhase? = .background, cause: Cause = .iconify
    ) -> Change {
        Change(
            kind: kind, application: application, group: nil,
            subject: .application(
                Change.Members(counts: Change.Counts(background: 1), pids: [7], groups: [group])),
            from: from, to: to, cause: cause, held: .seconds(1))
    }

    private func scene(title: String?) -> Change {
        Change(
            kind: .phase, application: "mpv", group: "gl",
            subject: .scene(Change.SceneFacts(id: WindowID(7), title: title, pid: nil, desktop: nil)),
            from: .active, to: .background, cause: .iconify, held: .seconds(1))
    }

    @Test(arguments: [
        (["mpv"], true), (["MPV"], true), (["m*"], true), (["vlc", "mp?"], true), (["gl"], true),
        (["vlc"], false), (["mp"], false), ([], true),
    ])
    func applicationsAreChosenByGlobs(globs: [String], isMatch: Bool) {
        var condition = Condition()
        condition.application = globs.map(Pattern.init)
        #expect(condition.matches(change()) == isMatch)
    }

    @Test func whatIsExcludedIsNotMatched() {
        var condition = Condition()
        condition.exclude = [Pattern("m*")]
        #expect(!condition.matches(change()))
        #expect(condition.matches(change("vlc")))
    }

    @Test func groupsAreMatchedByInstanceNameAlone() {
        var condition = Condition()
        condition.instance = [Pattern("mpv")]
        #expect(!condition.matches(change()))
        condition.instance = [Pattern("GL")]
        #expect(condition.matches(change()))
    }

    @Test func titlesAreThoseOfScenes() {
        var condition = Condition()
        condition.level = .scene
        condition.title = [Pattern("*holiday*")]
        #expect(condition.matches(scene(title: "Holiday.mkv")))
        #expect(!condition.matches(scene(title: "work.mkv")))
        #expect(!condition.matches(scene(title: nil)))
    }

    @Test func theLevelIsThatOfTheChange() {
        #expect(!Condition().matches(scene(title: nil)))
        var condition = Condition()
        condition.level = .group
        #expect(!condition.matches(change()))
    }

    @Test func phasesAndCausesAreLists() {
        var condition = Condition()
        condition.from = [.active, .inactive]
        condition.to = [.background]
        condition.cause = [.iconify, .desktop]
        #expect(condition.matches(change()))
        #expect(condition.matches(change(from: .inactive, cause: .desktop)))
        #expect(!condition.matches(change(to: .inactive)))
        #expect(!condition.matches(change(from: .background, to: .active)))
        #expect(!condition.matches(change(cause: .shade)))
        #expect(!condition.matches(change(kind: .opened, from: nil)))
    }

    @Test func whatIsFoundAtTheStartIsMatchedOnRequest() {
        var condition = Condition()
        condition.to = [.background]
        let found = change(kind: .initial, from: nil, cause: .start)
        #expect(!condition.matches(found))
        condition.initial = true
        #expect(condition.matches(found))
        condition.from = [.active]
        condition.cause = [.iconify]
        #expect(condition.matches(found))
        #expect(!condition.matches(change(kind: .initial, from: nil, to: .inactive, cause: .start)))
    }

    @Test func theEndMatchesWhereNoPhaseIsAskedFor() {
        let closed = change(kind: .closed, from: .background, to: nil, cause: .close)
        var condition = Condition()
        #expect(condition.matches(closed))
        condition.to = [.background]
        #expect(!condition.matches(closed))
    }

    @Test func aRegroupedApplicationHasNotEnded() {
        let closed = change(kind: .closed, from: .background, to: nil, cause: .regroup)
        #expect(!Condition().matches(closed))
    }
}
