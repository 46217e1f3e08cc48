import TestDesktop
import Testing

/// Reports of `doctor` about whether the display can be seen.
struct DoctorSessionTests {
    private let display: VirtualDisplay

    init() throws {
        display = try VirtualDisplay()
    }

    private func doctor(_ environment: [String: String?] = [:]) throws -> [String] {
        let result = try XPhase.run(["doctor", "--verbose"], on: display, environment: environment)
        #expect(result.code == 0)
        return result.output
    }

    @Test func itNamesWhatReportsIt() throws {
        let lines = try doctor()
        #expect(lines.contains("  away by         nothing"))
        #expect(lines.contains { $0.hasPrefix("  lock by         override-redirect windows above") })
        #expect(lines.contains("  display-off by  MIT-SCREEN-SAVER, RandR 1.5"))
        #expect(lines.contains { $0.hasPrefix("  covered by      stacking order, geometry, shape") })
        #expect(lines.contains("  idle by         IDLETIME of SYNC"))
        #expect(lines.contains { $0.contains("Without XFree86_has_VT") })
        #expect(lines.contains { $0.contains("Without DPMS") })
        #expect(!lines.contains { $0.contains("A compositor runs") })
        let client = try TestClient(display.name)
        client.setRoot("XFree86_has_VT", "INTEGER", [1])
        client.sync()
        let more = try doctor()
        #expect(more.contains("  away by         XFree86_has_VT"))
        #expect(!more.contains { $0.contains("Without XFree86_has_VT") })
    }

    @Test(arguments: [
        ("MIT-SCREEN-SAVER", "MIT-SCREEN-SAVER a blank display is not reported"),
        ("RANDR", "RandR 1.5 monitors have no names"), ("SYNC", "SYNC idle times are not reported"),
        ("SHAPE", "SHAPE every window counts as the whole of its rectangle"),
    ])
    func itNamesWhatTheServerLacks(_ name: String, what: String) throws {
        let mask = try ProxyDisplay(display, lacking: [name])
        #expect(try doctor(mask.environment).contains { $0.contains("Without \(what)") })
    }

    /// The Wayland compositor handles locks, screen savers and idle times.
    @Test func itSaysWhyNothingIsFollowedOnXWayland() throws {
        let mask = try ProxyDisplay(display, lacking: [], replacing: ["XWAYLAND": "XINERAMA"])
        let lines = try doctor(mask.environment)
        for signal in ["away by         ", "lock by         ", "display-off by  ", "idle by         "] {
            #expect(lines.contains("  \(signal)nothing"))
        }
        #expect(lines.contains { $0.contains("This server is XWayland") })
    }

    @Test func itNamesAManagerThatLocksWithoutAWindowAndACompositor() throws {
        let client = try TestClient(display.name)
        let check = TestWindow(client, .init(), colour: 0)
        for set in [check.setWords, client.setRoot] { set("_NET_SUPPORTING_WM_CHECK", "WINDOW", [check.id]) }
        check.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("GNOME Shell".utf8))
        // IceWM sets the property itself only with its first window.
        client.setRoot("_NET_SUPPORTED", "ATOM", [client.atom("_NET_ACTIVE_WINDOW")])
        client.manage()
        client.own("_NET_WM_CM_S0", with: check)
        client.sync()
        let lines = try doctor()
        #expect(lines.contains { $0.contains("GNOME Shell draws its lock screen without a window") })
        #expect(lines.contains { $0.contains("A compositor runs") })
        #expect(lines.contains { $0.hasPrefix("  focused by      XGetInputFocus, _NET_ACTIVE") }, "\(lines)")
    }
}
