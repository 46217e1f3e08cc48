import PhaseWatch
import TestDesktop
import Testing

/// Signs that a real window manager shows an application from the background. They appear before the phase settles,
/// which takes an hour here.
struct SignTests {
    @Test func aWindowThatIsMapped() throws {
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
}
