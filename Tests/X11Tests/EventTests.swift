import Scenes
import TestDesktop
import Testing

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
