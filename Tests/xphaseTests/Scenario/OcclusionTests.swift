import FoundationEssentials
import TestDesktop
import Testing

extension DesktopTests {
    /// Covered windows with `--occlusion`.
    @Suite struct Occlusion {
        private struct Explained: Decodable {
            var kind: String
            var rule: String?
            var coveredPixels: Int?
            var coveredBy: [String]?
        }

        @Test func aWindowThatStaysCoveredIsInTheBackground() throws {
            let arguments = ["--occlusion", "500ms"]
            let session = try Session(.openbox, ["--level", "application"] + arguments)
            let alpha = try session.open("Alpha", x: 40, y: 60)
            let beta = session.window(.init("Beta"), x: 300, y: 20, width: 290, height: 300)
            try session.settle { beta.map() }
            let fall = try session.applicationLine("Alpha", to: "background") { beta.move(x: 10, y: 20) }
            #expect(fall.cause == "covered" && fall.from == "inactive")

            let rules = try HookHome("occlusion = '500ms'")
            func lines(_ words: String...) throws -> [String] {
                try XPhase.run(words, on: session.display, environment: rules.environment).output
            }
            #expect(try lines("phase", alpha.name) == ["background"])
            let text = try lines("explain", "Alpha")
            #expect(text.contains("  covered: all of its 30,000 px are hidden by \(beta.name) Beta"))
            let window = try lines("explain", alpha.name, "--json")
                .map { try JSONDecoder().decode(Explained.self, from: Data($0.utf8)) }
                .first { $0.kind == "window" }
            #expect(window?.rule == "covered" && window?.coveredPixels == 30_000)
            #expect(window?.coveredBy == [beta.name])

            let rise = try session.applicationLine("Alpha", to: "active") { alpha.activate() }
            #expect(rise.cause == "uncovered")
        }
    }
}
