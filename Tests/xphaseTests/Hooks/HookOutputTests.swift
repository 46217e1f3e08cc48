import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The output of hooks.
    @Suite struct HookOutput {
        @Test func eachLineStandsBehindTheName() throws {
            let hooks = try HookSession(
                HookSession.hook(shell: #"echo one; echo two >&2; printf '\033[2Jthree\r'; printf 4"#))
            try hooks.session.open("Alpha")
            try hooks.waitForMessage("three")
            let lines = try hooks.end().filter { $0.hasPrefix("xphase: hook 'note': ") }
            #expect(
                lines.map { String($0.dropFirst("xphase: hook 'note': ".count)) } == [
                    "run for Alpha, active, open", "one", "two", #"\e[2Jthree\r4"#,
                ])
        }

        @Test func whatIsTooMuchIsCountedAndDropped() throws {
            let (mostShown, count) = (65_536, 100_000_000)
            let hooks = try HookSession(
                HookSession.hook(shell: "yes 0123456789abcdef0123456789abcde | head -c \(count); exit 1"))
            try hooks.session.open("Alpha")
            try hooks.waitForMessage("exit 1 after")
            let prefix = "xphase: hook 'note': "
            let shown = hooks.reported.filter { $0.hasPrefix(prefix + "0") }.map {
                $0.utf8.count - prefix.utf8.count
            }
            #expect(shown.reduce(0) { $0 + $1 + 1 } == mostShown)
            let note = "\(prefix)\(count - mostShown) more bytes of its output were dropped"
            #expect(hooks.reported.filter { $0.hasSuffix("dropped") } == [note])
            try hooks.end()
        }

        @Test func oneThatPrintsForEverBlocksNothing() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "yes", "application = \"Alpha\"\nto = \"active\"\ntimeout = \"1s\"", shell: "yes"))
            let alpha = try hooks.session.open("Alpha")
            let beta = try hooks.session.open("Beta", x: 300)
            // Neither the unread output nor the hook blocks the monitor.
            for _ in 1...5 {
                try hooks.session.applicationLine("Beta", to: "background") { beta.iconify() }
                try hooks.session.applicationLine("Beta", to: "active") { beta.activate() }
            }
            try hooks.waitForMessage("timed out after")
            try hooks.session.settle { alpha.destroy() }
            try hooks.end()
        }

        @Test func aReaderOfTheLinesThatDoesNotReadHoldsUpNoHook() throws {
            let hooks = try HookSession(
                HookSession.hook(
                    "last", "application = \"Last*\"", shell: "echo $XPHASE_APPLICATION >> log"),
                manager: .none)
            // More lines than a pipe holds.
            for number in 1...1000 { hooks.session.client.queueSmallWindow(className: "Many\(number)") }
            for number in 1...3 {
                hooks.session.client.queueSmallWindow(className: "Last\(number)")
                hooks.session.client.sync()
                try hooks.home.waitForLines((1...number).map { "Last\($0)" })
            }
            try hooks.end()
        }

        @Test func whatIsLeftInTheBackgroundHoldsUpNothing() throws {
            let hooks = try HookSession(
                HookSession.hook(shell: "sleep 1000 & echo $! >> children; echo $XPHASE_TO >> log"))
            let window = try hooks.session.open("Alpha")
            try hooks.home.waitForLines(["active"])
            try hooks.session.settle { window.iconify() }
            try hooks.home.waitForLines(["active", "background"])
            try hooks.session.settle { window.activate() }
            try hooks.home.waitForLines(["active", "background", "active"])
            try hooks.end()
            let children = try hooks.home.lines("children").compactMap { pid_t($0) }
            #expect(children.count == 3)
            for child in children { #expect(kill(child, SIGKILL) == 0) }
        }
    }
}
