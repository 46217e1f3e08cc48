import Glibc
import TestDesktop
import Testing

/// The processes frozen with an application: its unit, or all its descendants, and no others.
extension DesktopTests.FreezeTests {
    /// Creates a real cgroup2 control group.
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

    /// The unit is named as desktop environments name it.
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
        #expect(try waitUntil { try Self.isFrozen(group: path) })
        try hooks.session.restart()
        try hooks.waitForMessage("thawed")
        #expect(try waitUntil { try !Self.isFrozen(group: path) })
        try hooks.end()
        try terminal.program.end()
        try Self.waitForEnd(of: path)
    }

    /// `systemd-run --scope` starts a program in another unit.
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

    /// Any client can claim any PID together with the name of this host.
    @Test func aClientCannotHaveAnotherProcessFrozen() throws {
        let hooks = try HookSession(Self.hook("except = 'none'").replacing("XTerm", with: "Alpha"))
        let victim = try Program("sleep", ["1000"])
        let client = try ProgramWindow.scripted(hooks.session, claims: victim.pid)
        client.iconify()
        #expect(
            try hooks.waitForMessage("frozen") == "xphase: hook 'sleep': Alpha frozen (1 process)")
        #expect(try client.isStopped)
        #expect(try victim.status("State").contains("S (sleeping)"))
        try hooks.end()
    }

    /// For example, a user admitted with xhost(1).
    @Test(.enabled(if: geteuid() == 0, "only root can start a process of another user"))
    func aClientOfAnotherUserHasNothingFrozen() throws {
        let hooks = try HookSession(Self.hook("except = 'none'").replacing("XTerm", with: "Alpha"))
        let victim = try Program("sleep", ["1000"])
        let wrapper = ["setpriv", "--reuid", "65534", "--clear-groups"]
        let client = try ProgramWindow.scripted(hooks.session, claims: victim.pid, wrapper: wrapper)
        client.iconify()
        try hooks.waitForMessage(
            "Alpha is not frozen: none of your processes owns its windows")
        #expect(try !client.isStopped)
        #expect(try victim.status("State").contains("S (sleeping)"))
        try hooks.end()
    }

    /// Its window claims the PID inside the sandbox, which belongs to another process outside it.
    @Test func aProgramInASandboxIsFrozenAndNobodyElse() throws {
        let hooks = try HookSession(Self.hook("except = 'none'").replacing("XTerm", with: "Zenity"))
        let victim = try Program("sleep", ["1000"])
        let unshare = try Program.find("unshare", package: "util-linux")
        let number = "echo \(victim.pid - 1) > /proc/sys/kernel/ns_last_pid"
        let sandbox = try ProgramWindow(
            hooks.session, unshare,
            [
                "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c",
                "\(number); zenity --info --text a & wait",
            ], package: "zenity", application: "Zenity", reports: victim.pid)
        sandbox.iconify()
        try hooks.waitForMessage("Zenity frozen (")
        #expect(try waitUntil { try Self.states(sandbox.program).contains("T") })
        #expect(try victim.status("State").contains("S (sleeping)"))
        sandbox.activate()
        try hooks.waitForMessage("Zenity thawed")
        #expect(try waitUntil { try Self.runs(sandbox) })
        try hooks.end()
        try sandbox.program.end()
    }

    /// If an exception arises while `enter` runs, all reactions run once the exception has ended.
    @Test func whatWasNotDoneBecauseOfAnExceptionIsDoneLater() throws {
        let sound = try SoundServer()
        let keys =
            "except = 'fullscreen'\nenter = ['sh', '-c', 'while [ ! -e go ]; do sleep 0.05; done']\nleave = ['true']"
        let hooks = try HookSession(
            Self.hook(keys).replacing("[\"freeze\"]", with: "[\"freeze\", \"mute\"]"),
            environment: sound.address)
        let terminal = try sound.terminal(hooks.session, streams: 1)
        terminal.iconify()
        try hooks.waitForMessage("enter for XTerm")
        terminal.setFullscreen(true)
        #expect(waitUntil { terminal.isFullscreen })
        try hooks.home.write("go", "")
        #expect(
            try waitUntil {
                try DesktopTests.ControlTests.hooks(hooks, "status").output.last?
                    .hasSuffix(": one of its windows is fullscreen") == true
            })
        #expect(try !terminal.isStopped && sound.muted() == [false])
        terminal.setFullscreen(false)
        let line = try hooks.waitForMessage("XTerm frozen (")
        #expect(line.hasSuffix("muted (1 stream)"))
        #expect(try terminal.isStopped && sound.muted() == [true])
        let status = try DesktopTests.ControlTests.hooks(hooks, "status").output.last
        #expect(status?.contains("fullscreen") == false)
        try hooks.end()
    }

    @Test func itGoesOnWhenItsDesktopIsShown() throws {
        let hooks = try HookSession(Self.hook())
        let terminal = try Self.terminal(hooks.session)
        terminal.move(toDesktop: 1)
        #expect(try hooks.waitForMessage("XTerm").contains("XTerm frozen ("))
        #expect(try waitUntil { try Self.isFrozen(terminal) })
        hooks.session.client.switchDesktop(1)
        try hooks.waitForMessage("XTerm thawed: it is ")
        #expect(try waitUntil { try Self.runs(terminal) })
        try hooks.end()
    }

    /// The thaw fails, and the hook freezes the application again before a retry succeeds.
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

    /// The compositor is recognized by its X selection, since its name is unknown.
    @Test func aCompositorThatTheTerminalHasStartedGoesOn() throws {
        let hooks = try HookSession(Self.hook())
        let picom = try Program.find("picom", package: "picom")
        let copy = "\(hooks.home.path)/bin/unheard-of"
        #expect(try Program.run("cp", [picom, copy]).code == 0)
        let script = "\(copy) --config /dev/null --backend xrender & sleep 1000"
        let terminal = try ProgramWindow(
            hooks.session, "xterm", ["-e", "sh", "-c", script], package: "xterm", application: "XTerm",
            environment: ["HOME": hooks.home.path])
        #expect(waitUntil { hooks.session.client.isOwned("_NET_WM_CM_S0") })
        terminal.iconify()
        #expect(try hooks.waitForMessage("frozen").hasSuffix("XTerm frozen (3 processes)"))
        #expect(try terminal.isStopped)
        let states = try Program.run("ps", ["-eo", "comm=,stat="], package: "procps").output
        #expect(states.contains { $0.hasPrefix("unheard-of") && !$0.contains("T") })
        try hooks.end()
    }
}
