import Glibc
import Scenes
import TestDesktop
import Testing

@testable import PhaseWatch
@testable import X11

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
        // The server may send nothing more: limit the wait.
        poll(&socket, 1, watcher.timeout < 0 ? 20_000 : watcher.timeout)
    }

    /// Updates the watcher until no deadline remains, and returns the changes.
    private func rest() throws -> [Change] {
        var changes = try watcher.update().compactMap(\.change)
        while watcher.timeout != -1 {
            pollOnce()
            changes += try watcher.update().compactMap(\.change)
        }
        return changes
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

    @Test func aServerThatStopsLaterHoldsNothingUp() throws {
        let alpha = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        alpha.setClass("other", "Other")
        display.server.send(SIGSTOP)
        // The events have to wait, too. A loop would not sleep if they were reported as queued.
        let sleeps = try waitUntil {
            let isSilent = try watcher.update().isEmpty
            return isSilent && !watcher.hasQueuedEvents && watcher.timeout > 1000
        }
        #expect(sleeps)
        display.server.send(SIGCONT)
        #expect(try nextChanges(of: "Other") == ["Other →inactive regroup"])
    }

    /// The end of a popup was not reported, and the large window of its client makes every popup of it worth reading.
    @Test func aReadingThatFindsNoEndLetsTheLoopSleep() throws {
        watcher.follow(PhaseMonitor.Options())
        display.client.queueLockerCandidate(width: 600, height: 400)
        let popup = TestWindow(display.client, .init(), colour: 0)
        popup.destroy()
        _ = try rest()
        // An event after the reading of the tree, which the test's event has to follow.
        _ = try display.show("Alpha", at: 0)
        _ = try rest()
        let kind = DisplayEvent.Kind.created(Rectangle(width: 9, height: 9), isUnmanaged: true)
        watcher.observer.note(DisplayEvent(kind, of: UInt32(popup.id)))
        _ = watcher.askServer()
        // Other changes settle first.
        let sleeps = try waitUntil {
            _ = try watcher.update()
            return watcher.observer.isEndless && (500...1_001).contains(watcher.timeout)
        }
        #expect(sleeps)
    }

    @Test func followsAnotherPolicyFromTheNextUpdateOn() throws {
        _ = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        watcher.follow(PhaseMonitor.Options(policy: .visible, settle: .zero))
        #expect(try nextChanges(of: "Alpha") == ["Alpha inactive→active focus"])
        #expect(watcher.present.map(\.to) == [.active, .active, .active])
    }

    /// The server sends no event, as after a suspend whose changes it did not report.
    @Test func afterASuspendEverythingIsReadAnewAndNothingIsReportedTwice() throws {
        _ = try display.show("Alpha", at: 0)
        _ = try rest()
        let answers = watcher.observer.answerCount
        #expect(try rest().isEmpty && watcher.observer.answerCount == answers)
        #expect(watcher.resume().name == "resumed")
        #expect(watcher.timeout == 0)
        #expect(try rest().isEmpty)
        // The facts of the screen, of the window and of the session.
        #expect(watcher.observer.answerCount >= answers + 20)
    }

    /// A title that changes again within 100 ms waits to be read while the display is explained.
    @Test(arguments: ["explain", "diagnose", "point"])
    func anExplanationDoesNotTouchTheWatcher(_ question: String) throws {
        watcher.details = .titleChanges
        let alpha = try display.show("Alpha", at: 0)
        _ = try watcher.update()
        // `point` gives up after a second, since another client has the pointer.
        let other = try TestClient(display.server.name)
        if question == "point" { other.grabPointer() }
        for title in ["one", "two"] {
            alpha.setTitle(title)
            display.client.sync()
            _ = try watcher.update()
        }
        let inspector = try DisplayInspector(display.options())
        switch question {
        case "explain": #expect(try inspector.explain(.all).windows.count == 1)
        case "diagnose": #expect(try inspector.diagnose().manager == nil)
        default: #expect(try inspector.point() == .refused)
        }
        #expect(watcher.details == .titleChanges)
        // Then no deadline remains, so the loop sleeps.
        #expect(try rest().map(\.scene?.title) == ["two"])
    }

    /// The sign that a real window manager shows an application from the background appears before the phase settles,
    /// which takes an hour here.
    @Test func aWindowThatIsMappedIsASign() throws {
        let display = try MonitoredDisplay(.openbox)
        let window = try display.show("Alpha", at: 0)
        window.iconify()
        try #require(
            waitUntil { display.client.words("WM_STATE", of: window.id)?.first == 3 && !window.isOnScreen })
        let watcher = try PhaseWatcher(
            display.options { ($0.details, $0.settle) = (.signs, .seconds(3600)) })
        #expect(try watcher.update().compactMap(\.change).last?.to == .background)
        #expect(watcher.takeSigns().isEmpty)
        window.map()
        var reported: [Event] = []
        let hasSign = try waitUntil {
            reported += try watcher.update()
            return watcher.takeSigns() == ["Alpha"]
        }
        #expect(hasSign && reported.isEmpty)
    }

    /// Runs xrandr for each of the arguments, and returns the notices about monitors afterwards.
    private func monitorNotices(after layouts: [String]) throws -> [String] {
        for layout in layouts {
            let words = layout.split(separator: " ").map(String.init)
            let result = try Program.run(
                "xrandr", words, package: "x11-xserver-utils", environment: display.server.environment)
            if result.code != 0 { throw Failure("xrandr \(layout): \(result.errors)") }
        }
        var notices: [String] = []
        var moment = watcher.askServer()
        while !watcher.hasReported(&moment) {
            pollOnce()
            for case .notice(let notice) in try watcher.update() where notice.name == "monitors" {
                notices.append(notice.text)
            }
        }
        return notices
    }

    @Test func aMonitorThatIsPluggedInOrOutIsOneNotice() throws {
        _ = try rest()
        let left = "--setmonitor left 320/80x480/120+0+0 screen"
        let right = "--setmonitor right 320/80x480/120+320+0 none"
        #expect(try monitorNotices(after: [left]) == ["the monitors are left now"])
        #expect(try monitorNotices(after: [right]) == ["the monitors are left, right now"])
        #expect(try monitorNotices(after: ["--delmonitor left"]) == ["the monitors are right, screen now"])
        #expect(try monitorNotices(after: ["--delmonitor right"]) == ["the monitors are screen now"])
        #expect(
            try monitorNotices(after: ["--output screen --off --fb 640x480"]) == ["there is no monitor now"])
        #expect(try monitorNotices(after: ["--output screen --auto"]) == ["the monitors are screen now"])
    }

    @Test func anotherModeOrPositionOfAMonitorIsNoNotice() throws {
        _ = try rest()
        let mode = "--newmode small 12.59 320 336 384 400 240 241 244 250"
        let modes = [mode, "--addmode screen small", "--output screen --mode small"]
        #expect(try monitorNotices(after: modes) == [])
        #expect(watcher.observer.desktop.screen.monitors == [Rectangle(width: 320, height: 240)])
        let right = "--setmonitor right 100/80x240/120+100+0 none"
        _ = try monitorNotices(after: ["--setmonitor left 100/80x240/120+0+0 screen", right])
        // Then it is the last of the list.
        let moved = ["--delmonitor left", "--setmonitor left 100/80x240/120+200+0 screen"]
        #expect(try monitorNotices(after: moved) == [])
        #expect(watcher.observer.desktop.screen.monitors?.last?.x == 200)
    }

    /// XWayland does not know the state of the session.
    @Test func underXWaylandNeitherTheSaverNorIdleTimesAreFollowed() throws {
        let mask = try ProxyDisplay(display.server, lacking: [], replacing: ["XWAYLAND": "XINERAMA"])
        let saver = try Program.run(
            "xset", ["s", "activate"], package: "x11-xserver-utils", environment: display.server.environment)
        #expect(saver.code == 0)
        let watcher = try PhaseWatcher(
            display.options { ($0.display, $0.idle) = (mask.name, .milliseconds(1)) })
        var notices: [String] = []
        for case .notice(let notice) in try watcher.update() { notices.append(notice.text) }
        #expect(notices.count == 1 && notices.first?.contains("since it is XWayland") == true)
        #expect(watcher.observer.desktop.session == Session())
    }

    /// Over a slow connection, all replies together take longer than the time limit of one reply.
    @Test func answersAreAwaitedAsLongAsSomeCome() throws {
        for number in 1...50 { display.client.queueSmallWindow(className: "Alpha\(number)") }
        display.client.sync()
        let line = try ProxyDisplay(display.server, rate: 4_000)
        let watcher = try PhaseWatcher(display.options { $0.display = line.name })
        #expect(try watcher.update().compactMap(\.change).count { $0.level == .application } == 50)
        // Read everything again.
        watcher.observer.readEverything()
        #expect(try watcher.observer.refreshNow().windows.windows.count == 50)
    }
}

/// Explanations of a real display.
struct DisplayInspectorTests {
    @Test func explainsWhyAWindowIsInItsPhase() throws {
        let display = try MonitoredDisplay()
        let inspector = try DisplayInspector(display.options())
        let alpha = try display.show("Alpha", at: 0)
        display.client.setFocus(alpha.id)
        let explanation = try inspector.explain(.application("alph*"))
        #expect(explanation.applications.map { "\($0.name) \($0.phase)" } == ["Alpha active"])
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
        let display = try MonitoredDisplay()
        let diagnosis = try DisplayInspector(display.options()).diagnose()
        #expect(diagnosis.display == display.server.name && diagnosis.manager == nil)
        #expect(diagnosis.faults.isEmpty == !Diagnosis.isWaylandSession)
        #expect(diagnosis.gaps.contains { $0.contains("No window manager runs") })
    }
}
