import TestDesktop
import Testing

/// The watch, `list` and the screen agree, with the real program. ScenesTests and X11Tests have the cases, and
/// ManagerTests has random walks.
struct AgreementTests {
    /// As Firefox and the programs of GNOME draw it.
    @Test func aMaximizedWindowWithItsOwnTitleBarIsCoveredByOneInAFrame() throws {
        let session = try Session(.openbox, ["--level", "application", "--occlusion", "500ms"])
        func maximized(_ name: String) -> TestWindow {
            let window = session.window(.init(name))
            let states = ["VERT", "HORZ"].map { session.client.atom("_NET_WM_STATE_MAXIMIZED_\($0)") }
            window.setWords("_NET_WM_STATE", "ATOM", states)
            return window
        }
        let (own, framed) = (maximized("Own"), maximized("Framed"))
        own.setWords("_MOTIF_WM_HINTS", "_MOTIF_WM_HINTS", [2, 0, 0, 0, 0])
        try session.settle { own.map() }
        let fall = try session.applicationLine("Own", to: "background") { framed.map() }
        #expect(fall.cause == "covered" && !own.isOnScreen && own.parent != framed.parent)
    }

    /// Of a client with several classes.
    @Test func aWindowWithoutAClassHasOneApplicationInEveryListAndFollowsItsLeader() throws {
        let session = try Session()
        for name in ["Writer", "Calc", "Impress"] { try session.open(name) }
        let leader = session.window(.init("Suite"))
        var properties = TestWindow.Properties()
        properties.title = "nameless"
        let nameless = try session.open(properties)
        func lists() throws -> Set<String> {
            Set(
                try (1...5).flatMap { _ in
                    try session.output("list --level scene --format {application}={title}")
                        .filter { $0.hasSuffix("=nameless") }
                })
        }
        #expect(try lists() == ["Writer=nameless"])
        let lines = try session.settle { nameless.setLeader(leader) }.filter { $0.scene == nameless.name }
        #expect(
            lines.map(\.application) == ["Writer", "Suite"] && lines.allSatisfy { $0.cause == "regroup" })
        #expect(try lists() == ["Suite=nameless"])
        try session.settle { leader.destroy() }
        #expect(try lists() == ["Writer=nameless"])
    }

    /// From a launcher to a popup: no window that is followed gets an event.
    @Test func theFocusIsThatOfAnApplicationWhosePopupGetsItFromALauncher() throws {
        let session = try Session()
        let other = try TestClient(session.display.name)
        var unmanaged = TestWindow.Properties()
        unmanaged.isOverrideRedirect = true
        let launcher = TestWindow(other, unmanaged, colour: 0, x: 400, width: 100)
        let popup = session.window(unmanaged, x: 300, width: 50)
        for window in [launcher, popup] { window.map() }
        let alpha = try session.open("Alpha")
        try session.applicationLine("Alpha", to: "active") { session.client.setFocus(alpha.id) }
        try session.applicationLine("Alpha", to: "inactive") { other.setFocus(launcher.id) }
        try session.expect("phase Alpha", output: ["inactive"])
        try session.applicationLine("Alpha", to: "active") { session.client.setFocus(popup.id) }
        try session.expect("phase Alpha", output: ["active"])
    }

    /// A window manager on a busy machine may take longer than the 20 ms that a move of the focus may take.
    @Test func noLineComesBetweenADestroyedActiveWindowAndTheNextFocusInMostOfFiveCases() throws {
        let (stage, _) = try Stage.alpha()
        let follow = try stage.start("active --follow --format {application}")
        #expect(try follow.output.next() == "Alpha")
        var next: [String?] = []
        for _ in 1...5 {
            let beta = try stage.show(.init("Beta"), x: 300)
            beta.activate()
            while try follow.output.next() != "Beta" {}
            beta.destroy()
            next.append(try follow.output.next())
            while next.last != "Alpha", try follow.output.next() != "Alpha" {}
        }
        #expect(next.count { $0 == "Alpha" } > 2, "\(next)")
    }
}
