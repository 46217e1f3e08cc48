import TestDesktop
import Testing

extension UnderManagers {
    /// Windows that the manager shows are not visible: the screen is locked, or other windows cover them.
    @Suite struct SightTests {
        @Test func aLockerHidesEverything() async throws {
            for locker in [Locker.i3lock, .xsecurelock] {
                try await UnderManagers.judge([.openbox], percent: 5) { manager in
                    let rig = try Rig(manager, recordedAs: "\(manager) with \(locker)")
                    defer { print("\(locker), " + rig.report.summary) }
                    try rig.openAll()
                    try rig.perform([
                        .focus("alpha"), .lock(locker), .unlock, .hide(.iconify, "beta"), .lock(locker),
                        .unlock, .show(.deiconify, "beta"), .focus("alpha"),
                    ])
                    try rig.recording?.end()
                    return rig.report
                }
            }
        }

        @Test func aWindowThatOthersCoverIsInTheBackground() async throws {
            try await UnderManagers.judge([.openbox, .none], percent: 5) { manager in
                let rig = try Rig(manager, seesCovered: true, recordedAs: "\(manager) with occlusion")
                defer { print("occlusion, " + rig.report.summary) }
                try rig.openAll()
                try rig.perform([
                    .focus("beta"), .cover("alpha", by: "beta"), .uncover("alpha", by: "beta", x: 300),
                    .cover("second", by: "beta"), .cover("alpha", by: "beta"),
                    .uncover("alpha", by: "beta", x: 300), .focus("alpha"),
                ])
                try rig.recording?.end()
                return rig.report
            }
        }
    }
}

extension Step {
    fileprivate static func lock(_ locker: Locker) -> Step {
        Step(
            "\(locker) locks", limit: ("lock", "unlock"),
            isDone: { !$0.isVisible("alpha") && !$0.isVisible("beta") },
            act: { rig in
                // Typed keys are part of a password.
                rig.isKeyboardGrabbed = true
                let folder = try TemporaryFolder()
                rig.locker = (try locker.start(rig.display, folder), folder)
            })
    }

    fileprivate static var unlock: Step {
        Step(
            "it unlocks", limit: ("lock", "unlock"),
            isDone: { try $0.hasKeys("alpha") && $0.isVisible("alpha") },
            act: { rig in
                try rig.locker?.program.end()
                rig.isKeyboardGrabbed = false
            })
    }

    /// Resizes a window so that it covers another one and its frame.
    fileprivate static func cover(_ covered: String, by name: String) -> Step {
        Step(
            "\(name) covers \(covered)", limit: ("covered", "uncovered"), isDone: { !$0.isVisible(covered) },
            act: { rig in
                let middle = rig.client.middle(of: rig.window(covered))
                rig.window(name).raise()
                rig.window(name).resize(width: 240, height: 220)
                rig.window(name).move(x: middle.x - 120, y: middle.y - 120)
            })
    }

    fileprivate static func uncover(_ covered: String, by name: String, x: Int32) -> Step {
        Step(
            "\(name) uncovers \(covered)", limit: ("covered", "uncovered"), isDone: { $0.isVisible(covered) },
            act: { rig in
                rig.window(name).resize(width: 160, height: 120)
                rig.window(name).move(x: x, y: 60)
            })
    }
}
