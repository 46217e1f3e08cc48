import PhaseWatch
import Synchronization
import System
import TestDesktop
import Testing

/// A real display with the windows of a test, for a monitor to watch.
struct MonitoredDisplay {
    static let colours: [UInt] = [0x30_50_70, 0x90_20_50, 0x20_90_30, 0xA0_A0_20]

    let server: VirtualDisplay
    let client: TestClient
    let manager: RunningManager?

    init(_ kind: WindowManager = .none) throws {
        server = try VirtualDisplay()
        client = try TestClient(server.name)
        // Without a window manager the window under the pointer has the focus.
        client.movePointer(x: 630, y: 470)
        manager = try kind.start(on: server, client)
    }

    func options(_ change: (inout PhaseMonitor.Options) -> Void = { _ in }) -> PhaseMonitor.Options {
        var options = PhaseMonitor.Options(display: server.name)
        change(&options)
        return options
    }

    /// Creates a window and waits until it is on the screen.
    func show(_ name: String, at place: Int, isOwn: Bool = false) throws -> TestWindow {
        let window = TestWindow(
            client, .init(name), colour: Self.colours[place], x: 10 + Int32(place) * 150, width: 100)
        if isOwn { window.setOwner(ofThisProcess: true) }
        window.map()
        guard waitUntil({ window.isOnScreen }) else { throw Failure("\(name) does not appear") }
        return window
    }
}

extension TestWindow {
    func setTitle(_ title: String) { setBytes("_NET_WM_NAME", "UTF8_STRING", Array(title.utf8)) }
}

/// A list of lines. Any thread may add to it.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// Waits until a condition holds, without blocking other tasks. Returns false if it does not hold by the deadline.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try !condition() {
        if ContinuousClock.now > end { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
    return true
}

extension Change {
    /// The change as a line such as `Alpha active→background iconify`.
    var text: String {
        var name = application
        if let group { name += "/\(group)" }
        if case .scene(let facts) = subject { name += "/\(facts.id)" }
        return "\(name) \(from?.rawValue ?? "")→\(to?.rawValue ?? "") \(cause.rawValue)"
    }
}

extension ScenePhase? {
    var text: String { self?.rawValue ?? "nothing" }
}
