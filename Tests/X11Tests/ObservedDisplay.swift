import CXPipeline
import Scenes
import TestDesktop

@testable import X11

/// A display, a client on it and the observer of both.
struct ObservedDisplay {
    let server: VirtualDisplay
    let client: TestClient
    let observer: DesktopObserver

    private let mask: ProxyDisplay?

    /// - Parameter lacking: Extensions that are hidden from the observer.
    init(screens: [String] = ["640x480x24"], arguments: [String] = [], lacking: [String] = []) throws {
        server = try VirtualDisplay(screens: screens, arguments: arguments)
        mask = lacking.isEmpty ? nil : try ProxyDisplay(server, lacking: lacking)
        client = try TestClient(server.name)
        observer = try DesktopObserver(
            try Display(mask?.name ?? server.name), hostName: "here", executable: { "program-\($0)" })
    }

    /// Runs a program of x11-xserver-utils or xdotool on the display.
    func run(_ program: String, _ arguments: [String]) throws {
        let package = program == "xdotool" ? program : "x11-xserver-utils"
        let result = try Program.run(program, arguments, package: package, environment: server.environment)
        guard result.code == 0 else { throw Failure("\(program): \(result.errors)") }
    }

    /// The number of requests that the observer has made.
    var requestCount: UInt64 { cxp_request_count(observer.display.connection) }

    func seen() throws -> Desktop {
        client.sync()
        try observer.noteEvents()
        return try observer.refreshNow()
    }

    func seen(_ window: TestWindow) throws -> SeenWindow? {
        try seen().windows[UInt32(window.id)]
    }
}

extension cxp_event {
    /// Returns an event as the server generates it, not one that a client sends.
    static func made(_ type: Int32, of window: TestWindow, value: UInt32 = 0) -> cxp_event {
        var event = cxp_event()
        event.type = UInt8(type)
        event.window = UInt32(window.id)
        event.value = value
        return event
    }
}
