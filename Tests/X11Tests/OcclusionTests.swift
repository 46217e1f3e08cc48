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
        return desktop.isOccluded(facts)
    }

    /// Simulates a compositor for the next read.
    private func compose() throws {
        let owner = TestWindow(display.client, .init(), colour: 0, x: 600, y: 400, width: 5, height: 5)
        display.client.own("_NET_WM_CM_S0", with: owner)
        owner.map()
        _ = try display.seen()
        // No event reports the owner of the selection; a new window triggers the read.
        #expect(display.observer.desktop.screens[0].isComposited)
    }

    @Test func whatComesGoesAndMovesIsFollowed() throws {
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

    @Test func whatIsThereAtTheStartIsFound() throws {
        _ = try above()
        let late = try DesktopObserver(
            try Display(display.server.name), hostName: "", executable: { _ in nil })
        late.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        let desktop = try late.refreshNow()
        #expect(desktop.windows.facts(of: UInt32(lower.id)).map { desktop.isOccluded($0) } == true)
    }

    @Test func nothingIsReadOrKeptWhereNobodyAsks() throws {
        _ = try above()
        #expect(try isCovered(lower))
        display.observer.follow(SessionOptions(states: []))
        #expect(try !isCovered(lower))
        #expect(display.observer.desktop.surfaces.isEmpty && display.observer.occlusion.facts.isEmpty)
        let before = display.requestCount
        lower.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [1])
        lower.setShape([XRectangle(x: 0, y: 0, width: 5, height: 5)])
        #expect(try !isCovered(lower) && display.requestCount == before)
        display.observer.follow(SessionOptions(states: [], occlusion: .seconds(1)))
        #expect(try isCovered(lower))
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
        upper.setWords("_NET_WM_WINDOW_OPACITY", "CARDINAL", [5, 5])
        #expect(try isCovered(lower))
        upper.setBytes("_NET_WM_WINDOW_OPACITY", "CARDINAL", [5, 5, 5, 5])
        #expect(try isCovered(lower))
    }

    @Test func anOpaqueRegionThatIsNoneCountsAsUnset() throws {
        let upper = try above(.alpha)
        try compose()
        #expect(try !isCovered(lower))
        let name = "_NET_WM_OPAQUE_REGION"
        upper.setWords(name, "CARDINAL", [0, 0, 140, 140])
        #expect(try isCovered(lower))
        for region: [UInt] in [
            [], [0, 0, 140], [0, 0, 140, 140, 0], [0, 0, 0xFFFF_FFFF, 140], [0x7FFF_FFFF, 0, 140, 140],
            [0, 0, 70, 140], Array(repeating: [0, 0, 140, 140], count: 10_000).flatMap(\.self),
        ] {
            upper.setWords(name, "CARDINAL", [0, 0, 140, 140])
            #expect(try isCovered(lower))
            upper.setWords(name, "CARDINAL", region)
            #expect(try !isCovered(lower), "\(region.prefix(5))")
        }
        upper.setWords(name, "INTEGER", [0, 0, 140, 140])
        #expect(try !isCovered(lower))
        upper.setBytes(name, "CARDINAL", Array(repeating: 100, count: 16))
        #expect(try !isCovered(lower))
    }

    @Test func aShadowThatIsNoneCountsAsUnset() throws {
        let upper = try LayoutWindow(display.client, .plain, x: 60, y: 60, width: 80, height: 80)
        #expect(try !isCovered(lower))
        let name = "_GTK_FRAME_EXTENTS"
        lower.setWords(name, "CARDINAL", [10, 10, 10, 10])
        #expect(try isCovered(lower))
        for margins: [UInt] in [
            [], [10, 10, 10], [10, 10, 10, 10, 10], [0xFFFF_FFFF, 10, 10, 10], [1000, 1000, 1000, 1000],
        ] {
            lower.setWords(name, "CARDINAL", margins)
            #expect(try !isCovered(lower), "\(margins)")
        }
        lower.setWords(name, "INTEGER", [10, 10, 10, 10])
        #expect(try !isCovered(lower))
        upper.raise()
    }

    /// False frame extents do not enlarge the area that a window covers.
    @Test func aFrameReachesNoFurtherThanItsWindow() throws {
        let upper = try LayoutWindow(display.client, .plain, x: 60, y: 60, width: 80, height: 80)
        try compose()
        upper.setWords("_NET_FRAME_EXTENTS", "CARDINAL", [500, 500, 500, 500])
        #expect(try !isCovered(lower))
        upper.setWords("_NET_FRAME_EXTENTS", "CARDINAL", [0xFFFF_FFFF, 0x7FFF_FFFF, 1, 1])
        #expect(try !isCovered(lower))
    }

    @Test func aShapeIsFollowed() throws {
        let upper = try above()
        #expect(try isCovered(lower))
        upper.setShape([
            XRectangle(x: 0, y: 0, width: 70, height: 140), XRectangle(x: 71, y: 0, width: 69, height: 140),
        ])
        #expect(try !isCovered(lower))
        upper.setShape([
            XRectangle(x: 0, y: 0, width: 70, height: 140), XRectangle(x: 70, y: 0, width: 70, height: 140),
        ])
        #expect(try isCovered(lower))
        upper.setShape([])
        #expect(try !isCovered(lower))
        upper.setShape(nil)
        #expect(try isCovered(lower))
    }

    /// The 2500 rectangles exceed the limit.
    @Test func aShapeOfTooManyPiecesHidesNothingAndIsNotCovered() throws {
        let upper = try above()
        var many: [XRectangle] = []
        for y in stride(from: 0, to: 100, by: 2) as StrideTo<Int16> {
            for x in stride(from: 0, to: 100, by: 2) as StrideTo<Int16> {
                many.append(XRectangle(x: x, y: y, width: 1, height: 1))
            }
        }
        lower.setShape(many)
        #expect(try !isCovered(lower))
        lower.setShape(nil)
        #expect(try isCovered(lower))
        upper.setShape(many)
        #expect(try !isCovered(lower))
    }

    @Test func withoutTheExtensionNothingIsShaped() throws {
        let bare = try ObservedDisplay(arguments: ["-extension", "SHAPE"])
        bare.observer.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        let lower = try LayoutWindow(bare.client, .plain, x: 50, y: 50, width: 100, height: 100)
        _ = try LayoutWindow(bare.client, .plain, x: 50, y: 50, width: 100, height: 100)
        let desktop = try bare.seen()
        #expect(desktop.windows.facts(of: UInt32(lower.id)).map { desktop.isOccluded($0) } == true)
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
        let place = try display.seen().windows.facts(of: UInt32(upper.id))?.place
        display.observer.readEverything()
        #expect(try display.seen().windows.facts(of: UInt32(upper.id))?.place == place)
        try manager?.end()
    }
}
