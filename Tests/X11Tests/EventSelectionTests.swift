import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// What the server reports to the observer of each kind of window.
@Suite struct EventSelectionTests {
    private let display: ObservedDisplay
    private let unmanaged: TestWindow.Properties

    init() throws {
        display = try ObservedDisplay()
        var properties = TestWindow.Properties("Suite")
        properties.isOverrideRedirect = true
        unmanaged = properties
        // A focus that follows the pointer selects more.
        display.client.setFocus(0)
        // No event from before the first reading is reported.
        _ = try display.seen()
    }

    private func window(_ properties: TestWindow.Properties, in outer: TestWindow? = nil) -> TestWindow {
        let window = TestWindow(display.client, properties, colour: 0)
        if let outer { window.reparent(into: outer) }
        return window
    }

    @Test func theRootWindowReportsItsChildrenAndTheFocus() throws {
        let mask = SubstructureNotifyMask | StructureNotifyMask | PropertyChangeMask | FocusChangeMask
        #expect(try display.selectedEvents(of: display.client.root) == mask)
    }

    /// The root window reports the structure of its children.
    @Test func aWindowReportsWhatItsFactsDependOn() throws {
        let frame = window(unmanaged)
        // Leaders that are no known windows, and one that is.
        let leaders = [window(unmanaged), window(unmanaged, in: frame), window(.init("Alpha"))]
        let led = leaders.map { leader in
            let window = window(.init(), in: frame)
            window.setLeader(leader)
            return window
        }
        _ = try display.seen()
        let all = PropertyChangeMask | FocusChangeMask
        let rows: [(TestWindow, Int)] = [
            (frame, 0), (leaders[0], PropertyChangeMask),
            (leaders[1], PropertyChangeMask | StructureNotifyMask), (leaders[2], all),
        ]
        for (number, row) in (rows + led.map { ($0, all | StructureNotifyMask) }).enumerated() {
            #expect(try display.selectedEvents(of: row.0.id) == row.1, "window \(number)")
        }
        display.client.setFocus(display.client.root)
        _ = try display.seen()
        let pointer = EnterWindowMask | LeaveWindowMask
        #expect(try display.selectedEvents(of: leaders[2].id) == all | pointer)
        #expect(try display.selectedEvents(of: leaders[0].id) == PropertyChangeMask)
    }

    /// Its events were selected with the first read, which the server has not answered yet.
    @Test func aWindowThatIsBeingReadKeepsItsSelection() throws {
        let events = EventSelection(display.observer.mirror)
        let window = window(unmanaged)
        for isBeingRead in [true, false] {
            events.select(UInt32(window.id))
            events.unanswered = isBeingRead ? [UInt32(window.id)] : []
            events.select(unknown: UInt32(window.id))
            let hasFocus = try display.selectedEvents(of: window.id) & FocusChangeMask != 0
            #expect(hasFocus == isBeingRead)
        }
    }
}
