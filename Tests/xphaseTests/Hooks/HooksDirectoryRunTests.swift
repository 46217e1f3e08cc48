import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Executables in hooks.d, as `xphase run` runs them.
    @Suite struct HooksDirectoryRun {
        private static let noting =
            "case $XPHASE_APPLICATION in Marker*) exit;; esac\necho ${0##*/} $XPHASE_CHANGE >> log"

        @Test func theyRunInTheOrderOfTheirNames() throws {
            let names = ["10-x", "9-y", "B", "a"]
            let hooks = try HookSession(nil) { home, _ in
                // Slower ones first: nothing but the order of the names decides.
                for (name, pause) in zip(names, [0.3, 0.2, 0.1, 0]) {
                    try home.addHook(name, "sleep \(pause)\n\(Self.noting)")
                }
            }
            let window = try hooks.session.open("Alpha")
            try hooks.home.waitForLines(names.map { "\($0) opened" })
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(names.map { "\($0) opened" } + names.map { "\($0) phase" })
            try hooks.end()
        }

        @Test func whatMustNotRunIsWarnedOf() throws {
            let hooks = try HookSession(nil) { home, _ in
                try home.addHook("good", Self.noting)
                try home.addHook("plain", Self.noting, mode: 0o644)
                try home.addHook("shared", Self.noting, mode: 0o777)
            }
            let plain = "\(hooks.home.hooksDirectory)/plain"
            let shared = "\(hooks.home.hooksDirectory)/shared"
            try hooks.session.open("Alpha")
            try hooks.home.waitForLines(["good opened"])
            let told = try hooks.end()
            #expect(told.contains("xphase: \(plain): is not executable: chmod +x \(plain)"))
            #expect(told.contains("xphase: \(shared): may be written by others: chmod go-w \(shared)"))
            #expect(try hooks.home.lines("log") == ["good opened"])
        }

        @Test func theyComeAndGoWhileItRuns() throws {
            let hooks = try HookSession(nil)
            let window = try hooks.session.open("Alpha")
            try hooks.home.addHook("late", Self.noting)
            #expect(
                try hooks.waitForMessage("read again") == "xphase: configuration read again: 1 from hooks.d")
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["late phase"])
            chmod("\(hooks.home.hooksDirectory)/late", 0o644)
            try hooks.waitForMessage("is not executable")
            #expect(try hooks.waitForMessage("read again") == "xphase: configuration read again: no hooks")
            try hooks.session.settle { window.activate() }
            chmod("\(hooks.home.hooksDirectory)/late", 0o755)
            try hooks.waitForMessage("read again: 1 from hooks.d")
            unlink("\(hooks.home.hooksDirectory)/late")
            try hooks.waitForMessage("read again: no hooks")
            try hooks.session.settle { window.iconify() }
            try hooks.end()
            #expect(try hooks.home.lines("log") == ["late phase"])
        }
    }
}
