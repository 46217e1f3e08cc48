import CXPipeline
import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// The events that the server reports, and how often.
struct EventTests {
    private let display: ObservedDisplay

    init() throws {
        display = try ObservedDisplay()
        _ = try display.seen()
    }

    @Test func whatTheRootWindowReportsOfItsChildrenTheyDoNotReportAgain() throws {
        let window = TestWindow(display.client, .init("Once"), colour: 1, width: 40, height: 30)
        window.map()
        _ = try display.seen()
        window.unmap()
        window.map()
        window.unmap()
        window.move(x: 50, y: 60)
        window.destroy()
        #expect(
            try events(of: window) == [UnmapNotify, MapNotify, UnmapNotify, ConfigureNotify, DestroyNotify])
    }

    @Test func aWindowThatIsMovedIntoAFrameIsReported() throws {
        let frame = TestWindow(display.client, .init(), colour: 0)
        let window = TestWindow(display.client, .init("Framed"), colour: 1, width: 40, height: 30)
        window.reparent(into: frame)
        _ = try display.seen()
        window.map()
        window.destroy()
        let types = try events(of: window)
        #expect(types == [MapNotify, UnmapNotify, DestroyNotify])
    }

    @Test func aWindowThatComesBackFromItsFrameIsReportedOnce() throws {
        let frame = TestWindow(display.client, .init(), colour: 0)
        let window = TestWindow(display.client, .init("Framed"), colour: 1, width: 40, height: 30)
        window.reparent(into: frame)
        _ = try display.seen()
        window.reparentToRoot()
        _ = try display.seen()
        window.map()
        #expect(try events(of: window) == [MapNotify])
    }

    /// Returns the types of the structure events of a window that have arrived.
    private func events(of window: TestWindow) throws -> [Int32] {
        display.client.sync()
        var types: [Int32] = []
        try display.observer.display.drain { event in
            if event.window == UInt32(window.id) { types.append(Int32(event.type)) }
        }
        return types
    }
}
