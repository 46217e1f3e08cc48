import TestDesktop
import Testing

extension DesktopTests {
    /// Covered windows with `--occlusion`.
    @Suite struct Occlusion {
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
            let window = try lines("explain", alpha.name, "--json").first { $0.contains(#""kind":"window""#) }
            for fact in [#""rule":"covered""#, #""coveredPixels":30000"#, #""coveredBy":["\#(beta.name)"]"#] {
                #expect(window?.contains(fact) == true, "\(fact)")
            }

            let rise = try session.applicationLine("Alpha", to: "active") { alpha.activate() }
            #expect(rise.cause == "uncovered")
        }
    }
}
