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

        @Test(.enabled(if: geteuid() == 0, "only root can start a process of another user"))
        func thatOfAnotherUserIsNotReported() throws {
            let hooks = try HookSession(Self.hook)
            let victim = try Program("sleep", ["1000"])
            let wrapper = ["setpriv", "--reuid", "65534", "--clear-groups"]
            let client = try ProgramWindow.scripted(hooks.session, claims: victim.pid, wrapper: wrapper)
            try hooks.session.settle { client.iconify() }
            #expect(try Self.reported(hooks) == [",,", ",,", ",,"])
            #expect(try Self.reportedInJSON(hooks) == ["[]", "[]", "[]"])
            try hooks.end()
        }

        @Test func leaveGetsWhatEnterGot() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "pair"
                application = "Alpha"
                while = "background"
                enter = ["sh", "-c", "echo enter $XPHASE_PID >> log"]
                leave = ["sh", "-c", "echo leave $XPHASE_PID >> log"]
                """)
            // The client closes its window, and continues to run.
            let closes = """
                put("WM_PROTOCOLS", "ATOM", [atom("WM_DELETE_WINDOW").value])
                x.XFlush(d)
                event = ctypes.create_string_buffer(192)
                while event.raw[0] != 33: x.XNextEvent(d, event)
                x.XDestroyWindow(d, w)
                x.XFlush(d)
                time.sleep(1000)
                """
            let client = try ProgramWindow.scripted(hooks.session, closes)
            let owner = client.program.pid
            try hooks.session.settle { client.iconify() }
            try hooks.home.waitForLines(["enter \(owner)"])
            client.close()
            try hooks.home.waitForLines(["enter \(owner)", "leave \(owner)"])
            try hooks.end()
        }

        @Test(.enabled(if: ControlGroup.isPossible, "needs /sys/fs/cgroup/systemd, to be written"))
        func theUnitIsReported() throws {
            let hooks = try HookSession(Self.hook)
            let client = try ProgramWindow.scripted(hooks.session)
            let owner = client.program
            let group = try ControlGroup("app-xphase-\(owner.pid).scope")
            try group.add(owner.pid)
            try hooks.session.settle { client.iconify() }
            let reported = "\(owner.pid),\(owner.pid),\(group.name)"
            #expect(try Self.reported(hooks) == [reported, reported, reported])
            try hooks.end()
            try withExtendedLifetime(group) { try owner.end() }
        }
    }
}

/// A control group as systemd creates one for an application.
private final class ControlGroup {
    private static let root = "/sys/fs/cgroup/systemd"

    static var isPossible: Bool {
        let path = "\(root)/xphase-test-\(getpid())"
        return mkdir(path, 0o755) == 0 && rmdir(path) == 0
    }

    let name: String
    private var path: String { "\(Self.root)/\(name)" }

    init(_ name: String) throws {
        self.name = name
        guard mkdir(path, 0o755) == 0 else { throw Failure("cannot make \(path)") }
    }

    deinit {
        // The last process may not have been reaped yet.
        _ = waitUntil(within: .seconds(5)) { rmdir(path) == 0 }
    }

    func add(_ pid: pid_t) throws {
        let result = try Program.run("sh", ["-c", "echo \(pid) > \(path)/cgroup.procs"])
        guard result.code == 0 else { throw Failure("\(result.errors)") }
    }
}
