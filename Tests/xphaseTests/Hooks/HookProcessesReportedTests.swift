import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The processes reported to hooks; a window can claim any process.
    @Suite struct HookProcessesReported {
        private static let hook = ["application", "group", "scene"]
            .map {
                HookSession.hook(
                    $0, "application = \"Alpha*\"\nlevel = \"\($0)\"\nto = \"background\"",
                    shell: """
                        jq -r '.pid // .pids // [] | tostring' > \($0).json
                        echo "$XPHASE_PID,$XPHASE_PIDS,$XPHASE_UNIT" >> \($0).log
                        """)
            }
            .joined()

        private static func reported(_ hooks: HookSession) throws -> [String] {
            try ["application", "group", "scene"].map { level in
                guard try waitUntil({ try !hooks.home.lines("\(level).log").isEmpty }) else {
                    throw Failure("the hook for \(level)s did not run")
                }
                return try hooks.home.lines("\(level).log").joined(separator: " ")
            }
        }

        /// Returns the processes named in the JSON on stdin.
        private static func reportedInJSON(_ hooks: HookSession) throws -> [String] {
            try ["application", "group", "scene"].flatMap { try hooks.home.lines("\($0).json") }
        }

        /// A window can claim the PID of any process.
        @Test func theOwnerOfTheWindowIsReported() throws {
            let hooks = try HookSession(Self.hook)
            let victim = try Program("sleep", ["1000"])
            let client = try ProgramWindow.scripted(hooks.session, claims: victim.pid)
            try hooks.session.settle { client.iconify() }
            let owner = client.program.pid
            #expect(try Self.reported(hooks) == Array(repeating: "\(owner),\(owner),", count: 3))
            #expect(try Self.reportedInJSON(hooks) == ["[\(owner)]", "[\(owner)]", "\(owner)"])
            try hooks.end()
        }

        @Test func theUnitIsReported() throws {
            let hooks = try HookSession(Self.hook)
            let unit = try TestUnit(hooks.home)
            let terminal = try unit.terminal(hooks.session, "-class", "Alpha")
            try hooks.session.settle { terminal.iconify() }
            let pid = terminal.program.pid
            #expect(try Self.reported(hooks) == Array(repeating: "\(pid),\(pid),\(unit.name)", count: 3))
            try hooks.end()
            try unit.end(terminal)
        }
    }
}
