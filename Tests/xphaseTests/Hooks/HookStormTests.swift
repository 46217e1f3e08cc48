import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Many hooks, at once and in sequence.
    @Suite struct HookStorm {
        /// Opens windows of 200 applications, which close with the client.
        private static func applications(_ hooks: HookSession) throws -> TestClient {
            let client = try TestClient(hooks.session.display.name)
            for number in 1...200 { client.queueSmallWindow(className: "App\(number)") }
            client.sync()
            return client
        }

        /// Opens all windows, and closes them without waiting for the reports of that.
        private static func open(_ hooks: HookSession) throws {
            let client = try applications(hooks)
            let opened = try hooks.session.settle().filter { $0.change == "opened" }
            withExtendedLifetime(client) {}
            guard opened.count == 200 else { throw Failure("\(opened.count) opened") }
        }

        @Test func fourHundredPairsAtOnceAreAllEnteredAndAllLeft() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "pair"
                application = "App*"
                while = ["active", "inactive"]
                enter = ["sh", "-c", "echo enter $XPHASE_APPLICATION >> log"]
                leave = ["sh", "-c", "echo leave $XPHASE_APPLICATION >> log"]
                """, manager: .none)
            var client: TestClient? = try TestClient(hooks.session.display.name)
            for number in 1...400 { client?.queueSmallWindow(className: "App\(number)") }
            client?.sync()
            let entered = Set((1...400).map { "enter App\($0)" })
            #expect(try waitUntil(within: .seconds(120)) { try hooks.home.lines("log").count == 400 })
            #expect(Set(try hooks.home.lines("log")) == entered)
            client = nil
            #expect(try waitUntil(within: .seconds(120)) { try hooks.home.lines("log").count == 800 })
            #expect(try waitUntil { try hooks.home.records().isEmpty })
            let left = entered.map { $0.replacing("enter", with: "leave") }
            #expect(Set(try hooks.home.lines("log")) == entered.union(left))
            try hooks.end()
        }

        @Test func twoThousandRunsLeaveNothingBehind() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "true"
                application = "App*"
                from = "background"
                run = ["true"]
                """,
                manager: .none)
            let descriptors = try hooks.run.descriptors()
            var kilobytes = 0
            for round in 1...10 {
                try Self.open(hooks)
                for _ in 1...200 { try hooks.waitForMessage("run for App") }
                #expect(try waitUntil { try hooks.run.children().isEmpty })
                if round == 2 { kilobytes = try hooks.run.residentKilobytes() }
            }
            #expect(try waitUntil { try hooks.run.descriptors() == descriptors })
            #expect(try hooks.run.residentKilobytes() < kilobytes + 1024)
            #expect(try hooks.end().allSatisfy { $0.contains("run for App") || $0.contains("1 hook from") })
        }
    }
}
