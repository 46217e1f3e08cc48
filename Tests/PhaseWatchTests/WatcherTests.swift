import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// Watchers of a real display in the test's own event loop.
@Suite struct WatcherTests {
    private let display: MonitoredDisplay
    private let watcher: PhaseWatcher

    init() throws {
        display = try MonitoredDisplay()
        watcher = try PhaseWatcher(display.options())
    }

    /// Runs an event loop as a program would, until changes of the application arrive. Returns these changes.
    private func nextChanges(of application: String) throws -> [String] {
        for _ in 0..<1000 {
            let changes = try watcher.update().compactMap(\.change)
            let own = changes.filter { $0.level == .application && $0.application == application }
            if !own.isEmpty { return own.map(\.text) }
            pollOnce()
        }
        return []
    }

    private func pollOnce() {
        var socket = pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let timeout = watcher.timeout
        // The server may send nothing more: limit the wait.
        poll(&socket, 1, timeout < 0 ? 20_000 : timeout)
    }

    @Test func tellsThePresentFirstAndThenWhatHappens() throws {
        let alpha = try display.show("Alpha", at: 0)
        #expect(
            try watcher.update().compactMap(\.change).map(\.text) == [
                "Alpha/alpha/\(WindowID(UInt32(alpha.id))) →inactive start", "Alpha/alpha →inactive start",
                "Alpha →inactive start",
            ])
        #expect(watcher.displayName == display.server.name)
        display.client.setFocus(alpha.id)
        #expect(try nextChanges(of: "Alpha") == ["Alpha inactive→active focus"])
        alpha.unmap()
        let reported = try nextChanges(of: "Alpha")
        #expect(reported == ["Alpha active→background close", "Alpha background→ close"])
    }

    /// Until a scene on the monitor has been active, the topmost one in the current stacking order counts.
    @Test func theTopmostSceneStandsForAMonitor() throws {
        watcher.details = .places
        let alpha = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        let beta = try display.show("Beta", at: 1)
        #expect(try nextChanges(of: "Beta") == ["Beta →inactive open"])
        #expect(watcher.activeScene(on: "screen")?.application == "Beta")
        alpha.raise()
        _ = try watcher.update()
        #expect(watcher.activeScene(on: "screen")?.application == "Alpha")
        display.client.setFocus(beta.id)
        #expect(try nextChanges(of: "Beta") == ["Beta inactive→active focus"])
        #expect(watcher.activeScene(on: "screen")?.application == "Beta")
    }

    @Test func aServerThatStopsLaterHoldsNothingUp() throws {
        let alpha = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        alpha.setClass("other", "Other")
        display.server.send(SIGSTOP)
        #expect(try watcher.update().isEmpty)
        // The events have to wait, too. A loop would not sleep if they were reported as queued.
        #expect(!watcher.hasQueuedEvents && watcher.timeout > 1000)
        display.server.send(SIGCONT)
        #expect(try nextChanges(of: "Other") == ["Other →inactive regroup"])
    }

    @Test func followsAnotherPolicyFromTheNextUpdateOn() throws {
        _ = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        watcher.follow(PhaseMonitor.Options(policy: .visible, settle: .zero))
        let reported = try nextChanges(of: "Alpha")
        #expect(reported == ["Alpha inactive→active focus"])
        #expect(watcher.present.map(\.to) == [.active, .active, .active])
    }

    /// A title that changes again within 100 ms is read later.
    @Test func anExplanationDoesNotTouchTheWatcher() throws {
        watcher.details = .titleChanges
        let alpha = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        for title in ["one", "two"] {
            alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array(title.utf8))
            display.client.sync()
            _ = try watcher.update()
        }
        let details = watcher.details
        _ = try DisplayInspector(display.options()).explain(.all)
        #expect(watcher.details == details)
        var titles: [String?] = []
        while watcher.timeout != -1 {
            pollOnce()
            titles += try watcher.update().compactMap { $0.change?.scene?.title }
        }
        #expect(titles == ["two"])
    }
}

/// Explanations of a real display.
struct DisplayInspectorTests {
    private let display: MonitoredDisplay
    private let inspector: DisplayInspector

    init() throws {
        display = try MonitoredDisplay()
        inspector = try DisplayInspector(display.options())
    }

    @Test func explainsWhyAWindowIsInItsPhase() throws {
        let alpha = try display.show("Alpha", at: 0)
        display.client.setFocus(alpha.id)
        let explanation = try inspector.explain(.application("alph*"))
        #expect(explanation.applications.map(\.name) == ["Alpha"])
        #expect(explanation.applications.map(\.phase) == [.active])
        let window = try #require(explanation.windows.first)
        #expect(window.id.xid == UInt32(alpha.id))
        #expect(window.isFocused && window.rule == "visible")
        #expect(window.facts.first { $0.name == "map_state" }?.value == "IsViewable")
        #expect(explanation.focus.holder == window.id)
        #expect(try inspector.explain(.scene(UInt32(alpha.id))).windows.count == 1)
        #expect(try inspector.explain(.application("beta")).windows.isEmpty)
        // An instance name selects its application.
        try display.show("Beta", at: 1).setClass("beta", "Alpha")
        display.client.sync()
        #expect(try inspector.explain(.application("beta")).windows.map(\.group) == ["alpha", "beta"])
    }

    @Test func tellsWhatTheDisplayOffers() throws {
        let diagnosis = try inspector.diagnose()
        #expect(diagnosis.display == display.server.name)
        #expect(diagnosis.manager == nil)
        #expect(diagnosis.faults.isEmpty == !Diagnosis.isWaylandSession)
        #expect(diagnosis.gaps.contains { $0.contains("No window manager runs") })
    }
}
