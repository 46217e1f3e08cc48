import TestDesktop
import Testing

/// Reports of `doctor` about whether the display can be seen.
struct DoctorSessionTests {
    private let display: VirtualDisplay

    init() throws {
        display = try VirtualDisplay()
    }

    /// Expects lines that contain these texts, and none that contains another one.
    private func expectDoctor(
        _ texts: [String], not others: [String] = [], in environment: [String: String?]? = nil
    ) throws {
        let result = try XPhase.run(
            ["doctor", "--verbose"], on: nil, environment: environment ?? display.environment)
        #expect(result.code == 0)
        for text in texts { #expect(result.output.contains { $0.contains(text) }, "\(text)") }
        for text in others { #expect(!result.output.contains { $0.contains(text) }, "\(text)") }
    }

    @Test func itNamesWhatReportsIt() throws {
        try expectDoctor(
            [
                "  away by         nothing", "  lock by         override-redirect windows above",
                "  display-off by  MIT-SCREEN-SAVER, RandR 1.5",
                "  covered by      stacking order, geometry, shape", "  idle by         IDLETIME of SYNC",
                "Without XFree86_has_VT", "Without DPMS",
            ], not: ["A compositor runs"])
        let client = try TestClient(display.name)
        client.setRoot("XFree86_has_VT", "INTEGER", [1])
        client.sync()
        try expectDoctor(["  away by         XFree86_has_VT"], not: ["Without XFree86_has_VT"])
    }

    @Test(arguments: [
        ("MIT-SCREEN-SAVER", "MIT-SCREEN-SAVER a blank display is not reported"),
        ("RANDR", "RandR 1.5 monitors have no names"), ("SYNC", "SYNC idle times are not reported"),
        ("SHAPE", "SHAPE every window counts as the whole of its rectangle"),
    ])
    func itNamesWhatTheServerLacks(_ name: String, what: String) throws {
        let mask = try ProxyDisplay(display, lacking: [name])
        try expectDoctor(["Without \(what)"], in: mask.environment)
    }

    /// The Wayland compositor handles locks, screen savers and idle times.
    @Test func itSaysWhyNothingIsFollowedOnXWayland() throws {
        let mask = try ProxyDisplay(display, lacking: [], replacing: ["XWAYLAND": "XINERAMA"])
        try expectDoctor(
            [
                "  away by         nothing", "  lock by         nothing", "  display-off by  nothing",
                "  idle by         nothing", "This server is XWayland",
            ], in: mask.environment)
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
        try expectDoctor([
            "GNOME Shell draws its lock screen without a window", "A compositor runs",
            "  focused by      XGetInputFocus, _NET_ACTIVE",
        ])
    }

    @Test func whatADeadManagerLeftIsNotBelieved() throws {
        let session = try Session(.openbox)
        try session.open("Alpha")
        try expectDoctor(
            [
                "  window manager  Openbox", "  managed by      _NET_CLIENT_LIST",
                "Phases can be trusted here.",
            ], in: session.display.environment)
        try session.manager?.end()
        try expectDoctor(
            [
                "  window manager  none: no client holds SubstructureRedirect", "  supports        nothing",
                "were left by an earlier window manager and are ignored",
            ], in: session.display.environment)
    }
}
