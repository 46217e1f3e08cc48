import Glibc
import TestDesktop
import Testing

/// What a service manager reads of `xphase run`, as sd_notify(3) describes it.
struct ServiceReportTests {
    /// Prints each message on a line, and a number as `N`.
    private static let manager = """
        import re, socket, sys
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(sys.argv[1].replace("@", "\\0"))
        print("ready", flush=True)
        while True: print(re.sub("USEC=[0-9]+", "USEC=N", manager.recv(4096).decode()).replace("\\n", " "), flush=True)
        """

    private static func manager(at address: String) throws -> Program {
        let manager = try Program("python3", ["-c", manager, address], package: "python3")
        #expect(try manager.output.next() == "ready")
        return manager
    }

    @Test(arguments: ["", "@"]) func theServiceReportsItsStartItsStatusItsReloadsAndItsEnd(prefix: String)
        throws
    {
        let (stage, _) = try Stage.alpha(.none, HookSession.pair())
        let address = "\(prefix)\(stage.home.path)/notify"
        let manager = try Self.manager(at: address)
        stage.environment["NOTIFY_SOCKET"] = address
        let run = try stage.start("run")
        #expect(try manager.output.next() == "READY=1 STATUS=1 hook; 1 application")
        let beta = try stage.show(.init("Beta"))
        #expect(try manager.output.next() == "STATUS=1 hook; 2 applications")
        beta.destroy()
        stage.client.sync()
        #expect(try manager.output.next() == "STATUS=1 hook; 1 application")
        for (text, status) in [
            ("", "STATUS=no hooks; 1 application"),
            ("name = a", "STATUS=no hooks of the old configuration: the new one has errors; 1 application"),
        ] {
            // The service notices the file by itself.
            try stage.home.configure(text)
            #expect(try manager.output.next() == status)
            run.send(SIGHUP)
            #expect(try manager.output.next() == "RELOADING=1 MONOTONIC_USEC=N \(status)")
            #expect(try manager.output.next() == "READY=1 \(status)")
        }
        // One that does not read holds nothing up.
        manager.send(SIGSTOP)
        for number in 1...300 { stage.client.queueSmallWindow(className: "Many\(number)") }
        stage.client.sync()
        run.send(SIGTERM)
        #expect(try run.exitCode() == 0)
        manager.send(SIGCONT)
        while try manager.output.next()?.hasPrefix("STOPPING=1 STATUS=") == false {}
    }

    /// An upgrade sends the signal.
    @Test func theInstalledVersionReplacesTheServiceOnSIGUSR2WithoutAnEndForTheManager() throws {
        let pair = HookSession.pair("pair", "initial = true").replacing("background", with: "active")
        let (stage, _) = try Stage.alpha(.none, pair)
        let address = "\(stage.home.path)/notify"
        let manager = try Self.manager(at: address)
        stage.environment["NOTIFY_SOCKET"] = address
        let run = try stage.start("run")
        for lines in [["enter pair"], ["enter pair", "leave pair", "enter pair"]] {
            #expect(try manager.output.next() == "READY=1 STATUS=1 hook; 1 application")
            try stage.home.waitForLines(lines)
            run.send(SIGUSR2)
        }
        #expect(try manager.output.next() == "READY=1 STATUS=1 hook; 1 application")
        run.send(SIGTERM)
        #expect(try run.exitCode() == 0)
        #expect(try manager.output.next()?.hasPrefix("STOPPING=1 STATUS=") == true)
    }
}
