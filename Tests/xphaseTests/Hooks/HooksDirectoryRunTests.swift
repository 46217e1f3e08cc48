import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Executables in hooks.d, as `xphase run` runs them.
    @Suite struct HooksDirectoryRun {
        private static let noting =
            "case $XPHASE_APPLICATION in Marker*) exit;; esac\necho ${0##*/} $XPHASE_CHANGE >> log"

        @Test func theyComeAndGoWhileItRuns() throws {
            let hooks = try HookSession(nil)
            let window = try hooks.session.open("Alpha")
            try hooks.home.addHook("late", Self.noting)
            #expect(
                try hooks.waitForMessage("reloaded") == "xphase: configuration reloaded: 1 from hooks.d")
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["late phase"])
            chmod("\(hooks.home.hooksDirectory)/late", 0o644)
            try hooks.waitForMessage("is not executable")
            #expect(try hooks.waitForMessage("reloaded") == "xphase: configuration reloaded: no hooks")
            try hooks.session.settle { window.activate() }
            chmod("\(hooks.home.hooksDirectory)/late", 0o755)
            try hooks.waitForMessage("reloaded: 1 from hooks.d")
            unlink("\(hooks.home.hooksDirectory)/late")
            try hooks.waitForMessage("reloaded: no hooks")
            try hooks.session.settle { window.iconify() }
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["late phase"])
        }
    }
}
