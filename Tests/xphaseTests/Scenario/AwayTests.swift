import TestDesktop
import Testing

/// A session hidden by another virtual terminal.
struct AwayTests {
    @Test func theLogHasANoticeAndALineForEachWay() throws {
        let (display, client, alpha) = try Stage.oneWindow()
        defer { withExtendedLifetime(alpha) {} }
        let watch = try Program(XPhase.path, ["watch"], environment: display.environment)
        func next() throws -> String {
            let words = try #require(try watch.output.next()).split(separator: " ").dropFirst()
            return words.joined(separator: " ")
        }
        #expect(try next() == "Alpha → active start 1 scene")
        client.setRoot("XFree86_has_VT", "INTEGER", [0])
        #expect(try next().hasSuffix("away: another virtual terminal is shown"))
        #expect(try next().hasPrefix("Alpha active → background away 1 scene after "))
        client.setRoot("XFree86_has_VT", "INTEGER", [1])
        #expect(try next().hasSuffix("back: this display is shown again"))
        #expect(try next().hasPrefix("Alpha background → active back 1 scene after "))
    }
}
