import CXPipeline
import CXlib
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
        observer = try DesktopObserver(try Display(mask?.name ?? server.name), host: .here)
    }

    /// Runs a program of x11-xserver-utils or xdotool on the display.
    func run(_ program: String, _ arguments: [String]) throws {
        let package = program == "xdotool" ? program : "x11-xserver-utils"
        let result = try Program.run(program, arguments, package: package, environment: server.environment)
        guard result.code == 0 else { throw Failure("\(program): \(result.errors)") }
    }

    private let probes = Probes()

    /// The requests that count the others, and what was seen last, with the options of that time.
    private final class Probes {
        var count: UInt32 = 0
        var seen: (options: SessionOptions, desktop: Desktop)?
    }

    /// The number of requests that the observer has made.
    var requestCount: UInt32 {
        probes.count += 1
        return xcb_no_operation(observer.display.connection).sequence - probes.count
    }

    /// Notes that the focus came to a window or left it, as the server reports it.
    func noteFocus(isIn: Bool, _ window: TestWindow) {
        let kind = DisplayEvent.Kind.focus(isIn: isIn, mode: NotifyNormal, detail: NotifyNonlinear)
        observer.note(DisplayEvent(kind, of: UInt32(window.id)))
    }

    /// Notes that a window was created, as the server reports it.
    func noteCreation(of window: TestWindow) {
        let kind = DisplayEvent.Kind.created(Rectangle(width: 9, height: 9), isUnmanaged: false)
        observer.note(DisplayEvent(kind, of: UInt32(window.id)))
    }

    /// Returns what a program sees, which refreshes its observer only if that is stale, or has other options.
    func seen() throws -> Desktop {
        client.sync()
        // The server may not have sent the events to the observer yet. Its reply comes after them.
        probes.count += 1
        _ = try observer.reply(to: xcb_get_input_focus(observer.display.connection).sequence)
        try observer.noteEvents()
        let options = observer.session.options
        if let seen = probes.seen, seen.options == options, !observer.isStale,
            !observer.windows.hasNewTitles
        {
            return seen.desktop
        }
        let desktop = try observer.refreshNow()
        probes.seen = (options, desktop)
        return desktop
    }

    /// Returns what an observer sees that begins now.
    func seenLate(_ options: SessionOptions = SessionOptions(states: [])) throws -> Desktop {
        client.sync()
        let late = try DesktopObserver(Display(server.name), host: .here)
        late.follow(options)
        return try late.refreshNow()
    }

    /// The events of a window that are reported to the observer.
    func selectedEvents(of window: Window) throws -> Int {
        let reply = try observer.reply(to: observer.display.attributes(UInt32(window)))
        return Int(reply.fixed(xcb_get_window_attributes_reply_t.self)?.your_event_mask ?? 0)
    }

    func seen(_ window: TestWindow) throws -> SeenWindow? {
        try seen().windows[UInt32(window.id)]
    }
}

extension LocalHost {
    /// A host with a name and with programs that tests know.
    static var here: LocalHost {
        var host = LocalHost()
        (host.name, host.executable) = (Array("here".utf8), { "program-\($0)" })
        return host
    }
}
