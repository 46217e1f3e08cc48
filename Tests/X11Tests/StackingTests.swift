import CXPipeline
import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// The stacking order that is maintained from events equals the server's.
@Suite struct StackingTests {
    /// Returns whether the observer's order equals the server's, which a server grab keeps from changing.
    private func isRight(_ display: ObservedDisplay) throws -> Bool {
        _ = try display.seen()
        display.client.grabServer()
        defer { display.client.releaseServer() }
        let truth = display.client.stacking
        return try waitUntil(within: .seconds(5)) {
            try display.observer.noteEvents()
            return order(display) == truth
        }
    }

    private func order(_ display: ObservedDisplay) -> [UInt32] {
        display.observer.desktop.stacking.order
    }

    private func make(_ display: ObservedDisplay, isOverrideRedirect: Bool = false) -> TestWindow {
        var properties = TestWindow.Properties("Alpha")
        properties.isOverrideRedirect = isOverrideRedirect
        return TestWindow(
            display.client, properties, colour: 0, x: .random(in: 0..<400), y: .random(in: 0..<300))
    }

    @Test(arguments: [WindowManager.none, .openbox, .i3])
    func aThousandRandomRestackingsGiveTheOrderOfTheServer(_ kind: WindowManager) throws {
        let display = try ObservedDisplay()
        let manager = try kind.start(on: display.server, display.client)
        var windows: [TestWindow] = []
        for step in 0..<1000 {
            let index = windows.indices.randomElement()
            let sibling = windows.randomElement()
            switch (Int.random(in: 0..<12), index, sibling) {
            case (0, _, _) where windows.count < 20, (_, nil, _), (_, _, nil):
                windows.append(make(display, isOverrideRedirect: step % 3 == 0))
                windows.last?.map()
            case (1, let index?, _): windows.remove(at: index).destroy()
            case (2, let index?, _): windows[index].unmap()
            case (3, let index?, _): windows[index].map()
            case (4, let index?, _): windows[index].lower()
            case (5, let index?, _): windows[index].move(x: .random(in: 0..<400), y: 9)
            case (6, _, _): display.client.circulate(Bool.random() ? RaiseLowest : LowerHighest)
            case (7, let index?, let sibling?): windows[index].restack(Above, sibling)
            case (8, let index?, let sibling?): windows[index].restack(Below, sibling)
            default: windows[index ?? 0].raise()
            }
            try #require(try isRight(display), "\(kind) after \(step)")
        }
        try manager?.end()
    }

    /// If the events were applied again, a raise before a lowering would persist.
    @Test func eventsFromBeforeTheOrderWasReadAreIgnored() throws {
        let display = try ObservedDisplay()
        let windows = (0..<3).map { _ in make(display) }
        for window in windows {
            window.map()
            window.move(x: 9, y: 9)
        }
        #expect(try isRight(display))
        windows[0].raise()
        windows[2].lower()
        let frame = make(display)
        windows[1].reparent(into: frame)
        windows[1].reparentToRoot()
        make(display).destroy()
        display.client.circulate(RaiseLowest)
        windows[0].raise()
        display.observer.readEverything()
        _ = try display.observer.refreshNow()
        #expect(order(display) == display.client.stacking)
        #expect(try isRight(display))
        windows[1].lower()
        #expect(try isRight(display))
    }

    /// The server numbers its events by the last request, and the numbers come again after 2^32.
    @Test func anEventIsOlderThanTheReadOfTheOrderByItsNumber() throws {
        let display = try ObservedDisplay()
        let windows = (0..<2).map { _ in make(display) }
        #expect(try isRight(display))
        let last = xcb_no_operation(display.observer.display.connection).sequence
        display.observer.tree.readChildren { _ in }
        _ = try display.observer.refreshNow()
        let read = last + 1
        for (number, isNewer) in [(last, false), (read, true), (read &+ 1 << 31, true)] {
            let top = order(display)
            let kind = DisplayEvent.Kind.configured(
                on: UInt32(display.client.root), Rectangle(width: 9, height: 9), above: top[top.count - 1])
            var event = DisplayEvent(kind, of: top[top.count - 2])
            event.sequence = number
            display.observer.note(event)
            #expect((order(display) != top) == isNewer, "\(number) after \(read)")
        }
        withExtendedLifetime(windows) {}
    }

    /// It does not list them either.
    @Test func theWindowsOfTheServerItselfAreNoChildren() throws {
        let display = try ObservedDisplay()
        _ = try display.seen()
        let kind = DisplayEvent.Kind.created(Rectangle(width: 9, height: 9), isUnmanaged: true)
        var event = DisplayEvent(kind, of: 5)
        event.sequence = xcb_no_operation(display.observer.display.connection).sequence
        display.observer.note(event)
        #expect(display.observer.desktop.facts(of: 5) == nil)
    }

    @Test func aWindowThatComesOutOfAFrameHasAGeometryAgain() throws {
        let scene = try ObservedDisplay()
        let frame = TestWindow(scene.client, .init(), colour: 0)
        let window = TestWindow(scene.client, .init("Alpha"), colour: 0, width: 70, height: 50)
        for window in [frame, window] { window.map() }
        window.reparent(into: frame)
        #expect(try !scene.seen().stacking.contains(UInt32(window.id)))
        window.reparentToRoot()
        let desktop = try scene.seen()
        let child = desktop.facts(of: UInt32(window.id))
        #expect(child?.geometry == Rectangle(width: 70, height: 50) && child?.mapState == .viewable)
        #expect(desktop.stacking.contains(UInt32(window.id)))
    }

    @Test func aWindowThatAManagerTakesIntoItsFrameIsAChildOfTheRootWindowNoLonger() throws {
        let display = try ObservedDisplay()
        let (frame, window) = (make(display), make(display))
        window.reparent(into: frame)
        #expect(try isRight(display))
        #expect(order(display).contains(UInt32(frame.id)) && !order(display).contains(UInt32(window.id)))
        frame.raise()
        window.reparentToRoot()
        #expect(try isRight(display))
        #expect(order(display).last == UInt32(window.id))
    }
}
