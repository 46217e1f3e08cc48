import Glibc
import Scenes
import TestDesktop
import Testing

@testable import PhaseWatch

/// The behaviour of a watcher after the machine was suspended.
struct ResumeTests {
    /// Updates the watcher until no deadline remains, and returns the reported events.
    private func events(of watcher: PhaseWatcher) throws -> [Event] {
        var events: [Event] = []
        repeat {
            events += try watcher.update()
            var socket = pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if watcher.deadline != nil { poll(&socket, 1, watcher.timeout) }
        } while watcher.deadline != nil
        return events
    }

    /// The server sends no event, as after a suspend whose changes it did not report.
    @Test func everythingIsReadAnewAndNothingIsReportedTwice() throws {
        let display = try MonitoredDisplay()
        _ = try display.show("Alpha", at: 0)
        let watcher = try PhaseWatcher(display.options())
        _ = try events(of: watcher)
        let answers = watcher.observer.answerCount
        #expect(try events(of: watcher).isEmpty && watcher.observer.answerCount == answers)
        #expect(watcher.resume().name == "resumed")
        #expect(watcher.timeout == 0)
        #expect(try events(of: watcher).isEmpty)
        // The facts of the screen, of the window and of the session.
        #expect(watcher.observer.answerCount >= answers + 20)
    }
}

/// XWayland, which does not know the state of the session.
struct XWaylandTests {
    @Test func neitherTheSaverNorIdleTimesAreFollowed() throws {
        let display = try MonitoredDisplay()
        let mask = try ProxyDisplay(display.server, lacking: [], replacing: ["XWAYLAND": "XINERAMA"])
        let saver = try Program.run(
            "xset", ["s", "activate"], package: "x11-xserver-utils", environment: display.server.environment)
        #expect(saver.code == 0)
        let watcher = try PhaseWatcher(
            display.options {
                $0.display = mask.name
                $0.idle = .milliseconds(1)
            })
        var notices: [String] = []
        for case .notice(let notice) in try watcher.update() { notices.append(notice.text) }
        #expect(notices.count == 1 && notices.first?.contains("since it is XWayland") == true)
        #expect(watcher.observer.desktop.session == Session())
    }
}

/// A server behind a slow connection.
struct SlowLineTests {
    /// All replies together take longer than the time limit of one reply.
    @Test func answersAreAwaitedAsLongAsSomeCome() throws {
        let display = try MonitoredDisplay()
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
