import Scenes
import TestDesktop

@testable import X11

/// A display, a client on it and the observer of both.
struct ObservedDisplay {
    let server: VirtualDisplay
    let client: TestClient
    let observer: DesktopObserver

    init(screens: [String] = ["640x480x24"]) throws {
        server = try VirtualDisplay(screens: screens)
        client = try TestClient(server.name)
        observer = DesktopObserver(
            try Display(server.name), hostName: "here", executable: { "program-\($0)" })
    }

    func seen() throws -> Desktop {
        client.sync()
        try observer.noteEvents()
        return try observer.refresh()
    }

    func seen(_ window: TestWindow) throws -> SeenWindow? {
        try seen().windows[UInt32(window.id)]
    }
}
