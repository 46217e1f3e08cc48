import TestDesktop
import Testing

extension DesktopTests {
    @Suite struct Focus {
        @Test func followsThePointerWhereTheServerDoesAndNobodyManages() throws {
            let session = try Session(.none)
            let alpha = try session.open("Alpha")
            let lines = try session.settle { session.client.movePointer(x: 60, y: 60) }
            #expect(
                lines.map(\.description) == [
                    "\(alpha.name) inactive→active focus", "Alpha inactive→active focus",
                ])
        }

        @Test func isLostAndComesBackWithoutAFocusEvent() throws {
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

        /// FocusOut is the only event.
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
    }
}
