import Scenes
import TestDesktop
import Testing

@testable import X11

/// However many windows a client makes, no more requests are in flight than fit into the socket.
@Suite struct RequestsInFlightTests {
    private static let windowCount = 3_000
    /// The most requests that the reading of one window sends at once.
    private static let mostOfOneWindow = 32

    private let display: ObservedDisplay

    init() throws { display = try ObservedDisplay() }

    /// Reads everything and returns the greatest number of requests in flight.
    private func mostInFlight() throws -> Int {
        let observer = display.observer
        var most = 0
        display.client.sync()
        try observer.noteEvents()
        while try !observer.refresh() {
            most = max(most, observer.display.awaitedCount)
            if !observer.isInterrupted { try observer.display.wait(until: .now + DesktopObserver.patience) }
        }
        return most
    }

    @Test func theWindowsInAFrameAreSearchedInTurns() throws {
        display.client.manage()
        // The other windows are read by themselves, not searched.
        var properties = TestWindow.Properties()
        properties.isOverrideRedirect = true
        let frame = TestWindow(display.client, properties, colour: 0)
        frame.queueChildren(Self.windowCount)
        frame.map()
        display.observer.readEverything()
        let before = display.requestCount
        #expect(try mostInFlight() <= Display.mostAwaited + Self.mostOfOneWindow)
        #expect(display.requestCount - before > Self.windowCount)
    }

    @Test func theDrawingOfUnmanagedWindowsIsReadInTurns() throws {
        for _ in 0..<Self.windowCount { display.client.queueLockerCandidate(width: 1, height: 1) }
        display.observer.follow(SessionOptions(states: [], occlusion: .seconds(2)))
        let before = display.requestCount
        #expect(try mostInFlight() <= Display.mostAwaited + Self.mostOfOneWindow)
        #expect(display.requestCount - before > Self.windowCount)
    }
}
