import CXPipeline
import Scenes
import TestDesktop
import Testing

@testable import X11

/// Extensions of the server, and servers that lack them.
struct ExtensionTests {
    static let names = ["MIT-SCREEN-SAVER", "DPMS", "XINERAMA", "SYNC", "SHAPE", "X-Resource"]

    private func opcodes(_ extensions: Extensions) -> [UInt8?] {
        [
            extensions.screenSaver, extensions.dpms, extensions.xinerama, extensions.sync, extensions.shape,
            extensions.resource,
        ]
    }

    @Test func aServerReportsItsExtensions() throws {
        let display = try ObservedDisplay()
        let found = opcodes(display.observer.extensions)
        // Xvfb has no monitor to switch off.
        #expect(found.map { $0 != nil } == [true, false, true, true, true, true])
        #expect(Set(found.compactMap { $0 }).count == 5)
        #expect(!display.observer.extensions.isXWayland)
    }

    @Test(arguments: names)
    func aServerWithoutAnExtensionIsSeenAllTheSame(_ name: String) throws {
        let display = try ObservedDisplay(lacking: [name])
        let found = opcodes(display.observer.extensions)
        #expect(
            zip(Self.names, found).filter { $1 == nil }.map(\.0)
                == Self.names.filter { $0 == name || $0 == "DPMS" })
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
                return seen.windows[UInt32(window.id)]?.place == place
                    && seen.session.displayOff == (name == Self.names[0] ? nil : .blanked)
            })
        #expect((display.observer.session.idleAlarms == nil) == (name == "SYNC"))
    }

    @Test func theMonitorsOfAScreenAreKnown() throws {
        let display = try ObservedDisplay()
        #expect(try display.seen().screen.monitors == [Rectangle(width: 640, height: 480)])
    }

    @Test func withoutXINERAMANothingIsKnownOfMonitors() throws {
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
