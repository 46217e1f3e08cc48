import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct Focus {
        @Test(arguments: WindowManager.allCases)
        func movesFromOneApplicationToAnother(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let alpha = try session.open("Alpha", x: 20)
            let beta = try session.open("Beta", x: 300)
            try session.settle { session.focus(beta) }

            let lines = try session.settle { session.focus(alpha) }.map(\.description)
            #expect(
                lines == [
                    "\(beta.name) active→inactive blur", "Beta active→inactive blur",
                    "\(alpha.name) inactive→active focus", "Alpha inactive→active focus",
                ])
            #expect(alpha.isOnScreen && beta.isOnScreen)
        }

        @Test(arguments: WindowManager.allCases)
        func movingInsideAnApplicationDoesNotChangeIt(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let first = try session.open("Alpha", x: 20)
            let second = try session.open("Alpha", x: 300)
            try session.settle { session.focus(second) }

            let lines = try session.settle { session.focus(first) }.map(\.description)
            #expect(
                lines == ["\(second.name) active→inactive blur", "\(first.name) inactive→active focus"])
        }

        @Test func followsThePointerWhereTheServerDoesAndNobodyManages() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            let lines = try session.settle { session.client.movePointer(x: 60, y: 60) }
            #expect(
                lines.map(\.description) == [
                    "\(alpha.name) inactive→active focus", "Alpha inactive→active focus",
                ])
        }

        @Test func isLostAndComesBackThoughNoWindowIsToldOfIt() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            try session.settle { session.client.movePointer(x: 60, y: 60) }
            let (none, pointerRoot): (UInt, UInt) = (0, 1)
            #expect(
                try session.applications { session.client.setFocus(none) } == ["Alpha active→inactive blur"])
            #expect(
                try session.applications { session.client.setFocus(pointerRoot) } == [
                    "Alpha inactive→active focus"
                ])
            #expect(alpha.isOnScreen)
        }

        /// FocusOut is all that comes of it.
        @Test func isLostToAWindowThatIsNotKnown() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            try session.settle { session.focus(alpha) }
            var properties = TestWindow.Properties()
            properties.isOverrideRedirect = true
            let menu = TestWindow(session.client, properties, colour: 0)
            menu.map()
            #expect(
                try session.applications { session.client.setFocus(menu.id) } == [
                    "Alpha active→inactive blur"
                ])
        }

        @Test func isFoundHoweverDeepInsideAWindowItIs() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            let child = alpha.child(depth: 150)
            #expect(
                try session.applications { session.client.setFocus(child) } == ["Alpha inactive→active focus"]
            )
        }

        @Test func isThatOfAWindowInsideTheOneThatHoldsIt() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            let child = alpha.child()
            let lines = try session.applications { session.client.setFocus(child) }
            #expect(lines == ["Alpha inactive→active focus"])
        }

        @Test(arguments: WindowManager.allCases)
        func aKeyboardGrabChangesNothing(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let alpha = try session.open("Alpha")
            try session.settle { session.focus(alpha) }
            let lines = try session.settle {
                session.client.grabKeyboard()
                try session.settle()
                session.client.releaseKeyboard()
            }
            #expect(lines.isEmpty)
            #expect(try session.phase(of: alpha) == "active")
        }

        @Test(arguments: WindowManager.allCases)
        func quicklyBackAndForthGivesOneChangeAtMost(_ manager: WindowManager) throws {
            let session = try Session(manager)
            let alpha = try session.open("Alpha", x: 20)
            let beta = try session.open("Beta", x: 300)
            try session.settle { session.focus(beta) }
            let lines = try session.applications {
                for _ in 1...3 {
                    session.focus(alpha)
                    session.focus(beta)
                }
            }
            #expect(lines.isEmpty)
            #expect(try session.phase(of: beta) == "active")
        }
    }
}
