import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Reloads of the configuration by `xphase run`.
    @Suite struct Reload {
        private static func noting(_ word: String) -> String {
            HookSession.hook(shell: "echo \(word) $XPHASE_CHANGE >> log")
        }

        @Test func executablesOfHooksDComeAndGo() throws {
            let hooks = try HookSession(nil)
            let window = try hooks.session.open("Alpha")
            try hooks.home.addHook(
                "late", "case $XPHASE_APPLICATION in Alpha) echo ${0##*/} $XPHASE_CHANGE >> log;; esac")
            try hooks.waitForMessage("xphase: configuration reloaded: 1 from hooks.d")
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["late phase"])
            chmod("\(hooks.home.hooksDirectory)/late", 0o644)
            try hooks.waitForMessage("is not executable")
            try hooks.waitForMessage("reloaded: no hooks")
            try hooks.session.settle { window.activate() }
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["late phase"])
        }

        @Test func aFaultyConfigurationKeepsTheOldHooks() throws {
            let hooks = try HookSession(Self.noting("old"))
            let file = hooks.home.configurationFile
            for (text, fault) in [
                ("[[hook]]\nname = 3\nbad\n", "3:"),
                ("[[hook]]\nname = 'a'\nshel = 'b'\n", "3: hook[1] 'a': there is no key 'shel'"),
            ] {
                try hooks.home.configure(text)
                try hooks.waitForMessage("xphase: \(file):\(fault)")
                try hooks.waitForMessage("the old hooks stay in use")
            }
            hooks.run.send(SIGHUP)
            try hooks.waitForMessage("the old hooks stay in use")
            chmod(file, 0o666)
            try hooks.waitForMessage("is writable by others")
            // They react while the file is faulty.
            let window = try hooks.session.open("Alpha")
            try hooks.home.waitForLines(["old opened"])
            // Reverting a fault is reported as a reload.
            try hooks.home.configure(Self.noting("old"))
            try hooks.waitForMessage("configuration reloaded: 1 hook")
            // What a signal requests is always reported.
            hooks.run.send(SIGHUP)
            try hooks.waitForMessage("xphase: configuration reloaded: 1 hook from \(file)")
            window.iconify()
            try hooks.home.waitForLines(["old opened", "old phase"])
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
