import TestDesktop
import Testing

extension DesktopTests {
    /// packaging/examples/deck/deck.py, unmodified.
    @Suite struct DeckTests {
        private static let deck =
            #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
            + "/packaging/examples/deck/deck.py"

        @Test func theKeysFollowTheApplicationInUse() throws {
            let hooks = try HookSession(nil)
            let alpha = try hooks.session.open("Alpha")
            let deck = try Program(
                "python3", [Self.deck, "Alpha=web", "Beta=code"], package: "python3",
                environment: hooks.session.display.environment.merging(hooks.home.environment) { $1 })
            #expect(try deck.output.next() == "web")
            _ = try hooks.session.open("Beta")
            #expect(try deck.output.next() == "code")
            _ = try hooks.session.open("Gamma")
            #expect(try deck.output.next() == "home")
            alpha.activate()
            #expect(try deck.output.next() == "web")
            try deck.end()
            try hooks.end()
        }
    }
}
