import Glibc
import TestDesktop
import Testing

extension RootTests {
    /// A fake battery, mounted over that of the kernel in a private mount namespace.
    @Suite struct PowerHookTests {
        /// Mounts the fake power supply, and runs xphase.
        private static let script = """
            power="$HOME/power"
            mkdir -p "$power/AC" "$power/BAT0"
            echo Mains > "$power/AC/type"; echo Battery > "$power/BAT0/type"
            echo 1 > "$power/AC/online"; echo Charging > "$power/BAT0/status"
            mount --bind "$power" /sys/class/power_supply || exit 99
            exec "$0" "$@"
            """

        /// Sends the uevent that the kernel would send, which requires root.
        private static let event = """
            import socket
            events = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
            events.sendto(b"change@/devices/AC\\0ACTION=change\\0SUBSYSTEM=power_supply\\0", (0, 1))
            """

        private static func set(_ power: String, _ home: HookHome) throws {
            try home.write("power/AC/online", power == "mains" ? "1\n" : "0\n")
            try home.write("power/BAT0/status", power == "mains" ? "Charging\n" : "Discharging\n")
            let result = try Program.run("python3", ["-c", event], package: "python3")
            guard result.code == 0 else {
                throw Failure("no uevent can be sent, run this as root: \(result.errors)")
            }
        }

        /// Starts xphase with the power supply, and waits until its stderr contains the text.
        private static func start(
            _ words: [String], _ home: HookHome, _ stage: Stage, _ text: String
        ) throws -> Program {
            let program = try Program(
                "unshare", ["-m", "sh", "-c", script, XPhase.path] + words, package: "util-linux",
                environment: stage.display.environment.merging(home.environment) { $1 })
            guard try program.errors.next()?.contains(text) == true else {
                throw Failure("a folder cannot be mounted, run this as root: \(try program.exitCode())")
            }
            return program
        }

        @Test func aHookHoldsWhileThePowerDoes() throws {
            let home = try HookHome(
                HookSession.pair("saves", "power = \"battery\"")
                    + HookSession.pair("spends", "power = \"mains\"")
                    + HookSession.pair("always"))
            let stage = try Stage(.openbox)
            let window = try stage.show(.init("Alpha"))
            let run = try Self.start(["run"], home, stage, "xphase: 3 hooks")
            // xphase has read the initial state by then.
            while let line = try run.output.next(), !line.contains("Alpha") {}
            let off = "  now: off: the machine is on mains, but power = \"battery\""
            #expect(try waitUntil { try home.xphase("hooks", on: stage.display).output.contains(off) })
            window.iconify()
            // Hooks that are due at the same time start in no particular order.
            func isLogged(_ lines: Set<String>, after count: Int) throws -> Bool {
                try waitUntil { try Set(home.lines("log").dropFirst(count)) == lines }
            }
            #expect(try isLogged(["enter spends", "enter always"], after: 0))
            try Self.set("battery", home)
            #expect(try isLogged(["leave spends", "enter saves"], after: 2))
            try Self.set("mains", home)
            #expect(try isLogged(["leave saves", "enter spends"], after: 4))
            let reported = ["battery", "mains"].map { "xphase: hooks: the machine is now on \($0)" }
            run.send(SIGTERM)
            #expect(try run.errors.rest().filter { $0.contains("machine") } == reported)
            #expect(try run.exitCode() == 0)
        }

        /// The command runs without a service.
        @Test func aCommandReactsOnItsPowerOnly() throws {
            let (home, stage) = (try HookHome(), try Stage(.openbox))
            let window = try stage.show(.init("Alpha"))
            let words = ["on", "Alpha", "background", "--power", "battery", "--", "echo", "on battery"]
            let on = try Self.start(words, home, stage, "waiting for Alpha")
            try stage.hide(window, "Alpha")
            try stage.focus(window, "Alpha")
            try Self.set("battery", home)
            try on.waitForError("the machine is now on battery")
            try stage.hide(window, "Alpha")
            #expect(try on.output.next() == "on battery")
            on.send(SIGTERM)
            #expect(try on.output.rest().isEmpty)
        }
    }
}

extension DesktopTests {
    @Suite struct PowerSocketTests {
        /// One more socket receives the events of the power supplies. A command has one of its own.
        @Test func onlyHooksAndCommandsThatAskForItFollowThePower() throws {
            let hooks = try HookSession(HookSession.pair())
            let before = try hooks.run.sockets()
            try hooks.home.configure(HookSession.pair("pair", "power = \"mains\""))
            #expect(try waitUntil { try hooks.run.sockets() == before + 1 })
            try hooks.home.configure(HookSession.pair())
            #expect(try waitUntil { try hooks.run.sockets() == before })
            let on = try hooks.start("on", "Alpha", "background", "--power", "mains", "--do", "freeze")
            #expect(try waitUntil { try hooks.run.sockets() == before + 2 })
            try on.end(SIGTERM)
            #expect(try waitUntil { try hooks.run.sockets() == before })
        }
    }
}
