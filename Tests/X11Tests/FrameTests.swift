import Scenes
import TestDesktop
import Testing

@testable import X11

/// What the observer knows of a window in a frame, at each change of the frame.
@Suite struct FrameTests {
    private let display: ObservedDisplay
    private let frame: TestWindow
    private let window: TestWindow

    init() throws {
        display = try ObservedDisplay()
        frame = TestWindow(display.client, .init(), colour: 0, x: 20, y: 30)
        window = TestWindow(display.client, .init("Alpha"), colour: 0, width: 100, height: 100)
        window.setWords("WM_STATE", "WM_STATE", [1, 0])
        _ = try display.seen()
        window.reparent(into: frame)
        window.map()
        frame.map()
    }

    @Test func theWindowIsViewableOnlyWhileBothAreMapped() throws {
        #expect(try display.seen(window)?.mapState == .viewable)
        frame.unmap()
        #expect(try display.seen(window)?.mapState == .unviewable)
        window.unmap()
        #expect(try display.seen(window)?.mapState == .unmapped)
        frame.map()
        #expect(try display.seen(window)?.mapState == .unmapped)
        window.map()
        #expect(try display.seen(window)?.mapState == .viewable)
    }

    @Test func theWindowMovesWithTheFrame() throws {
        let before = try #require(try display.seen(window)?.geometry)
        frame.move(x: 120, y: 230)
        let after = try #require(try display.seen(window)?.geometry)
        #expect((after.x - before.x, after.y - before.y) == (100, 200))
    }

    @Test func aWindowThatMovesInItsFrameIsReadWhateverReportsIt() throws {
        func corner() throws -> [Int32]? { try display.seen(window)?.geometry.map { [$0.x, $0.y] } }
        window.move(x: 7, y: 9)
        #expect(try corner() == [27, 39])
        // A gravity event, and one that a window manager sends when it moves a window around the client.
        let sent = DisplayEvent.Kind.configured(
            on: UInt32(window.id), Rectangle(width: 9, height: 9), above: 0)
        for (kind, isSent, y) in [(.moved, false, 50), (sent, true, 60)] as [(DisplayEvent.Kind, Bool, Int32)]
        {
            window.move(x: 7, y: y)
            try display.observer.display.drain { _ in }
            var event = DisplayEvent(kind, of: UInt32(window.id))
            event.isSent = isSent
            display.observer.note(event)
            #expect(try corner() == [27, 30 + y])
        }
    }

    @Test func theBordersOfAWindowArePartOfItsGeometry() throws {
        for (width, outer): (UInt32, Int32) in [(0, 100), (8, 116)] {
            window.setBorder(width: width)
            let geometry = Rectangle(x: 25, y: 35, width: outer, height: outer)
            #expect(try display.seen(window)?.geometry == geometry)
        }
    }

    @Test func anUnmappedWindowThatLeavesItsFrameIsReadAgain() throws {
        window.unmap()
        #expect(try display.seen(window)?.geometry == Rectangle(x: 25, y: 35, width: 100, height: 100))
        window.reparentToRoot()
        #expect(try display.seen(window)?.geometry == Rectangle(width: 100, height: 100))
    }

    @Test func theWindowIsInTheFrameThatItIsPutInto() throws {
        #expect(try display.seen(window)?.topLevel == UInt32(frame.id))
        let other = TestWindow(display.client, .init(), colour: 0, x: 300, y: 200)
        other.map()
        window.reparent(into: other)
        #expect(try display.seen(window)?.topLevel == UInt32(other.id))
        window.reparentToRoot()
        let desktop = try display.seen()
        let seen = try #require(desktop.windows[UInt32(window.id)])
        #expect(seen.topLevel == seen.id.xid)
        #expect(seen.geometry?.width == 100 && desktop.stacking.contains(seen.id.xid))
    }
}
