import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// LibreOffice has one process, and a WM_CLASS for each kind of document.
    @Suite struct OfficeTests {
        @Test func bothApplicationsAreFrozenAndThawedTogether() throws {
            let hooks = try HookSession(
                DesktopTests.FreezeTests.hook("except = \"none\"").replacing("XTerm", with: "libreoffice-*"))
            let (writer, calc) = try Self.open(hooks)
            try hooks.session.settle { writer.iconify() }
            #expect(try DesktopTests.FreezeTests.runs(writer))
            calc.iconify()
            // Its tooltips are popups that may appear for a moment.
            for _ in 1...2 { try hooks.waitForMessage("frozen (") }
            #expect(try DesktopTests.FreezeTests.isFrozen(writer))
            for window in [writer, calc] {
                window.activate()
                for _ in 1...2 { try hooks.waitForMessage("thawed: ") }
                #expect(try waitUntil { try DesktopTests.FreezeTests.runs(writer) })
                try hooks.session.settle()
                window.iconify()
                for _ in 1...2 { try hooks.waitForMessage("frozen (") }
                #expect(try DesktopTests.FreezeTests.isFrozen(writer))
            }
            try hooks.end()
            #expect(try hooks.home.records().isEmpty)
            try writer.program.end()
        }

        /// Opens two documents in one process.
        private static func open(_ hooks: HookSession) throws -> (writer: ProgramWindow, calc: ProgramWindow)
        {
            let environment: [String: String?] = [
                "HOME": hooks.home.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(hooks.home.path)/no-bus",
            ]
            let session = hooks.session
            let options = ["--norestore", "--nologo", "--nofirststartwizard"]
            _ = try Program.find("lowriter", package: "libreoffice-writer")
            _ = try Program.find("localc", package: "libreoffice-calc")
            func start(_ words: String...) throws -> Program {
                try Program(
                    "/usr/lib/libreoffice/program/soffice.bin", options + words,
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
