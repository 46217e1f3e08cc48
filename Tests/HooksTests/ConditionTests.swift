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

    private func condition(_ change: (inout Condition) -> Void) -> Condition {
        var condition = Condition()
        change(&condition)
        return condition
    }

    @Test(arguments: [
        (["mpv"], true), (["MPV"], true), (["m*"], true), (["vlc", "mp?"], true), (["gl"], true),
        (["vlc"], false), (["mp"], false), ([], true),
    ])
    func applicationsAreChosenByGlobs(globs: [String], isMatch: Bool) {
        #expect(condition { $0.application = globs.map(Pattern.init) }.matches(change()) == isMatch)
    }

    @Test func namesTitlesAndLevelsSelect() {
        let excluding = condition { $0.exclude = [Pattern("m*")] }
        #expect(!excluding.matches(change()) && excluding.matches(change("vlc")))
        // Groups are matched by instance name alone.
        #expect(!condition { $0.instance = [Pattern("mpv")] }.matches(change()))
        #expect(condition { $0.instance = [Pattern("GL")] }.matches(change()))
        let titled = condition { ($0.level, $0.title) = (.scene, [Pattern("*holiday*")]) }
        for (title, isMatch) in [("Holiday.mkv", true), ("work.mkv", false), (nil, false)] {
            #expect(titled.matches(scene(title: title)) == isMatch)
        }
        #expect(!Condition().matches(scene(title: nil)))
        #expect(!condition { $0.level = .group }.matches(change()))
    }

    @Test func phasesAndCausesAreLists() {
        let condition = condition {
            ($0.from, $0.to, $0.cause) = ([.active, .inactive], [.background], [.iconify, .desktop])
        }
        #expect(condition.matches(change()) && condition.matches(change(from: .inactive, cause: .desktop)))
        for other in [
            change(to: .inactive), change(from: .background, to: .active), change(cause: .shade),
            change(kind: .opened, from: nil),
        ] { #expect(!condition.matches(other)) }
    }

    @Test func whatIsFoundAtTheStartIsMatchedOnRequest() {
        var condition = condition { $0.to = [.background] }
        let found = change(kind: .initial, from: nil, cause: .start)
        #expect(!condition.matches(found))
        condition.initial = true
        #expect(condition.matches(found))
        (condition.from, condition.cause) = ([.active], [.iconify])
        #expect(condition.matches(found))
        #expect(!condition.matches(change(kind: .initial, from: nil, to: .inactive, cause: .start)))
    }

    @Test func theEndMatchesWhereNoPhaseIsAskedFor() {
        let closed = change(kind: .closed, from: .background, to: nil, cause: .close)
        #expect(Condition().matches(closed))
        #expect(!condition { $0.to = [.background] }.matches(closed))
        // A regrouped application has not ended.
        let regrouped = change(kind: .closed, from: .background, to: nil, cause: .regroup)
        #expect(!Condition().matches(regrouped))
    }
}

@Suite struct WakeTests {
    @Test func allHooksWithOneIntervalWakeTogether() {
        let wake = Wake(interval: .seconds(180), duration: .seconds(5))
        for second in [0, 1, 100, 174] { #expect(wake.next(after: .seconds(second)) == .seconds(180)) }
        // A wake-up at most 5 s ahead is skipped: the application has only just been frozen.
        for second in [175, 180, 200, 354] { #expect(wake.next(after: .seconds(second)) == .seconds(360)) }
        #expect(wake.next(after: .milliseconds(174_999)) == .seconds(180))
    }
}
