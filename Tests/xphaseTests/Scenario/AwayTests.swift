import Glibc
import TestDesktop
import Testing

/// A session hidden by another virtual terminal, as every command sees it.
struct AwayTests {
    private let display: VirtualDisplay
    private let client: TestClient
    private let alpha: TestWindow

    init() throws {
        (display, client, alpha) = try Stage.oneWindow()
    }

    private func leave() { client.setRoot("XFree86_has_VT", "INTEGER", [0]) }
    private func comeBack() { client.setRoot("XFree86_has_VT", "INTEGER", [1]) }

    @Test func theLogHasANoticeAndALineForEachWay() throws {
        let watch = try Program(XPhase.path, ["watch"], environment: display.environment)
        func next() throws -> String {
            let words = try #require(try watch.output.next()).split(separator: " ").dropFirst()
            return words.joined(separator: " ")
        }
        #expect(try next() == "Alpha → active start 1 scene")
        leave()
        #expect(try next().hasSuffix("away: another virtual terminal is shown"))
        #expect(try next().hasPrefix("Alpha active → background away 1 scene after "))
        comeBack()
        #expect(try next().hasSuffix("back: this display is shown again"))
        #expect(try next().hasPrefix("Alpha background → active back 1 scene after "))
    }

    @Test func commandsThatReadOnceKnowItAtOnce() throws {
        leave()
        #expect(try XPhase.run(["phase", "alpha"], on: display).output == ["background"])
        let rules = try HookHome("session = ['lock']")
        let other = try XPhase.run(["phase", "alpha"], on: display, environment: rules.environment)
        #expect(other.output == ["active"])
        let list = try XPhase.run(["list", "--json"], on: display).output.map { try Line($0) }
        #expect(list.map(\.kind) == ["scene", "group", "application"])
        #expect(list.allSatisfy { $0.to == "background" })
        #expect(try XPhase.run(["wait", "alpha", "background"], on: display).code == 0)
        let explanation = try XPhase.run(["explain", "alpha"], on: display).output
        #expect(explanation.first == "Alpha is background, because its scene \(alpha.name) is")
        #expect(explanation.contains("  away: another virtual terminal is shown, and it has the focus"))
    }
}
