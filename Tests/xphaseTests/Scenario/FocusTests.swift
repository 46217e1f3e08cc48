import TestDesktop
import Testing

/// The lines about a window, from the events of the server to stdout. ScenesTests and X11Tests have the cases.
struct FocusTests {
    @Test(arguments: [WindowManager.none, .openbox, .i3])
    func aWindowIsReportedFromItsOpeningToItsEnd(_ manager: WindowManager) throws {
        let session = try Session(
            manager, ["--level", "application", "--level", "group", "--level", "scene"])
        let alpha = session.window(.init("Alpha"))
        let phase = manager == .none ? "inactive" : "active"
        let opened = try session.settle { alpha.map() }
        #expect(
            opened.map(\.description) == [
                "\(alpha.name) →\(phase) open", "Alpha/alpha →\(phase) open", "Alpha →\(phase) open",
            ])
        #expect(opened.map(\.change) == ["opened", "opened", "opened"])

        try session.settle { session.focus(alpha) }
        let renamed = try session.settle { alpha.setClass("one", "Omega") }
        #expect(
            renamed.map(\.description) == [
                "\(alpha.name) active→ regroup", "Alpha/alpha active→ regroup", "Alpha active→ regroup",
                "\(alpha.name) →active regroup", "Omega/one →active regroup", "Omega →active regroup",
            ])
        #expect(renamed.map(\.change) == ["closed", "closed", "closed", "opened", "opened", "opened"])

        let closed = try session.settle { alpha.destroy() }
        #expect(
            closed.map(\.description) == [
                "\(alpha.name) active→ close", "Omega/one active→ close",
                "Omega active→background close", "Omega background→ close",
            ])
        #expect(closed.map(\.change) == ["closed", "closed", "phase", "closed"])
    }
}
