import Testing

@testable import Scenes

@Suite struct ActiveApplicationTests {
    private static func window(_ xid: UInt32, _ application: String, _ pid: Int32?) -> SeenWindow {
        .client(xid, application).with { $0.pid = pid }
    }

    /// Its second window is hidden. The radio shows a window of the same process, and the last window is a dock.
    @Test func theActiveApplicationHasTheProcessesOfAllItsScenes() {
        var desktop = Desktop.managed()
        for window in [
            Self.window(1, "Film", 11), Self.window(2, "Film", 10).with { $0.iconify() },
            Self.window(3, "Film", nil), Self.window(4, "Radio", 12), Self.window(5, "Radio", 11),
            Self.window(6, "Film", 13).with { $0.kind = .accessory },
        ] { desktop.add(window) }
        desktop.inputFocus = .window(1)
        let active = Rule(desktop, .visible).activeApplication
        #expect(
            active
                == ActiveApplication(name: "Film", pids: [10, 11], others: [11: ["Radio"], 12: ["Radio"]]))
        desktop.inputFocus = .none
        #expect(Rule(desktop, .visible).activeApplication == nil)
    }
}
