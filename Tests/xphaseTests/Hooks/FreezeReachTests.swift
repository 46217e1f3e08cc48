import Glibc
import TestDesktop
import Testing

/// Which processes are frozen with an application: its unit, or all that it has started, and nobody else.
extension DesktopTests.FreezeTests {
    /// A real control group of version 2.
    private static func group(_ name: String) throws -> String {
        let mount = try Program.run("findmnt", ["-nt", "cgroup2", "-o", "TARGET"], package: "util-linux")
        let root = try #require(
            mount.output.first, "there is no cgroup2 hierarchy: mount -t cgroup2 none /sys/fs/cgroup")
        let path = "\(root)/\(name)"
        try #require(mkdir(path, 0o755) == 0, "no control group can be made in \(root): run this as root")
        return path
    }

    private static func isFrozen(group path: String) throws -> Bool {
        try Program.run("cat", ["\(path)/cgroup.events"]).output.contains("frozen 1")
    }

    private static func waitForEnd(of path: String) throws {
        #expect(try waitUntil { try Program.run("cat", ["\(path)/cgroup.procs"]).output.isEmpty })
        rmdir(path)
    }

    /// With a name as desktop environments give it.
    @Test func aUnitOfItsOwnIsFrozenAsAWhole() throws {
        let hooks = try HookSession(Self.hook())
        let unit = "app-xterm-\(TestWindow.ownPid).scope"
        let path = try Self.group(unit)
        let script = "echo $$ > \(path)/cgroup.procs && exec xterm -e sh -c 'sleep 1000 & sleep 1000'"
        let terminal = try ProgramWindow(
            hooks.session, "sh", ["-c", script], package: "xterm", application: "XTerm")
        terminal.iconify()
        #expect(
            try hooks.waitForMessage("frozen")
                == "xphase: hook 'sleep': XTerm frozen (\(unit), 4 processes)")
        #expect(try waitUntil { try Self.isFrozen(group: path) })
        terminal.activate()
        try hooks.waitForMessage("thawed")
        #expect(try waitUntil { try !Self.isFrozen(group: path) })
        try hooks.session.settle { terminal.iconify() }
        try hooks.waitForMessage("frozen")
        try hooks.run.end(SIGKILL)
        #expect(try Self.isFrozen(group: path))
        try hooks.session.restart()
        try hooks.waitForMessage("thawed")
        #expect(try waitUntil { try !Self.isFrozen(group: path) })
        try hooks.end()
        try terminal.program.end()
        try Self.waitForEnd(of: path)
    }

    /// As `systemd-run --scope` puts it there.
    @Test func whatItHasStartedInAnotherUnitIsFrozenToo() throws {
        let hooks = try HookSession(Self.hook())
        let path = try Self.group("app-xterm-\(TestWindow.ownPid)-a.scope")
        let other = try Self.group("app-other-\(TestWindow.ownPid)-b.scope")
        let child = "echo $$ > \(other)/cgroup.procs; while :; do sleep 0.01; done"
        let script = "echo $$ > \(path)/cgroup.procs && exec xterm -e sh -c '\(child)'"
        let terminal = try ProgramWindow(
            hooks.session, "sh", ["-c", script], package: "xterm", application: "XTerm")
        #expect(try waitUntil { try !Program.run("cat", ["\(other)/cgroup.procs"]).output.isEmpty })
        terminal.iconify()
        #expect(try hooks.waitForMessage("XTerm").contains("XTerm frozen ("))
        #expect(try waitUntil { try Self.isFrozen(terminal) })
        terminal.activate()
        try hooks.waitForMessage("thawed")
        #expect(try waitUntil { try Self.runs(terminal) })
        try hooks.end()
        try terminal.program.end()
        try Self.waitForEnd(of: path)
        try Self.waitForEnd(of: other)
    }

    /// The number that its window tells is that of somebody else's process here.
    @Test func aWindowFromASandboxFreezesNobodyElse() throws {
        let hooks = try HookSession(Self.hook("except = 'none'").replacing("XTerm", with: "Zenity"))
        let victim = try Program("sleep", ["1000"])
        let unshare = try Program.find("unshare", package: "util-linux")
        let number = "echo \(victim.pid - 1) > /proc/sys/kernel/ns_last_pid"
        let sandbox = try ProgramWindow(
            hooks.session, unshare,
            [
                "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c",
                "\(number); zenity --info --text a & wait",
            ], package: "zenity", application: "Zenity", tells: victim.pid)
        sandbox.iconify()
        let line = try hooks.waitForMessage("Zenity")
        #expect(line.contains("not run for Zenity: its windows are those of process "))
        #expect(line.contains(", which has another number in its sandbox; asked again every 10s"))
        #expect(try victim.status("State").contains("S (sleeping)"))
        try hooks.end()
        try sandbox.program.end()
    }

    /// What could not be thawed, and is frozen again before anybody could.
    @Test func whatIsFrozenAgainWhileItIsStillStoppedIsThawedInTheEnd() throws {
        let (hooks, terminal) = try Self.frozenTerminal()
        hooks.session.manager?.send(SIGSTOP)
        try hooks.run.limitFiles()
        terminal.activate()
        try hooks.waitForMessage("XTerm is not thawed: ")
        try hooks.run.limitFiles(to: 256)
        try hooks.waitForMessage("XTerm frozen (")
        #expect(try Self.isFrozen(terminal))
        hooks.session.manager?.send(SIGCONT)
        try hooks.waitForMessage("XTerm thawed")
        #expect(try waitUntil { try Self.runs(terminal) })
        try hooks.end()
        #expect(try hooks.home.records().isEmpty)
    }

    /// It finds no socket, as beside `xphase on`.
    @Test func thawAllIsObeyedByWhatItCannotSpeakTo() throws {
        let (hooks, terminal) = try Self.frozenTerminal()
        let environment = hooks.home.environment.merging(["XDG_RUNTIME_DIR": "/nowhere"]) { $1 }
        let thaw = try XPhase.run(["hooks", "thaw-all"], on: nil, environment: environment)
        #expect(thaw.code == 0 && thaw.output == ["XTerm thawed (hook 'sleep')"])
        #expect(try waitUntil { try Self.runs(terminal) })
        // A sign that comes to nothing.
        hooks.session.manager?.send(SIGSTOP)
        terminal.activate()
        try hooks.waitForMessage("XTerm thawed: it is shown, focused or asked for")
        #expect(
            try waitUntil(within: .seconds(30)) {
                try DesktopTests.ControlTests.hooks(hooks, "status").output.last?
                    .hasSuffix(": thawed by 'xphase hooks thaw-all'") == true
            })
        #expect(try Self.runs(terminal))
        hooks.session.manager?.send(SIGCONT)
        // It does not hold for the next time.
        try hooks.session.settle { terminal.activate() }
        terminal.iconify()
        #expect(try hooks.waitForMessage("XTerm frozen").contains("XTerm frozen ("))
        try hooks.end()
    }
}
