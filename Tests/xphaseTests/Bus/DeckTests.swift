import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// The examples in packaging/examples/deck and the one in Swift, unmodified.
    @Suite struct DeckTests {
        private static let folder =
            #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/packaging/examples"

        @Test(arguments: ["python", "shell", "Swift"]) func theKeysFollowTheApplicationInUse(language: String)
            throws
        {
            let hooks = try HookSession(nil)
            let alpha = try hooks.session.open("Alpha")
            let folder = XPhase.path.prefix(upTo: XPhase.path.lastIndex(of: "/") ?? XPhase.path.endIndex)
            let environment = hooks.session.display.environment.merging(hooks.home.environment) { $1 }
                .merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 }
            let pages = ["Alpha=web", "Beta=code"]
            let deck =
                switch language {
                case "python":
                    try Program(
                        "/usr/bin/python3", ["\(Self.folder)/deck/deck.py"] + pages, package: "python3",
                        environment: environment)
                case "shell": try Program("\(Self.folder)/deck/deck.sh", environment: environment)
                default: try Program(Self.swiftDeck(), pages, environment: environment)
                }
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

        private static func swiftDeck() throws -> String {
            try Examples.ownPhases().replacing(/[^\/]+$/, with: "Deck")
        }
    }
}
