import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Real programs in sandboxes, whose windows claim the PIDs inside the sandbox, and a process with windows of
    /// several applications.
    @Suite struct SandboxTests {
        /// The command that starts a sandbox with its own PID namespace, as Flatpak does.
        private static let bubblewrap = ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc"]
        private static let firejail = ["firejail", "--quiet", "--noprofile"]

        private static func hook(_ application: String, _ reaction: String = "freeze") -> String {
            "[[hook]]\nname = \"sleep\"\napplication = \"\(application)\"\nwhile = \"background\"\ndo = \"\(reaction)\"\n"
                + "except = \"none\"\n"
        }

        /// Opens a program in a sandbox.
        private static func open(
            _ session: Session, _ sandbox: [String], _ words: String..., application: String, number: pid_t,
            environment: [String: String?] = [:]
        ) throws -> ProgramWindow {
            let tool = sandbox[0] == "bwrap" ? "bubblewrap" : sandbox[0]
            _ = try Program.find(sandbox[0], package: tool)
            return try ProgramWindow(
                session, sandbox[0], Array(sandbox.dropFirst()) + words, package: words[0],
                application: application, environment: environment, reports: number)
        }

        /// A sandbox with its own host name is not mistaken for another machine.
        @Test(
            arguments: [
                (bubblewrap, 2), (bubblewrap + ["--as-pid-1", "--unshare-uts", "--hostname", "box"], 1),
                (firejail, 2), (firejail + ["--hostname=box"], 2),
            ] as [([String], pid_t)])
        func whatRunsInASandboxIsFrozenAndThawed(sandbox: [String], number: pid_t) throws {
            let hooks = try HookSession(Self.hook("Mousepad"))
            let editor = try Self.open(
                hooks.session, sandbox, "mousepad", application: "Mousepad", number: number,
                environment: ["HOME": hooks.home.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
            for _ in 1...2 {
                editor.iconify()
                try hooks.waitForMessage("Mousepad frozen (")
                #expect(try FreezeTests.states(editor.program).contains("T"))
                editor.activate()
                try hooks.waitForMessage("Mousepad thawed")
                #expect(try waitUntil { try FreezeTests.runs(editor) })
                try hooks.session.settle()
            }
            // The next start thaws what a killed xphase has left frozen.
            editor.iconify()
            try hooks.waitForMessage("Mousepad frozen (")
            try hooks.run.end(SIGKILL)
            #expect(try FreezeTests.states(editor.program).contains("T"))
            try hooks.session.restart()
            try hooks.waitForMessage("Mousepad thawed")
            #expect(try waitUntil { try FreezeTests.runs(editor) })
            try hooks.end()
            try editor.program.end()
        }

        /// The unit contains the whole sandbox, including its launcher and its session bus proxy.
        @Test(arguments: ["freeze", "slow"])
        func theUnitOfAFlatpakIsItsOwn(reaction: String) throws {
            var unit: TestUnit?
            let name = "app-flatpak-org.\(reaction)-\(TestWindow.ownPid).scope"
            let hooks = try HookSession(Self.hook("XTerm", reaction)) { home, _ in
                unit = try TestUnit(home, name: name)
            }
            let group = try #require(unit)
            try hooks.home.addTool("xdg-dbus-proxy", "sleep 1000 & wait")
            let enter =
                "echo $$ > \(group.path)/cgroup.procs; PATH=\(hooks.home.path)/bin:$PATH; xdg-dbus-proxy &"
            let terminal = try ProgramWindow(
                hooks.session, "sh",
                ["-c", enter + " exec \"$@\"", "sh"] + Self.bubblewrap + ["xterm", "-e", "sleep", "1000"],
                package: "xterm", application: "XTerm", reports: 2)
            terminal.iconify()
            let word = reaction == "freeze" ? "frozen" : "slowed"
            let message = try hooks.waitForMessage(word)
            #expect(message.contains("XTerm \(word) (\(name)"))
            terminal.activate()
            try hooks.waitForMessage(reaction == "freeze" ? "thawed" : "no longer slowed")
            try hooks.end()
            try group.end(terminal)
        }

        /// The streams report the PID inside the sandbox.
        @Test(arguments: [bubblewrap, firejail])
        func onlyItsOwnStreamsAreMuted(sandbox: [String]) throws {
            let sound = try SoundServer()
            let hooks = try HookSession(Self.hook("XTerm", "mute"), environment: sound.address)
            // Two programs have the same PID in their sandboxes.
            let player = try Program.find("pacat", package: "pulseaudio-utils")
            let names = ["radio", "film"].map { "\(hooks.home.path)/\($0)-\(sandbox[0])" }
            for name in names { #expect(try Program.run("cp", [player, name]).code == 0) }
            let script = "sh -c '\(names[0]) --raw /dev/zero; true'; true"
            let other = try Program(
                Self.bubblewrap[0], Self.bubblewrap.dropFirst() + ["sh", "-c", script], package: "bubblewrap",
                environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false] })
            let terminal = try Self.open(
                hooks.session, sandbox, "xterm", "-e", "sh", "-c", "\(names[1]) --raw /dev/zero; true",
                application: "XTerm", number: 2, environment: sound.environment)
            #expect(try waitUntil { try sound.muted() == [false, false] })
            #expect(try sound.players() == [4, 4])
            for _ in 1...2 {
                terminal.iconify()
                try hooks.waitForMessage("XTerm muted (1 stream)")
                #expect(try sound.muted() == [false, true])
                terminal.activate()
                try hooks.waitForMessage("XTerm unmuted (1 stream)")
                #expect(try sound.muted() == [false, false])
                try hooks.session.settle()
            }
            try hooks.end()
            try terminal.program.end()
            try other.end()
        }

        /// LibreOffice has one process, and a WM_CLASS for each kind of document.
        @Test func aProcessOfTwoApplicationsIsFrozenWhenBothAreInTheBackground() throws {
            let hooks = try HookSession(Self.hook("libreoffice-*"))
            let (writer, calc) = try Self.office(hooks)
            try hooks.session.settle { writer.iconify() }
            #expect(try FreezeTests.runs(writer))
            calc.iconify()
            // Its tooltips are popups that may appear for a moment.
            for _ in 1...2 { try hooks.waitForMessage("frozen (") }
            #expect(try FreezeTests.isFrozen(writer))
            for window in [writer, calc] {
                window.activate()
                for _ in 1...2 { try hooks.waitForMessage("thawed: ") }
                #expect(try waitUntil { try FreezeTests.runs(writer) })
                try hooks.session.settle()
                #expect(try FreezeTests.runs(writer))
                window.iconify()
                for _ in 1...2 { try hooks.waitForMessage("frozen (") }
                #expect(try FreezeTests.isFrozen(writer))
            }
            try hooks.run.end(SIGKILL)
            #expect(try FreezeTests.isFrozen(writer))
            try hooks.session.restart()
            for _ in 1...2 { try hooks.waitForMessage("thawed") }
            #expect(try waitUntil { try FreezeTests.runs(writer) })
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
            try writer.program.end()
        }

        /// The hook does not name the other application.
        @Test func aProcessWithWindowsOfAnUnnamedApplicationIsFrozenOnceTheseAreClosed() throws {
            let hooks = try HookSession(Self.hook("libreoffice-writer"))
            let (writer, calc) = try Self.office(hooks)
            for window in [writer, calc] { window.iconify() }
            try hooks.waitForMessage("libreoffice-writer is not frozen: process ")
            try hooks.session.settle()
            #expect(try FreezeTests.runs(writer))
            calc.close()
            try hooks.waitForMessage("libreoffice-writer frozen (")
            try hooks.end()
            try writer.program.end()
        }

        /// Opens two documents in one process.
        private static func office(_ hooks: HookSession) throws -> (
            writer: ProgramWindow, calc: ProgramWindow
        ) {
            let environment: [String: String?] = [
                "HOME": hooks.home.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
            ]
            let session = hooks.session
            let options = ["--norestore", "--nologo", "--nofirststartwizard"]
            _ = try Program.find("localc", package: "libreoffice-calc")
            func start(_ words: String...) throws -> Program {
                try Program(
                    "/usr/lib/libreoffice/program/soffice.bin", options + words, package: "libreoffice-calc",
                    environment: session.display.environment.merging(environment) { $1 })
            }
            // soffice(1) is bypassed, since it would remain as a parent process. The first run creates a profile, and
            // requests a restart.
            #expect(try start("--writer").exitCode() == 81)
            let program = try start("--writer")
            // The first start is slow.
            let client = session.client
            let isShown = waitUntil(within: .seconds(90)) {
                client.words("_NET_CLIENT_LIST")?.contains {
                    client.words("_NET_WM_PID", of: $0) == [UInt(program.pid)]
                } ?? false
            }
            #expect(isShown)
            let writer = try ProgramWindow(session, of: program, application: "libreoffice-writer")
            let second = try start("--calc")
            let calc = try ProgramWindow(session, of: program, application: "libreoffice-calc")
            _ = try second.exitCode()
            return (writer, calc)
        }
    }
}
