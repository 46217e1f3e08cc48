import Scenes
import Testing

@testable import PhaseWatch

@Suite struct SelectionTests {
    private let application = Change.phase("Firefox", .active, .inactive)
    private let group = Change(
        kind: .phase, application: "Firefox", group: "Navigator",
        subject: .group(.init(counts: .init(), pids: [], groups: ["Navigator"])), from: .active,
        to: .inactive,
        cause: .blur, held: nil)
    private let scene = Change(
        kind: .phase, application: "Firefox", group: "Navigator",
        subject: .scene(.init(id: WindowID(0x2c_00007), title: nil, pid: 7, role: "Settings-1")),
        from: .active,
        to: .inactive, cause: .blur, held: nil)

    @Test func isOfItsOwnLevel() {
        #expect(levels(.application("fire*")) == [.application])
        #expect(levels(.group("NAVI*")) == [.group])
        #expect(levels(.group("Navigator", of: "firefox")) == [.group])
        #expect(levels(.group("Navigator", of: "chromium")) == [])
        #expect(levels(.scene(0x2c_00007)) == [.scene])
        #expect(levels(.scene(0x2c_00008)) == [])
        #expect(levels(.role("settings*")) == [.scene])
        #expect(levels(.role("browser")) == [] && levels(.role("settings*", of: "chromium")) == [])
        #expect(levels(.all) == [.application, .group, .scene])
        #expect(
            levels(.any([.scene(0x2c_00007), .group("x"), .any([.application("firefox")])]))
                == [.application, .scene])
    }

    @Test func whatProcessesReportIsNotAmongTheChangesOfTheDisplay() {
        #expect(levels(.any([.ownProcess, .ownGroup("*")])) == [])
    }

    /// An application stays selected until it closes, even if the matching instance has closed before.
    @Test func followsAnApplicationThatAnInstanceNameChose() {
        var selection = Selection(.application("firefox"))
        var other = Change.phase("Browser", .inactive, .active)
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

    private func levels(_ subject: PhaseMonitor.Subject) -> [Change.Level] {
        [application, group, scene].filter { Selection(subject).matches($0) }.map(\.level)
    }
}
