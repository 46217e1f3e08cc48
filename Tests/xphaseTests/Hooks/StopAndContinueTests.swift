import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The example that stops programs in the background, with a real one.
    @Suite struct StopAndContinue {
        private static let configuration = """
            [[hook]]
            name = "stop"
            application = "XTerm"
            while = "background"
            enter = ["sh", "-c", "kill -STOP $XPHASE_PIDS"]
            leave = ["sh", "-c", "kill -CONT $XPHASE_PIDS"]
            """

        private static func isStopped(_ program: Program) throws -> Bool {
            try program.status("State").contains("T (stopped)")
        }

        @Test func itRunsAgainWheneverItIsBackAndAfterEveryCrash() throws {
            let hooks = try HookSession(Self.configuration)
            let terminal = try Program("xterm", environment: hooks.session.display.environment)
            let client = hooks.session.client
            let isThere = try waitUntil { try hooks.session.settle().contains { $0.application == "XTerm" } }
            #expect(isThere)
            let window = try #require(
                client.words("_NET_CLIENT_LIST")?.last { client.pid(of: $0) == terminal.pid })
            for round in 1...5 {
                client.iconify(window)
                #expect(try waitUntil { try Self.isStopped(terminal) })
                if round.isMultiple(of: 2) {
                    try hooks.run.end(SIGKILL)
                    #expect(try Self.isStopped(terminal))
                    try hooks.session.restart()
                    #expect(try waitUntil { try !Self.isStopped(terminal) })
                }
                client.request("_NET_ACTIVE_WINDOW", window: window, [2, 0, 0])
                #expect(try waitUntil { try !Self.isStopped(terminal) })
                try hooks.session.settle()
            }
            try hooks.end()
            #expect(try !Self.isStopped(terminal))
        }
    }
}

extension TestClient {
    fileprivate func pid(of window: UInt) -> pid_t? {
        words("_NET_WM_PID", of: window)?.first.map { pid_t($0) }
    }
}
