import CXPipeline
import Scenes
import TestDesktop

@testable import X11

/// A display, a client on it and the observer of both.
struct ObservedDisplay {
    let server: VirtualDisplay
    let client: TestClient
    let observer: DesktopObserver

    init(screens: [String] = ["640x480x24"], arguments: [String] = []) throws {
        server = try VirtualDisplay(screens: screens, arguments: arguments)
        client = try TestClient(server.name)
        observer = try DesktopObserver(
            try Display(server.name), hostName: "here", executable: { "program-\($0)" })
    }

    /// How many requests the observer has made.
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
    /// One that no client has sent.
    static func made(_ type: Int32, of window: TestWindow, value: UInt32 = 0) -> cxp_event {
        var event = cxp_event()
        event.type = UInt8(type)
        event.window = UInt32(window.id)
        event.value = value
        return event
    }
}
