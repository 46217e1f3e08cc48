import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// The reads that determine which windows are covered.
@Suite struct OcclusionTests {
    private let display: ObservedDisplay
    private let lower: LayoutWindow

    init() throws {
        display = try ObservedDisplay()
        display.observer.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        lower = try LayoutWindow(display.client, .plain, x: 50, y: 50, width: 100, height: 100)
        // Otherwise, the focus follows the pointer, which ends up over another window.
        display.client.setFocus(lower.id)
    }

    private func above(_ kind: LayoutWindow.Kind = .plain) throws -> LayoutWindow {
        try LayoutWindow(display.client, kind, x: 30, y: 30, width: 140, height: 140)
    }

    private func isCovered(_ window: LayoutWindow) throws -> Bool {
        let desktop = try display.seen()
        let facts = try #require(desktop.windows.facts(of: UInt32(window.id)))
        return Rule(desktop, .focus).isOccluded(facts)
    }

    /// Simulates a compositor for the next read.
    private func compose() throws {
        let owner = TestWindow(display.client, .init(), colour: 0, x: 600, y: 400, width: 5, height: 5)
        display.client.own("_NET_WM_CM_S0", with: owner)
        owner.map()
        _ = try display.seen()
        // No event reports the owner of the selection; a new window triggers the read.
        #expect(display.observer.desktop.screen.isComposited)
    }

    @Test func coversThatComeGoAndMoveAreFollowed() throws {
        #expect(try !isCovered(lower))
        let upper = try above()
        #expect(try isCovered(lower))
        upper.move(x: 80, y: 30)
        #expect(try !isCovered(lower))
        upper.move(x: 20, y: 20)
        #expect(try isCovered(lower))
        lower.raise()
        #expect(try !isCovered(lower) && !isCovered(upper))
        lower.lower()
        #expect(try isCovered(lower))
        upper.unmap()
        #expect(try !isCovered(lower))
        let other = try above(.overrideRedirect)
        #expect(try isCovered(lower))
        other.destroy()
        #expect(try !isCovered(lower))
    }

    @Test func coversThatAreThereAtTheStartAreFound() throws {
        let upper = try above(.overrideRedirect)
        for isCovered in [true, false] {
            let desktop = try display.seenLate(SessionOptions(states: [], occlusion: .seconds(2)))
            let facts = try #require(desktop.windows.facts(of: UInt32(lower.id)))
            #expect(Rule(desktop, .focus).isOccluded(facts) == isCovered)
            let cover = try #require(desktop.facts(of: UInt32(upper.id)))
            #expect((cover.mapState != .unmapped) == isCovered)
            // One that is not mapped covers nothing, and is not read.
            #expect((desktop.windows.slot(of: UInt32(upper.id)) != nil) == isCovered)
            upper.unmap()
        }
    }

    /// Before it is mapped, it is no known window.
    @Test func theOpacityOfAnUnmanagedWindowCountsNoLongerThanItIsSet() throws {
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let upper = TestWindow(
            display.client, unmanaged, colour: 0, x: 30, y: 30, width: 140, height: 140)
        upper.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [0x8000_0000])
        try compose()
        upper.map()
        #expect(try !isCovered(lower))
        upper.deleteProperty("_NET_WM_WINDOW_OPACITY")
        #expect(try isCovered(lower))
    }

    @Test func nothingIsReadOrKeptWhereNobodyAsks() throws {
        let upper = try above()
        #expect(try isCovered(lower))
        display.observer.follow(SessionOptions(states: []))
        #expect(try !isCovered(lower))
        let before = display.requestCount
        lower.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [1])
        lower.setShape([XRectangle(x: 0, y: 0, width: 5, height: 5)])
        #expect(try !isCovered(lower) && display.requestCount == before)
        display.observer.follow(SessionOptions(states: [], occlusion: .seconds(1)))
        #expect(try isCovered(lower))
        display.observer.follow(SessionOptions(states: []))
        _ = try display.seen()
        upper.setShape([XRectangle(x: 0, y: 0, width: 5, height: 5)])
        _ = try display.seen()
        display.observer.follow(SessionOptions(states: [], occlusion: .seconds(1)))
        #expect(try !isCovered(lower))
    }

    @Test func anOpacityThatIsNoneCountsAsUnset() throws {
        let upper = try above()
        try compose()
        #expect(try isCovered(lower))
        upper.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [0x8000_0000])
        #expect(try !isCovered(lower))
        upper.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [0xFFFF_FFFF])
        #expect(try isCovered(lower))
        upper.setWords("_NET_WM_WINDOW_OPACITY", "INTEGER", [5])
        #expect(try isCovered(lower))
        upper.setBytes("_NET_WM_WINDOW_OPACITY", "CARDINAL", [5, 5, 5, 5])
        #expect(try isCovered(lower))
    }

    /// Creates a frame with a client of this height, both unmapped.
    private func framed(height: UInt32) -> (frame: TestWindow, client: TestWindow) {
        display.client.manage()
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let frame = TestWindow(
            display.client, unmanaged, colour: 0, x: 30, y: 30, width: 140, height: 140)
        let client = TestWindow(display.client, .init("Alpha"), colour: 0, width: 140, height: height)
        client.setWords("WM_STATE", "WM_STATE", [1, 0])
        client.reparent(into: frame)
        return (frame, client)
    }

    /// The frame is no known window.
    @Test func theOpacityOfAFrameCountsForItsClient() throws {
        _ = try display.seen()
        let (frame, window) = framed(height: 140)
        frame.map()
        window.map()
        try compose()
        #expect(try isCovered(lower))
        frame.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [0x8000_0000])
        #expect(try !isCovered(lower))
        frame.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [0xFFFF_FFFF])
        #expect(try isCovered(lower))
        #expect(try display.seen().windows.slot(of: UInt32(frame.id)) == nil)
    }

    /// The frame is no known window, and the client is in the middle of it.
    @Test func theDrawnPartOfAFrameHidesUnlessTheFrameIsShaped() throws {
        _ = try display.seen()
        let (frame, window) = framed(height: 110)
        window.move(x: 0, y: 30)
        frame.map()
        window.map()
        #expect(try !isCovered(lower))
        window.setWords("_NET_FRAME_EXTENTS", "CARDINAL", [0, 0, 9, 0])
        #expect(try !isCovered(lower))
        window.setWords("_NET_FRAME_EXTENTS", "CARDINAL", [0, 0, 30, 0])
        #expect(try isCovered(lower))
        let place = XRectangle(x: 0, y: 0, width: 140, height: 140)
        frame.setShape([place])
        #expect(try !isCovered(lower))
        frame.setShape(nil)
        #expect(try isCovered(lower))
        window.setWords("_NET_FRAME_EXTENTS", "CARDINAL", [0, 0, 30])
        #expect(try !isCovered(lower))
    }

    @Test func anAlphaChannelHidesNothingUnderACompositor() throws {
        _ = try above(.alpha)
        #expect(try isCovered(lower))
        try compose()
        #expect(try !isCovered(lower))
    }

    @Test func aShapeIsFollowed() throws {
        let upper = try above()
        #expect(try isCovered(lower))
        upper.setShape([XRectangle(x: 0, y: 0, width: 140, height: 140)])
        #expect(try !isCovered(lower))
        upper.setShape(nil)
        #expect(try isCovered(lower))
    }

    @Test func withoutTheExtensionNothingIsShaped() throws {
        let bare = try ObservedDisplay(arguments: ["-extension", "SHAPE"])
        bare.observer.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        let lower = try LayoutWindow(bare.client, .plain, x: 50, y: 50, width: 100, height: 100)
        _ = try LayoutWindow(bare.client, .plain, x: 50, y: 50, width: 100, height: 100)
        let desktop = try bare.seen()
        #expect(
            desktop.windows.facts(of: UInt32(lower.id)).map { Rule(desktop, .focus).isOccluded($0) } == true)
    }

    @Test func underAManagerWhatIsInAFrameMovesWithIt() throws {
        let manager = try WindowManager.openbox.start(on: display.server, display.client)
        let probe = TestWindow(
            display.client, .init("Probe"), colour: 1, x: 400, y: 300, width: 50, height: 50)
        probe.map()
        let upper = try above()
        #expect(try waitUntil { try isCovered(lower) && !display.observer.isStale })
        try manager?.catchUp(with: probe)
        _ = try display.seen()
        upper.move(x: 300, y: 30)
        #expect(try waitUntil { try !isCovered(lower) })
        upper.move(x: 20, y: 20)
        #expect(try waitUntil { try isCovered(lower) })
        upper.lower()
        #expect(try waitUntil { try !isCovered(lower) })
        upper.raise()
        #expect(try waitUntil { try isCovered(lower) })
        let place = try display.seen().windows.facts(of: UInt32(upper.id))?.geometry
        display.observer.readEverything()
        #expect(try display.seen().windows.facts(of: UInt32(upper.id))?.geometry == place)
        try manager?.end()
    }
}
