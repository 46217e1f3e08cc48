import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Many hooks, at once and in sequence.
    @Suite struct HookStorm {
        /// Opens windows of applications, which close with the client.
        private static func open(_ count: Int, _ hooks: HookSession) throws -> TestClient {
            let client = try TestClient(hooks.session.display.name)
            for number in 1...count { client.queueSmallWindow(className: "App\(number)") }
            client.sync()
            return client
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
            let entered = Set((1...400).map { "enter App\($0)" })
            do {
                let client = try Self.open(400, hooks)
                #expect(try waitUntil(within: .seconds(120)) { try hooks.home.lines("log").count == 400 })
                #expect(Set(try hooks.home.lines("log")) == entered)
                withExtendedLifetime(client) {}
            }
            #expect(try waitUntil(within: .seconds(120)) { try hooks.home.lines("log").count == 800 })
            #expect(try waitUntil { try hooks.home.records().isEmpty })
            let left = entered.map { $0.replacing("enter", with: "leave") }
            #expect(Set(try hooks.home.lines("log")) == entered.union(left))
        }

        @Test func twoThousandRunsLeaveNothingBehind() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "true"
                application = "App*"
                from = "background"
                run = ["true"]
                """, manager: .none)
            let descriptors = try hooks.run.descriptors()
            var kilobytes = 0
            for round in 1...10 {
                do {
                    let client = try Self.open(200, hooks)
                    #expect(try hooks.session.settle().count { $0.change == "opened" } == 200)
                    withExtendedLifetime(client) {}
                }
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
