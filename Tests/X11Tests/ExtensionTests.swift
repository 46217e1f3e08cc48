import CXPipeline
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Extensions of the server, and servers that lack them.
struct ExtensionTests {
    static let names = Extensions.Name.allCases.filter { $0 != .xwayland }

    @Test func aServerReportsItsExtensions() throws {
        let display = try ObservedDisplay()
        let found = Extensions.Name.allCases.filter { display.observer.extensions[$0] != nil }
        // Xvfb has no monitor to switch off.
        #expect(found == Self.names.filter { $0 != .dpms })
        #expect(Set(found.map { display.observer.extensions[$0] }).count == found.count)
    }

    @Test(arguments: names)
    func aServerWithoutAnExtensionIsSeenAllTheSame(_ name: Extensions.Name) throws {
        let display = try ObservedDisplay(lacking: [name.rawValue])
        let lacking = Self.names.filter { display.observer.extensions[$0] == nil }
        #expect(lacking == Self.names.filter { $0 == name || $0 == .dpms })
        display.observer.follow(SessionOptions(occlusion: .seconds(2), idle: .seconds(1)))
        let window = TestWindow(display.client, .init("Seen"), colour: 1, x: 20, y: 30)
        window.map()
        window.move(x: 40, y: 50)
        // The other extensions still report. Their events pass through the proxy, which may delay them.
        try display.run("xset", ["s", "activate"])
        let place = Rectangle(x: 40, y: 50, width: 200, height: 150)
        #expect(
            try waitUntil {
                let seen = try display.seen()
                return seen.windows[UInt32(window.id)]?.geometry == place
                    && seen.session.displayOff == (name == .screenSaver ? nil : .blanked)
            })
        #expect((display.observer.session.idleAlarms == nil) == (name == .sync))
    }

    @Test func theMonitorsOfAScreenAreKnown() throws {
        let display = try ObservedDisplay()
        #expect(try display.seen().screen.monitors == [Rectangle(width: 640, height: 480)])
    }

    @Test func withoutRandRNothingIsKnownOfMonitors() throws {
        let display = try ObservedDisplay(arguments: ["-extension", "RANDR"])
        #expect(try display.seen().screen.monitors == nil)
    }

    @Test func monitorsAreReadAnewWhenTheLayoutChanges() throws {
        let display = try ObservedDisplay()
        _ = try display.seen()
        try display.run("xrandr", ["--setmonitor", "left", "320/100x480/200+0+0", "screen"])
        #expect(try display.seen().screen.monitors == [Rectangle(width: 320, height: 480)])
    }
}
