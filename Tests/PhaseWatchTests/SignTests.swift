import Glibc
import PhaseWatch
import TestDesktop
import Testing

/// Signs that a real window manager shows an application from the background. They appear before the phase settles,
/// which takes an hour here.
@Suite struct SignTests {
    private let display: MonitoredDisplay

    init() throws {
        display = try MonitoredDisplay(.openbox)
    }

    /// Hides a window, starts a watcher that finds it hidden, and shows it. Returns the signs from the watcher.
    private func signs(
        hiding hide: (TestWindow) -> Void, isHidden: (TestWindow) -> Bool,
        showing show: (TestWindow) -> Void
    ) throws -> Set<String> {
        let window = try display.show("Alpha", at: 0)
        hide(window)
        try #require(waitUntil { isHidden(window) && !window.isOnScreen })
        let watcher = try PhaseWatcher(
            display.options {
                $0.details = .signs
                $0.settle = .seconds(3600)
                $0.occlusion = .seconds(3600)
            })
        let present = try watcher.update().compactMap(\.change)
        #expect(present.last { $0.application == "Alpha" }?.to == .background)
        #expect(watcher.takeSigns().isEmpty)
        show(window)
        var (signs, reported) = (Set<String>(), [String]())
        _ = try waitUntil {
            reported += try watcher.update().compactMap(\.change).map(\.text)
            signs.formUnion(watcher.takeSigns())
            return !signs.isEmpty
        }
        #expect(reported.isEmpty)
        return signs
    }

    private func isIconic(_ window: TestWindow) -> Bool {
        display.client.words("WM_STATE", of: window.id)?.first == 3
    }

    @Test func aWindowThatIsMapped() throws {
        let signs = try signs(hiding: { $0.iconify() }, isHidden: isIconic, showing: { $0.map() })
        #expect(signs == ["Alpha"])
    }

    /// The window is not raised: the window manager raises it later or not at all.
    @Test func aCoveredWindowThatHasTheFocus() throws {
        let client = display.client
        let cover = TestWindow(
            client, .init("Cover"), colour: MonitoredDisplay.colours[1], x: 0, y: 0, width: 400, height: 400)
        let signs = try signs(
            hiding: { _ in cover.map() }, isHidden: { _ in cover.isOnScreen },
            showing: { client.setFocus($0.id) })
        #expect(signs == ["Alpha"])
    }
}
