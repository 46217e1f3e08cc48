import Console
import PhaseWatch

@testable import Scenes
@testable import System
@testable import xphase

extension Timestamp {
    /// 2026-11-20 11:03:41.207113999 UTC.
    static let sample = Timestamp(seconds: 1_795_172_621, nanoseconds: 207_113_999)
}

extension Change {
    /// A window of Firefox was iconified.
    static let sampleScene = Change(
        kind: .phase, application: "Firefox", group: "Navigator",
        subject: .scene(
            SceneFacts(
                id: WindowID(0x2c_00007), title: "Inbox", pid: 2131, desktop: 0, role: "browser",
                monitor: "DP-1", desktopName: "mail", extent: .maximized)),
        from: .active, to: .background, cause: .iconify, held: .milliseconds(252_114))

    /// The resulting change of the group.
    static let sampleGroup = sampleScene.with {
        $0.subject = .group(
            Members(counts: Counts(inactive: 1, background: 2), pids: [2131, 2140], groups: ["Navigator"]))
        ($0.to, $0.cause) = (.inactive, .blur)
    }

    /// The resulting change of the application.
    static let sampleApplication = sampleScene.with {
        $0.group = nil
        $0.subject = .application(Members(counts: Counts(background: 2), pids: [2131], groups: ["Navigator"]))
    }

    static let samples = [sampleScene, sampleGroup, sampleApplication]

    /// A scene found at the start, of which only the names are known.
    static let bareScene = sampleScene.with {
        $0.subject = .scene(SceneFacts(id: WindowID(0x2c_00007)))
        ($0.kind, $0.from, $0.to, $0.cause, $0.held) = (.initial, nil, .inactive, .start, nil)
    }

    func with(_ edit: (inout Change) -> Void) -> Change {
        var change = self
        edit(&change)
        return change
    }

    func titled(_ title: String?) -> Change {
        with {
            $0.subject = .scene(SceneFacts(id: WindowID(0x2c_00007), title: title, pid: 2131, desktop: 0))
        }
    }
}

extension Notice {
    static let sample = Notice(name: "window-manager", text: "openbox went away; phases are frozen")
}

extension LineFormat {
    /// Returns the line for an event, with its newline.
    func text(_ event: Event, sequence: Int = 7) -> String? {
        guard hasPlace(for: event) else { return nil }
        return String(decoding: line(event, sequence: sequence, time: .sample), as: UTF8.self)
    }
}
