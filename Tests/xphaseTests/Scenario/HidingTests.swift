import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct Hiding {
        @Test func iconifyingTheFocusedWindowUnderOpenboxIsOneLine() throws {
            let session = try Session(.openbox, ["--level", "application"])
            let alpha = try session.open("Alpha")
            #expect(
                try session.settle { alpha.iconify() }.map(\.description) == [
                    "Alpha active→background iconify"
                ])
            #expect(session.wait(for: alpha, onScreen: false))
        }

        @Test func iconifiedAndBackUnderOpenbox() throws {
            let session = try Session(.openbox)
            let beta = try session.open("Beta", x: 300)
            let alpha = try session.open("Alpha", x: 20)

            let down = try session.settle { alpha.iconify() }
            #expect(
                down.map(\.description) == [
                    "\(alpha.name) active→background iconify", "Alpha active→background iconify",
                    "\(beta.name) inactive→active focus", "Beta inactive→active focus",
                ])
            #expect(session.wait(for: alpha, onScreen: false))

            let up = try session.settle { alpha.activate() }
            #expect(
                up.map(\.description) == [
                    "\(beta.name) active→inactive blur", "Beta active→inactive blur",
                    "\(alpha.name) background→active deiconify", "Alpha background→active deiconify",
                ])
            #expect(session.wait(for: alpha, onScreen: true))
        }

        @Test func putIntoTheScratchpadOfI3AndBack() throws {
            let session = try Session(.i3)
            let beta = try session.open("Beta")
            let alpha = try session.open("Alpha")
            let manager = try #require(session.manager)

            let down = try session.applications { try manager.i3("[class=Alpha] move scratchpad") }
            #expect(down == ["Alpha active→background unmap", "Beta inactive→active focus"])
            #expect(session.wait(for: alpha, onScreen: false))

            let up = try session.applications { try manager.i3("[class=Alpha] scratchpad show") }
            #expect(up == ["Beta active→inactive blur", "Alpha background→active map"])
            #expect(session.wait(for: alpha, onScreen: true))
            #expect(beta.isOnScreen)
        }

        @Test(arguments: [WindowManager.openbox, .i3])
        func onADesktopThatIsLeftAndShownAgain(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let beta = try session.open("Beta", x: 300)
            let alpha = try session.open("Alpha", x: 20)

            let away = try session.applications { try session.switchDesktop(1) }
            #expect(away.sorted() == ["Alpha active→background desktop", "Beta inactive→background desktop"])
            #expect(session.wait(for: alpha, onScreen: false))
            #expect(session.wait(for: beta, onScreen: false))

            let back = try session.applications { try session.switchDesktop(0) }
            #expect(back.sorted() == ["Alpha background→active desktop", "Beta background→inactive desktop"])
            #expect(session.wait(for: alpha, onScreen: true))
            #expect(session.wait(for: beta, onScreen: true))
        }

        @Test(arguments: [WindowManager.openbox, .i3])
        func movedToAnotherDesktop(_ manager: WindowManager) throws {
            let session = try Session(manager)
            try session.open("Beta", x: 300)
            let alpha = try session.open("Alpha", x: 20)
            let lines = try session.applications { try session.move(alpha, "Alpha", toDesktop: 1) }
            #expect(lines == ["Alpha active→background desktop", "Beta inactive→active focus"])
            #expect(session.wait(for: alpha, onScreen: false))
            #expect(try session.phase(of: alpha) == "background")
        }

        @Test func onAllDesktopsStays() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha")
            try session.settle { alpha.moveToDesktop(0xFFFF_FFFF) }
            let away = try session.applications { try session.switchDesktop(1) }
            #expect(away.allSatisfy { !$0.contains("background") })
            #expect(alpha.isOnScreen)
            #expect(try session.list(["--level", "scene"]).first { $0.scene == alpha.name }?.desktop == -1)
        }

        @Test func underTheShownDesktop() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha")
            let shown = try session.applications { session.client.showDesktop(true) }
            #expect(shown == ["Alpha active→background show-desktop"])
            #expect(session.wait(for: alpha, onScreen: false))
            let back = try session.applications { session.client.showDesktop(false) }
            #expect(back == ["Alpha background→active show-desktop"])
            #expect(session.wait(for: alpha, onScreen: true))
        }

        @Test func aShadedWindowIsInTheBackground() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha")
            let down = try session.applications { alpha.setState("SHADED", true) }
            #expect(down == ["Alpha active→background shade"])
            #expect(session.wait(for: alpha, onScreen: false))
            let up = try session.applications { alpha.setState("SHADED", false) }
            #expect(up == ["Alpha background→active shade"])
            #expect(session.wait(for: alpha, onScreen: true))
        }

        @Test func aWindowThatIsShadedAtTheStartIsInTheBackground() throws {
            var window: TestWindow?
            let session = try Session(.openbox) { stage in
                let alpha = try stage.show(TestWindow.Properties("Alpha"))
                alpha.setState("SHADED", true)
                guard waitUntil({ !alpha.isOnScreen }) else { throw Failure("openbox does not shade") }
                window = alpha
            }
            #expect(try session.phase(of: #require(window)) == "background")
        }

        @Test func behindAFullscreenWindowUnderOpenboxNothingChanges() throws {
            let session = try Session(.openbox)
            let alpha = try session.open("Alpha", x: 20)
            let beta = try session.open("Beta", x: 300)
            let lines = try session.settle { beta.setState("FULLSCREEN", true) }
            #expect(lines.isEmpty)
            #expect(session.wait(for: alpha, onScreen: false))
            #expect(try session.phase(of: alpha) == "inactive")
        }

        @Test func behindAFullscreenWindowI3UnmapsTheOthers() throws {
            let session = try Session(.i3)
            let alpha = try session.open("Alpha")
            let beta = try session.open("Beta")
            let lines = try session.applications { beta.setState("FULLSCREEN", true) }
            #expect(lines == ["Alpha inactive→background unmap"])
            #expect(session.wait(for: alpha, onScreen: false))
        }

        @Test func aTabOfI3ThatIsNotInFront() throws {
            let session = try Session(.i3)
            let alpha = try session.open("Alpha")
            let beta = try session.open("Beta")
            let manager = try #require(session.manager)
            let tabbed = try session.applications { try manager.i3("layout tabbed") }
            #expect(tabbed == ["Alpha inactive→background tab"])
            #expect(session.wait(for: alpha, onScreen: false))

            let other = try session.applications { session.focus(alpha) }
            #expect(other == ["Beta active→background tab", "Alpha background→active tab"])
            #expect(session.wait(for: beta, onScreen: false))
            #expect(session.wait(for: alpha, onScreen: true))
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

extension Session {
    func switchDesktop(_ number: Int) throws {
        if let manager, manager.kind == .i3 {
            // The number of a desktop is the place of an i3 workspace among those that exist.
            try manager.i3("workspace \(number + 1)")
        } else {
            client.switchDesktop(number)
        }
    }

    func move(_ window: TestWindow, _ className: String, toDesktop number: Int) throws {
        if let manager, manager.kind == .i3 {
            try manager.i3("[class=\(className)] move container to workspace \(number + 1)")
        } else {
            window.moveToDesktop(number)
        }
    }
}
