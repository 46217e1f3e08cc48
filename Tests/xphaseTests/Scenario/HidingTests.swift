import TestDesktop
import Testing

extension DesktopTests {
    /// Cases that Tests/ManagerTests does not cover under each window manager.
    @Suite struct Hiding {
        @Test func onAllDesktopsStays() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha")
            try session.settle { alpha.moveToDesktop(0xFFFF_FFFF) }
            let away = try session.applications { session.client.switchDesktop(1) }
            #expect(away.allSatisfy { !$0.contains("background") })
            #expect(alpha.isOnScreen)
            #expect(try session.list(["--level", "scene"]).first { $0.scene == alpha.name }?.desktop == -1)
        }

        @Test func movedOffTheScreenWhereNobodyKeepsItThere() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            try session.settle { session.focus(alpha) }
            let away = try session.applications { alpha.move(x: 3000, y: 30) }
            #expect(away == ["Alpha active→background offscreen"])
            #expect(session.wait(for: alpha, onScreen: false))
            let back = try session.applications { alpha.move(x: 20, y: 30) }
            #expect(back == ["Alpha background→active offscreen"])
            #expect(session.wait(for: alpha, onScreen: true))
        }
    }
}
