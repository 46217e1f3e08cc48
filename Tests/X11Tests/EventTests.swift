import CXPipeline
import CXlib
import Scenes
import Testing

@testable import TestDesktop
@testable import X11

/// Which of the server's events are told, and how often.
struct EventTests {
    private let display: ObservedDisplay

    init() throws {
        display = try ObservedDisplay()
        _ = try display.seen()
    }

    @Test func whatAWindowAndItsParentTellComesOnce() throws {
        let window = TestWindow(display.client, .init("Twice"), colour: 1, width: 40, height: 30)
        window.map()
        _ = try display.seen()
        window.unmap()
        window.map()
        window.unmap()
        window.move(x: 50, y: 60)
        window.destroy()
        let told = try events()
        #expect(
            told
                == ["unmapped", "mapped", "unmapped", "configured", "destroyed"].map { "\($0) \(window.id)" })
    }

    @Test func whatTheParentAloneTellsIsNotLost() throws {
        let window = TestWindow(display.client, .init("Once"), colour: 1, width: 40, height: 30)
        window.map()
        window.unmap()
        let told = try events()
        #expect(told == ["created", "mapped", "unmapped"].map { "\($0) \(window.id)" })
    }

    @Test func whatCameBeforeTheEventsWereKeptHoldsNothingUp() throws {
        let late = try TestClient(display.server.name)
        // New buttons are told to every client, unasked.
        var buttons = [UInt8](repeating: 0, count: 16)
        let count = XGetPointerMapping(display.client.display, &buttons, 16)
        buttons[..<Int(count)].reverse()
        XSetPointerMapping(display.client.display, buttons, count)
        display.client.sync()
        late.sync()
        #expect(XEventsQueued(late.display, QueuedAlready) > 0)
        let events = cxp_keep_events(late.display, false)
        XSelectInput(late.display, late.root, SubstructureNotifyMask)
        late.sync()
        _ = TestWindow(display.client, .init("After"), colour: 1, width: 40, height: 30)
        display.client.sync()
        #expect(
            waitUntil {
                XPending(late.display)
                return cxp_event_count(events) > 0
            })
    }

    /// What the events say of the structure of windows.
    private func events() throws -> [String] {
        display.client.sync()
        var events: [String] = []
        try display.observer.display.drain { event in
            switch event {
            case .created(let xid, _, _): events.append("created \(xid)")
            case .destroyed(let xid): events.append("destroyed \(xid)")
            case .mapped(let xid, _, _): events.append("mapped \(xid)")
            case .unmapped(let xid, _): events.append("unmapped \(xid)")
            case .configured(let xid): events.append("configured \(xid)")
            default: break
            }
        }
        return events
    }
}
