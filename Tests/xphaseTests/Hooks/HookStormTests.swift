import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Many hooks, at once and in sequence.
    @Suite struct HookStorm {
        @Test func fourHundredPairsAtOnceAreAllEnteredAndAllLeftAndNothingIsLeftBehind() throws {
            let hooks = try HookSession(
                """
                [[hook]]
                name = "pair"
                application = "App*"
                while = ["active", "inactive"]
                enter = ["sh", "-c", "echo enter $XPHASE_APPLICATION >> log"]
                leave = ["sh", "-c", "echo leave $XPHASE_APPLICATION >> log"]
                """, manager: .none)
            // What nobody reads is kept in memory.
            func readMessages() throws {
                for _ in 1...800 { try hooks.waitForMessage("App") }
            }
            let descriptors = try hooks.run.descriptors()
            let entered = Set((1...400).map { "enter App\($0)" })
            let left = entered.map { $0.replacing("enter", with: "leave") }
            var kilobytes = 0
            for round in 1...3 {
                var client: TestClient? = try TestClient(hooks.session.display.name)
                for number in 1...400 { client?.queueSmallWindow(className: "App\(number)") }
                client?.sync()
                #expect(try waitUntil(within: .seconds(120)) { try hooks.home.lines("log").count == 400 })
                #expect(Set(try hooks.home.lines("log")) == entered)
                client = nil
                #expect(try waitUntil(within: .seconds(120)) { try hooks.home.lines("log").count == 800 })
                #expect(Set(try hooks.home.lines("log")) == entered.union(left))
                #expect(try waitUntil { try hooks.home.records().isEmpty && hooks.run.children().isEmpty })
                try readMessages()
                if round == 1 { kilobytes = try hooks.run.residentKilobytes() }
                try hooks.home.write("log", "")
            }
            #expect(try waitUntil { try hooks.run.descriptors() == descriptors })
            #expect(try hooks.run.residentKilobytes() < kilobytes + 1024)
            try hooks.end()
        }
    }
}
