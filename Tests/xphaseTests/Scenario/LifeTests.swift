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

        @Test(arguments: WindowManager.allCases)
        func withdrawnAndMappedAgain(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let alpha = try session.open("Alpha")
            try session.settle { session.focus(alpha) }
            let gone = try session.applications { alpha.withdraw() }
            #expect(gone == ["Alpha active→background close", "Alpha background→ close"])
            #expect(session.wait(for: alpha, onScreen: false))
            let again = try session.settle { alpha.map() }
            #expect(again.first?.change == "opened")
            #expect(session.wait(for: alpha, onScreen: true))
        }

        @Test(arguments: WindowManager.allCases)
        func unmappedByItsClientIsClosedAndOpensAgain(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let alpha = try session.open("Alpha")
            try session.settle { session.focus(alpha) }
            let gone = try session.applications { alpha.unmap() }
            // A window manager that takes longer than the settle time to withdraw it has it unmapped until then.
            #expect(
                ["close", "unmap"].contains { cause in
                    gone == ["Alpha active→background \(cause)", "Alpha background→ close"]
                })
            #expect(session.wait(for: alpha, onScreen: false))
            let again = try session.applications { alpha.map() }
            #expect(again.first?.hasSuffix(" open") == true)
            #expect(session.wait(for: alpha, onScreen: true))
        }

        @Test func withdrawnWhileIconified() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha")
            try session.settle { alpha.iconify() }
            #expect(try session.applications { alpha.withdraw() } == ["Alpha background→ close"])
        }

        @Test func withdrawnWhileItsDesktopIsHiddenUnderI3() throws {
            let session = try Session(.i3)
            let alpha = try session.open("Alpha")
            try session.settle { try session.switchDesktop(1) }
            #expect(try session.applications { alpha.withdraw() } == ["Alpha background→ close"])
        }

        @Test(arguments: WindowManager.allCases)
        func unmappedAndMappedAgainWithinThirtyMillisecondsChangesNothing(_ manager: WindowManager) throws {
            let session = try Session(manager)
            try session.open("Beta", x: 300)
            let alpha = try session.open("Alpha", x: 20)
            try session.settle { session.focus(alpha) }
            // Where others use the processors, the manager may take longer than the settle time.
            var told: [[Line]] = []
            for _ in 1...10 where told.last?.isEmpty != true {
                told.append(
                    try session.settle {
                        alpha.unmap()
                        alpha.map()
                        session.focus(alpha)
                    })
            }
            #expect(told.last?.isEmpty == true, "\(told)")
            #expect(try session.phase(of: alpha) == "active")
        }

        @Test func startedIconic() throws {
            let session = try Session(.openbox)
            var properties = TestWindow.Properties("Alpha")
            properties.startsIconic = true
            let alpha = session.window(properties)
            #expect(try session.applications { alpha.map() } == ["Alpha →background open"])
            #expect(!alpha.isOnScreen)
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
