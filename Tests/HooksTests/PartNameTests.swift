import PhaseWatch
import Testing

@testable import Hooks
@testable import Scenes

/// Names of only a part of an application.
@Suite struct PartNameTests {
    /// An application and its parts, with a phase each.
    private static func present(_ application: String, _ parts: KeyValuePairs<String, ScenePhase>) -> [Change]
    {
        func found(_ group: String?, _ subject: Change.Subject, _ phase: ScenePhase?) -> Change {
            Change(
                kind: .initial, application: application, group: group, subject: subject, from: nil,
                to: phase,
                cause: .start, held: nil)
        }
        func members(_ groups: [String]) -> Change.Members {
            Change.Members(counts: Change.Counts(), pids: [], groups: groups)
        }
        let groups = parts.map { found($0.key, .group(members([$0.key])), $0.value) }
        let whole = Change.Subject.application(members(parts.map(\.key)))
        return [found(nil, whole, parts.map(\.value).max())] + groups
    }

    private static let browser = present("Chromium", ["chromium": .inactive, "crx_music": .active])
    private static let hidden = present("Chromium", ["chromium": .background, "crx_music": .active])

    @Test(arguments: [
        (["crx_music"], browser, true), (["crx_*"], browser, true), (["/crx/"], browser, true),
        (["crx_music"], hidden, false), (["Chromium"], browser, false), (["chrom*"], browser, false),
        (["crx_music", "chromium"], browser, false), (["crx_music", "Chromium"], browser, false),
        (["mpv"], browser, false), (["crx_music"], [], false), ([], browser, false),
    ])
    func anotherVisiblePartForbidsTheFreezeOfAll(names: [String], present: [Change], isForbidden: Bool) {
        let reason = names.map { Pattern($0) }.visibleRest(of: "Chromium", among: present)
        let text =
            "'\(names.first ?? "")' is only a part of it, and its part 'chromium' is visible: "
            + "the name 'Chromium' freezes all of it"
        #expect(reason == (isForbidden ? text : nil))
    }

    private static let alone =
        "a hook with instance = \"crx_music\" and level = \"group\" follows this part alone"
    private static let follows =
        "'crx_music' is only an instance name of Chromium, and this follows all of Chromium: \(alone)"
    private static let unknown =
        "'crx_music' is only an instance name of a web application, and this follows all of its browser: \(alone)"

    @Test(arguments: [
        ("crx_music", browser, follows), ("crx_music", [], unknown), ("Chromium", browser, nil),
        ("crx_music", present("Chromium", ["crx_music": .active]), follows),
        // The instance name of the whole program.
        ("telegram-desktop", present("TelegramDesktop", ["telegram-desktop": .active]), nil),
        ("libreoffice", present("libreoffice-calc", ["libreoffice": .active]), nil),
        (
            "Mail", present("thunderbird", ["Mail": .active]),
            .some("'Mail' is only an instance name of thunderbird")
        ),
        ("mpv", browser, nil),
    ])
    func aNameOfAPartOfWhatIsFollowedIsNamed(name: String, present: [Change], hint: String?) {
        var hook = Hook.pair("a", while: [.active])
        hook.condition.application = [Pattern(name)]
        let hints = hook.partHints(among: present)
        #expect(
            hints.count == (hint == nil ? 0 : 1) && hints.first?.hasPrefix(hint ?? "") ?? true, "\(hints)")
        for level in [HookLevel.group, .scene] {
            hook.condition.level = level
            #expect(hook.partHints(among: present).isEmpty)
        }
    }

    @Test func reactionsApplyToWholeApplications() {
        var hook = Hook.doing("a", .freeze)
        hook.condition.application = [Pattern("crx_music")]
        let start = "'crx_music' is only an instance name of"
        #expect(
            hook.partHints(among: Self.browser) == [
                "\(start) Chromium, and reactions apply to all of Chromium: "
                    + "write application = \"Chromium\" if this is meant"
            ])
        #expect(
            hook.partHints(among: []) == [
                "\(start) a web application, and reactions apply to all of its browser: "
                    + "write the name of the browser if this is meant"
            ])
    }

    @Test func anInstanceNeedsTheLevelOfGroups() {
        var hook = Hook.pair("a", while: [.active])
        hook.condition.instance = [Pattern("crx_music")]
        let hint = "instance alone follows all of Chromium, 'chromium', too: add level = \"group\""
        #expect(hook.partHints(among: Self.browser) == [hint])
        #expect(hook.partHints(among: Self.present("Chromium", ["crx_music": .active])).isEmpty)
        hook.condition.level = .group
        #expect(hook.partHints(among: Self.browser).isEmpty)
    }
}
