import Scenes
import Testing

@testable import PhaseWatch

/// Which changes a subject selects.
@Suite struct SelectionTests {
    /// A change of each level.
    private let all: [Change] = [
        .application(.init(counts: .init(), pids: [], groups: ["navigator"])),
        .group(.init(counts: .init(), pids: [], groups: ["Navigator"])),
        .scene(.init(id: WindowID(7), pid: 7, role: "Settings-1")),
    ].map { (subject: Change.Subject) in
        var change = Change("Firefox a→i")
        change.subject = subject
        if change.level != .application { change.group = "Navigator" }
        return change
    }

    @Test(
        arguments: [
            (.application("fire*"), [.application]), (.group("NAVI*"), [.group]),
            (.group("Navigator", of: "firefox"), [.group]), (.group("Navigator", of: "chromium"), []),
            (.scene(7), [.scene]), (.scene(8), []), (.role("settings*"), [.scene]), (.role("browser"), []),
            (.role("settings*", of: "chromium"), []), (.all, [.application, .group, .scene]),
            (.any([.scene(7), .group("x"), .any([.application("firefox")])]), [.application, .scene]),
            (.any([.ownProcess, .ownGroup("*")]), []),
        ] as [(PhaseMonitor.Subject, [Change.Level])])
    func aSubjectIsOfItsOwnLevel(subject: PhaseMonitor.Subject, levels: [Change.Level]) {
        var selection = Selection(subject)
        #expect(all.filter { selection.takes($0) }.map(\.level) == levels)
    }

    /// An application stays selected until it closes, even if the matching instance has closed before.
    @Test func followsAnApplicationThatAnInstanceNameChose() {
        var selection = Selection(.application("firefox"))
        var other = Change("Browser i→a")
        let sources: [(String, Change.Kind)] = [
            ("firefox", .phase), ("other", .phase), ("other", .closed), ("other", .phase),
        ]
        let reported = sources.map { name, kind in
            other.subject = .application(.init(counts: .init(), pids: [], groups: [name]))
            other.kind = kind
            return selection.takes(other)
        }
        #expect(reported == [true, true, true, false])
    }
}
