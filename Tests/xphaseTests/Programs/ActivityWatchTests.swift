import Glibc
import TestDesktop
import Testing

extension ProgramTests {
    /// packaging/examples/activitywatch, unmodified, with aw-server and aw-client from PyPI.
    @Suite struct ActivityWatchTests {
        private static let windows = "aw-watcher-xphase"
        private static let afk = "aw-watcher-xphase-afk"

        private let home: HookHome
        private let environment: [String: String?]
        private let port: String

        init() throws {
            home = try HookHome()
            environment = home.environment.merging(["XDG_DATA_HOME": nil, "XDG_CACHE_HOME": nil]) { $1 }
            // The system does not assign such a port to other sockets while the server is down.
            port = "\(Int.random(in: 20_000..<30_000))"
        }

        /// Starts the server with the existing database, and waits until it answers.
        private func server() throws -> Program {
            // The output of the server would fill an unread pipe.
            let command =
                "exec '\(PyPI.python)' -m aw_server --testing --port \(port) >'\(home.path)/log' 2>&1"
            let server = try Program("/bin/sh", ["-c", command], environment: environment)
            let info = "import urllib.request as r; r.urlopen('http://127.0.0.1:\(port)/api/0/info')"
            guard try waitUntil({ try Program.run("/usr/bin/python3", ["-c", info]).code == 0 }) else {
                throw Failure("aw-server does not answer: \(try home.lines("log")); \(PyPI.packages)")
            }
            return server
        }

        private func watcher(_ arguments: [String] = [], on display: VirtualDisplay) throws -> Program {
            let script = "\(XPhase.project)/packaging/examples/activitywatch"
            return try Program(
                "/usr/bin/python3", [script, "--testing", "--port", port] + arguments, package: "python3",
                environment: environment.merging(display.environment) { $1 })
        }

        /// Returns the events of a bucket, oldest first, with `gap` between events that are not adjacent.
        private func events(in bucket: String) throws -> [String] {
            let script = """
                import sys
                from aw_client import ActivityWatchClient
                client = ActivityWatchClient("test", testing=True, host="127.0.0.1", port=int(sys.argv[1]))
                name = f"{sys.argv[2]}_{client.client_hostname}"
                end = None
                if name in client.get_buckets():
                    for event in sorted(client.get_events(name), key=lambda event: event.timestamp):
                        if end and abs((event.timestamp - end).total_seconds()) > 0.01: print("gap")
                        end = event.timestamp + event.duration
                        words = [event.data[key] for key in ("app", "title", "phase", "status") if key in event.data]
                        print(*words, f"{round(event.duration.total_seconds() / 900) * 15} min")
                """
            let result = try Program.run(
                PyPI.python, ["-c", script, port, bucket], package: PyPI.packages, environment: environment)
            if result.code != 0 { throw Failure(result.errors.joined(separator: "\n")) }
            return result.output
        }

        private func expect(_ wanted: [String], in bucket: String = Self.windows) throws {
            var found: [String] = []
            let isThere = try waitUntil {
                found = try events(in: bucket)
                return found == wanted
            }
            #expect(isThere, "\(bucket) has \(found)")
        }

        private func properties(_ name: String) -> TestWindow.Properties {
            var properties = TestWindow.Properties(name)
            properties.title = "\(name)'s"
            return properties
        }

        @Test func theEventsFollowTheFocusAndTheTitleAndNoneIsLostWhileTheServerIsAway() throws {
            var server = try server()
            let stage = try Stage(.openbox)
            let alpha = try stage.show(properties("Alpha"))
            let watcher = try watcher(on: stage.display)
            var events = ["Alpha Alpha's active 0 min"]
            try expect(events)
            alpha.setBytes("_NET_WM_NAME", "UTF8_STRING", Array("Grüße".utf8))
            events.append("Alpha Grüße active 0 min")
            try expect(events)
            try server.end()
            try stage.show(properties("Beta"))
            #expect(
                try watcher.errors.next()?.hasPrefix("activitywatch: events wait for 127.0.0.1:\(port)")
                    == true)
            try stage.wait(for: "Beta", "active")
            try stage.focus(alpha, "Alpha")
            server = try self.server()
            try expect(events + ["Beta Beta's active 0 min", "Alpha Grüße active 0 min"])
            try stage.display.crash()
            #expect(try watcher.exitCode() == 69)
        }

        @Test func aUserWhoTouchesNothingOrSeesNothingIsAway() throws {
            let server = try server()
            let stage = try Stage(.openbox)
            let alpha = try stage.show(properties("Alpha"))
            // No key has been pressed yet, so it depends on timing whether the user is idle at the start.
            try stage.display.run("xdotool key a")
            let watcher = try watcher(["--idle", "2s"], on: stage.display)
            let away = ["not-afk 0 min", "afk 0 min"]
            try expect(away, in: Self.afk)
            var events = ["active", "inactive"].map { "Alpha Alpha's \($0) 0 min" }
            try expect(events)
            try stage.display.run("xset s activate")
            try expect(events + ["Alpha Alpha's background 0 min"])
            // A key ends the blanking and the idle time. Then the user is idle again.
            try stage.display.run("xdotool key a")
            events += ["Alpha Alpha's background 0 min"] + events
            try expect(events)
            try expect(away + away, in: Self.afk)
            // The same without a scene.
            try stage.hide(alpha, "Alpha")
            try stage.display.run("xdotool key a")
            try expect(away + away + away, in: Self.afk)
            try expect(events)
            watcher.send(SIGTERM)
            #expect(try watcher.exitCode() == 0)
            try server.end()
        }
    }
}
