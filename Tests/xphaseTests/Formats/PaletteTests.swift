import PhaseWatch
import Testing

@testable import Scenes
@testable import xphase

@Suite struct PaletteTests {
    private static let coloured = Palette(isColoured: true)
    private static let plain = Palette(isColoured: false)
    private static let phases = [ScenePhase.active, .inactive, .background]

    @Test func withoutColourTextStaysAsItIs() {
        #expect(Self.plain.strong("a") == "a")
        #expect(Self.plain.faint("a") == "a")
        for phase in Self.phases { #expect(Self.plain.phase("a", phase) == "a") }
    }

    @Test func everyPhaseHasAColourOfItsOwn() {
        let painted = Self.phases.map { Self.coloured.phase("a", $0) }
        #expect(Set(painted).count == 3)
        #expect(painted.allSatisfy { $0.hasPrefix("\u{1B}[") && $0.hasSuffix("a\u{1B}[0m") })
        #expect(Self.coloured.phase("a", nil) == "a")
    }

    @Test func everyColourIsTurnedOffAgain() {
        for text in [Self.coloured.strong("a"), Self.coloured.faint("a")] {
            #expect(text.hasPrefix("\u{1B}["))
            #expect(text.hasSuffix("a\u{1B}[0m"))
        }
    }

    @Test func colourChangesNothingButTheColour() {
        let events = Change.samples.map(Event.change) + [.change(.bareScene), .notice(.sample)]
        for event in events {
            let painted = TextLine(palette: Self.coloured).line(for: event, time: .sample)
            #expect(painted.contains("\u{1B}["))
            #expect(
                Self.unpainted(painted) == TextLine(palette: Self.plain).line(for: event, time: .sample))
        }
    }

    @Test func aTreeInColourIsTheSameTree() {
        let painted = Self.tree(Self.coloured)
        #expect(painted.contains("\u{1B}[1mFirefox"))
        #expect(Self.unpainted(painted) == Self.tree(Self.plain))
    }

    private static func tree(_ palette: Palette) -> String {
        Tree(palette: palette).text(of: Change.samples)
    }

    private static func unpainted(_ text: String) -> String {
        text.replacing(/\u{1B}\[[\d;]+m/, with: "")
    }
}
