import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct Life {
        @Test(arguments: WindowManager.allCases)
        func opensAndIsDestroyed(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let alpha = session.window(.init("Alpha"))
            let opened = try session.settle { alpha.map() }
            let phase = manager == .none ? "inactive" : "active"
            #expect(opened.map(\.description) == ["\(alpha.name) →\(phase) open", "Alpha →\(phase) open"])
            #expect(opened.map(\.change) == ["opened", "opened"])

            let closed = try session.settle { alpha.destroy() }
            #expect(
                closed.map(\.description) == [
                    "\(alpha.name) \(phase)→ close", "Alpha \(phase)→background close",
                    "Alpha background→ close",
                ])
            #expect(closed.map(\.change) == ["closed", "phase", "closed"])
        }

        @Test func closingOneOfTwoWindowsDoesNotChangeTheApplication() throws {
            let session = try Session(.openbox)
            try session.open("Alpha", x: 20)
            let second = try session.open("Alpha", x: 300)
            #expect(try session.applications { second.destroy() }.isEmpty)
        }

        @Test func foundAtTheStart() throws {
            var windows: [TestWindow] = []
            let session = try Session(.openbox) { stage in
                windows = [
                    try stage.show(.init("Alpha"), x: 20), try stage.show(.init("Beta"), x: 300),
                ]
            }
            #expect(
                session.initial.map(\.description) == [
                    "\(windows[0].name) →inactive start", "Alpha →inactive start",
                    "\(windows[1].name) →active start", "Beta →active start",
                ])
            #expect(session.initial.allSatisfy { $0.change == "initial" && $0.held == nil })
        }

        @Test func theSecondScreenIsWatchedAsWell() throws {
            let session = try Session(.none, screens: ["640x480x24", "320x240x24"])
            let other = try TestClient(session.display.name, screen: 1)
            let alpha = TestWindow(other, .init("Alpha"), colour: 0x30_60_90)
            #expect(try session.applications { alpha.map() } == ["Alpha →inactive open"])
            #expect(try session.applications { other.setFocus(alpha.id) } == ["Alpha inactive→active focus"])
            #expect(
                try session.applications { alpha.destroy() } == [
                    "Alpha active→background close", "Alpha background→ close",
                ])
        }
    }
}
