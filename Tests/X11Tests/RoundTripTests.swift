import CXlib
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Facts that an event reports are not queried.
@Suite struct RoundTripTests {
    private let display: ObservedDisplay
    private let alpha: TestWindow
    private let beta: TestWindow

    init() throws {
        display = try ObservedDisplay()
        alpha = TestWindow(display.client, .init("Alpha"), colour: 0, x: 20, y: 30)
        beta = TestWindow(display.client, .init("Beta"), colour: 1, x: 300, y: 30)
        alpha.map()
        beta.map()
        display.client.setFocus(alpha.id)
        _ = try display.seen()
    }

    /// Returns the desktop after `action`, and the number of requests that it took.
    private func seen(after action: () -> Void) throws -> (desktop: Desktop, requests: UInt32) {
        let before = display.requestCount
        action()
        let desktop = try display.seen()
        return (desktop, display.requestCount - before)
    }

    @Test func aFocusThatGoesFromWindowToWindowIsNotAskedFor() throws {
        let (desktop, requests) = try seen {
            display.client.setFocus(beta.id)
            display.client.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [beta.id])
        }
        #expect(desktop.inputFocus == .window(UInt32(beta.id)))
        #expect(requests == 0)
    }

    @Test func namesOfDesktopsAreNotReadWhereNobodyWantsThem() throws {
        let (_, requests) = try seen { display.client.setRootText("_NET_DESKTOP_NAMES", "web") }
        #expect(requests == 0)
    }

    @Test func aFocusThatIsReportedInNoWindowIsAskedFor() throws {
        let observer = display.observer
        display.client.setFocus(0)
        display.noteFocus(isIn: false, alpha)
        let requests = try seen {}.requests
        #expect(requests > 0 && observer.desktop.inputFocus == .none && !observer.isStale)
    }

    @Test func theFocusInsideOfAWindowIsTheFocusOfThatWindow() throws {
        let child = beta.child(depth: 2)
        let (desktop, requests) = try seen { display.client.setFocus(child) }
        #expect(desktop.inputFocus == .window(UInt32(beta.id)))
        #expect(requests == 0)
        #expect(
            try seen { display.client.setFocus(alpha.id) }.desktop.inputFocus == .window(UInt32(alpha.id)))
    }

    @Test func aFocusThatGoesToNoKnownWindowIsAskedFor() throws {
        let (desktop, requests) = try seen { display.client.setFocus(0) }
        #expect(desktop.inputFocus == .none)
        #expect(requests > 0)
    }

    @Test func mappingAChildOfTheRootWindowIsNotAskedFor() throws {
        let gone = try seen { beta.unmap() }
        #expect(gone.desktop.windows[UInt32(beta.id)]?.mapState == .unmapped && gone.requests == 0)
        let back = try seen { beta.map() }
        #expect(back.desktop.windows[UInt32(beta.id)]?.mapState == .viewable && back.requests == 0)
    }

    @Test func theActiveWindowIsReadWhereTheInputFocusDoesNotReport() throws {
        display.client.manage()
        display.client.setRoot("_NET_CLIENT_LIST", "WINDOW", [alpha.id, beta.id])
        display.client.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [alpha.id])
        alpha.setWords("WM_STATE", "WM_STATE", [1, 0])
        beta.setWords("WM_STATE", "WM_STATE", [1, 0])
        #expect(try Focus(on: display.seen()).holder == UInt32(alpha.id))
        let (desktop, requests) = try seen {
            display.client.setRoot("_NET_ACTIVE_WINDOW", "WINDOW", [beta.id])
        }
        #expect(Focus(on: desktop).holder == UInt32(alpha.id) && requests == 0)
        let left = try seen { display.client.setFocus(0) }.desktop
        #expect(Focus(on: left).holder == UInt32(beta.id))
    }

    @Test func titlesAreReadOnlyWhereTheyAreUsed() throws {
        let observer = display.observer
        observer.details = []
        _ = try display.seen()
        let (desktop, requests) = try seen { beta.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("new".utf8)) }
        #expect(desktop.windows[UInt32(beta.id)]?.title == nil && requests == 0)
        observer.details = .titles
        #expect(try display.seen(beta)?.title == "new")
    }

    @Test func theTitleOfAWindowWithoutAClassIsReadAllTheSame() throws {
        display.observer.details = []
        var properties = TestWindow.Properties()
        properties.title = "nameless"
        let window = TestWindow(display.client, properties, colour: 2)
        window.map()
        #expect(try display.seen(window)?.title == "nameless")
        window.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("another".utf8))
        #expect(try display.seen(window)?.title == "another")
    }

    /// This includes the manager's events. A window in a frame that has moved is read.
    @Test(arguments: [WindowManager.none, .openbox])
    func aRaiseALoweringAndAMoveWithoutAFrameAreNotAskedFor(_ kind: WindowManager) throws {
        let display = try ObservedDisplay()
        let manager = try kind.start(on: display.server, display.client)
        display.observer.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        let (lower, upper) = (
            TestWindow(display.client, .init("Alpha"), colour: 0, x: 20, y: 40),
            TestWindow(display.client, .init("Beta"), colour: 1, x: 100, y: 60)
        )
        let marker = TestWindow(display.client, .init("Marker"), colour: 2, x: 400, y: 300)
        for window in [lower, upper, marker] { window.map() }
        display.client.setFocus(upper.id)
        /// Returns the stacking order and the geometry of `lower`.
        func seen() throws -> [String] {
            let desktop = try display.seen()
            let order = desktop.stacking.order.reversed().map { String($0) }
            return order + ["\(String(describing: desktop.windows[UInt32(lower.id)]?.geometry))"]
        }
        /// Returns the number of requests after all effects of an action, and after a new state of the marker.
        func requests(_ action: () -> Void = {}) throws -> UInt32 {
            let before = display.requestCount
            action()
            display.client.sync()
            try manager?.catchUp(with: marker)
            _ = try seen()
            return display.requestCount - before
        }
        var usual = try requests()
        let isStable = try waitUntil {
            let last = usual
            usual = try requests()
            return usual == last
        }
        #expect(isStable && (usual > 0) == (kind != .none))
        for (isMove, action) in [
            (false, lower.raise), (false, lower.lower), (true, { lower.move(x: 60, y: 90) }),
        ] {
            let before = try seen()
            #expect(try requests(action) == usual || isMove && kind != .none)
            #expect(try waitUntil { try seen() != before })
        }
        try manager?.end()
    }
}
