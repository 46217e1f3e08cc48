import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Reloads of the configuration by `xphase run`.
    @Suite struct Reload {
        private static func noting(_ word: String) -> String {
            HookSession.hook(shell: "echo \(word) $XPHASE_CHANGE >> log")
        }

        /// Opens a window, and waits until the hook has logged it.
        private static func check(_ hooks: HookSession, _ word: String) throws {
            try hooks.session.open("Alpha")
            try hooks.home.waitForLines(["\(word) opened"])
            try hooks.end()
        }

        @Test func oneThatWasNotThereIsRead() throws {
            let hooks = try HookSession(nil) { home, _ in
                rmdir(home.hooksDirectory)
                rmdir("\(home.path)/config/xphase")
                rmdir("\(home.path)/config")
            }
            mkdir("\(hooks.home.path)/config", 0o700)
            mkdir("\(hooks.home.path)/config/xphase", 0o700)
            try hooks.home.configure(Self.noting("new"))
            try hooks.waitForMessage("reloaded: 1 hook")
            try Self.check(hooks, "new")
        }

        /// The display is opened after the first read of the configuration and before the event loop starts.
        @Test func aSaveBeforeTheDisplayIsOpenIsNotLost() throws {
            let home = try HookHome(Self.noting("old"))
            let display = try VirtualDisplay()
            let read = try FileClosed(home.configurationFile)
            display.send(SIGSTOP)
            defer { display.send(SIGCONT) }
            let run = try XPhase.start(["run"], on: display, environment: home.environment)
            #expect(read.isAwaited())
            try home.configure(Self.noting("new") + HookSession.hook("added", shell: "true"))
            display.send(SIGCONT)
            var reported: [String] = []
            while reported.last?.contains("reloaded: 2 hooks") != true {
                reported.append(try #require(try run.errors.next(), "\(reported)"))
            }
            try run.end(SIGTERM)
        }

        @Test func executablesOfHooksDComeAndGo() throws {
            let hooks = try HookSession(nil)
            let window = try hooks.session.open("Alpha")
            try hooks.home.addHook(
                "late", "case $XPHASE_APPLICATION in Alpha) echo ${0##*/} $XPHASE_CHANGE >> log;; esac")
            #expect(
                try hooks.waitForMessage("reloaded") == "xphase: configuration reloaded: 1 from hooks.d")
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["late phase"])
            chmod("\(hooks.home.hooksDirectory)/late", 0o644)
            try hooks.waitForMessage("is not executable")
            try hooks.waitForMessage("reloaded: no hooks")
            try hooks.session.settle { window.activate() }
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["late phase"])
        }

        @Test func noReloadLeavesMemoryBehind() throws {
            let hooks = try HookSession(
                (1...300).map { HookSession.hook("note \($0)", shell: "true") }.joined())
            func reload(_ times: Int) throws {
                for _ in 1...times {
                    hooks.run.send(SIGHUP)
                    // Answered after the signal is handled.
                    #expect(try hooks.xphase("hooks", "resume").code == 0)
                }
            }
            try reload(20)
            let before = try hooks.run.residentKilobytes()
            try reload(60)
            let growth = try hooks.run.residentKilobytes() - before
            #expect(growth < 60 * 30)
            #expect(try hooks.end().contains { $0.contains("configuration reloaded: 300 hooks") })
        }

        @Test func aBadOneKeepsTheOldHooks() throws {
            let hooks = try HookSession(Self.noting("old"))
            try hooks.home.configure("[[hook]]\nname = 3\nbad\n")
            let file = hooks.home.configurationFile
            #expect(try hooks.waitForMessage("config.toml:").hasPrefix("xphase: \(file):3:"))
            try hooks.waitForMessage("the old hooks stay in use")
            hooks.run.send(SIGHUP)
            try hooks.waitForMessage("the old hooks stay in use")
            try hooks.home.configure("[[hook]]\nname = \"a\"\nshel = \"b\"\n")
            #expect(
                try hooks.waitForMessage("did you mean").hasPrefix(
                    "xphase: \(file):3: hook[1] 'a': there is no key 'shel'"))
            try hooks.waitForMessage("the old hooks stay in use")
            chmod(file, 0o666)
            try hooks.waitForMessage("is writable by others")
            // Reverting a fault is reported as a reload.
            try hooks.home.configure(Self.noting("old"))
            try hooks.waitForMessage("configuration reloaded: 1 hook")
            // What a signal requests is always reported.
            hooks.run.send(SIGHUP)
            #expect(
                try hooks.waitForMessage("reloaded")
                    == "xphase: configuration reloaded: 1 hook from \(file)")
            try Self.check(hooks, "old")
        }

        /// The command line takes precedence.
        @Test(arguments: [([], true), (["--policy", "focus"], false)])
        func thePolicyTakesEffect(_ options: [String], _ isTaken: Bool) throws {
            let hooks = try HookSession(nil, ["--level", "application"] + options)
            try hooks.session.open("Alpha")
            try hooks.session.open("Beta", x: 300)
            let reported = try hooks.session.settle {
                try hooks.home.configure("policy = \"visible\"")
                try hooks.waitForMessage("reloaded")
            }
            let isActive = reported.contains { $0.application == "Alpha" && $0.to == "active" }
            #expect(isActive == isTaken && reported.isEmpty != isTaken, "\(reported)")
            try hooks.end()
        }

        @Test func newInitialHooksRunForWhatIsThere() throws {
            let old = HookSession.hook(
                "old", "application = \"Alpha\"\ninitial = true", shell: "echo old >> log")
            let hooks = try HookSession(old)
            try hooks.session.open("Alpha")
            try hooks.home.waitForLines(["old"])
            try hooks.home.configure(
                old
                    + HookSession.hook(
                        "new", "application = \"Alpha\"\ninitial = true",
                        shell: "echo $XPHASE_CHANGE $XPHASE_TO >> log")
                    + HookSession.hook("later", shell: "echo later >> log"))
            try hooks.home.waitForLines(["old", "initial active"])
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["old", "initial active"])
        }
    }
}

/// Waits until a program that reads a file has closed it.
private final class FileClosed {
    private let inotify: Int32

    init(_ path: String) throws {
        inotify = inotify_init1(Int32(IN_CLOEXEC))
        guard inotify_add_watch(inotify, path, UInt32(IN_CLOSE_NOWRITE)) >= 0 else {
            throw Failure("inotify_add_watch \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(inotify) }

    func isAwaited() -> Bool {
        var request = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 20_000) == 1
    }
}
