import Console
import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct ConditionTests {
    private static func change(
        from: ScenePhase? = .active, to: ScenePhase? = .background, cause: Cause = .iconify
    ) -> Change {
        var change = Change.step("mpv", from: from, to: to, cause: cause)
        change.subject = .application(
            Change.Members(counts: Change.Counts(background: 1), pids: [7], groups: ["gl"]))
        return change
    }

    private static func scene(title: String?) -> Change {
        var change = change()
        change.subject = .scene(Change.SceneFacts(id: WindowID(7), title: title))
        return change
    }

    private func matches(_ change: Change = change(), _ set: (inout Condition) -> Void = { _ in }) -> Bool {
        var condition = Condition()
        set(&condition)
        return condition.matches(change)
    }

    @Test(arguments: [
        (["mpv"], true), (["MPV"], true), (["m*"], true), (["vlc", "mp?"], true), (["gl"], true),
        (["vlc"], false), (["mp"], false), ([], true),
    ])
    func applicationsAreChosenByGlobs(globs: [String], isMatch: Bool) {
        #expect(matches { $0.application = globs.map(Pattern.init) } == isMatch)
        #expect(matches { $0.exclude = globs.map(Pattern.init) } != (isMatch && !globs.isEmpty))
    }

    @Test func groupsTitlesAndLevelsSelect() {
        // Groups are matched by instance name alone.
        #expect(!matches { $0.instance = [Pattern("mpv")] } && matches { $0.instance = [Pattern("GL")] })
        for (title, isMatch) in [("Holiday.mkv", true), ("work.mkv", false), (nil, false)] {
            let scene = Self.scene(title: title)
            #expect(matches(scene) { ($0.level, $0.title) = (.scene, [Pattern("*holiday*")]) } == isMatch)
            #expect(!matches(scene))
        }
        #expect(!matches { $0.level = .group })
    }

    @Test(arguments: [
        (change(), true), (change(from: .inactive, cause: .desktop), true), (change(to: .inactive), false),
        (change(from: .background, to: .active), false), (change(cause: .shade), false),
        (change(from: nil), false),
    ])
    func phasesAndCausesAreLists(change: Change, isMatch: Bool) {
        let found = matches(change) {
            ($0.from, $0.to, $0.cause) = ([.active, .inactive], [.background], [.iconify, .desktop])
        }
        #expect(found == isMatch)
    }

    @Test func subjectsFoundAtTheStartAreMatchedOnRequest() {
        var found = Self.change(from: nil, cause: .start)
        found.kind = .initial
        #expect(!matches(found) { $0.to = [.background] })
        #expect(matches(found) { ($0.to, $0.initial) = ([.background], true) })
        #expect(matches(found) { ($0.from, $0.cause, $0.initial) = ([.active], [.iconify], true) })
        #expect(!matches(found) { ($0.to, $0.initial) = ([.inactive], true) })
    }

    @Test func theEndMatchesWhereNoPhaseIsAskedForOrClosedIs() {
        let closed = Self.change(from: .background, to: nil, cause: .close)
        #expect(matches(closed) && !matches(closed) { $0.to = [.background] })
        #expect(matches(closed) { $0.to = [.active, .closed] })
        #expect(!matches(Self.change(from: .active, to: .background, cause: .close)) { $0.to = [.closed] })
        // A regrouped application has not ended.
        let regrouped = Self.change(from: .background, to: nil, cause: .regroup)
        #expect(!matches(regrouped) && !matches(regrouped) { $0.to = [.closed] })
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
