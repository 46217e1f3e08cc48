import Glibc
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
        // Each is turned off again.
        let others = [Self.coloured.strong("a"), Self.coloured.faint("a")]
        #expect((painted + others).allSatisfy { $0.hasPrefix("\u{1B}[") && $0.hasSuffix("a\u{1B}[0m") })
        #expect(Self.coloured.phase("a", nil) == "a")
    }

    /// The contrast of WCAG 2 on black and on white. The colours from 16 on are the same on all terminals.
    @Test func everyColourHasContrastOnDarkAndOnLightTerminals() throws {
        func luminance(_ colour: [Double]) -> Double {
            zip([0.2126, 0.7152, 0.0722], colour).reduce(0) { sum, part in
                let value = part.1 / 255
                return sum + part.0 * (value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
        for text in Self.phases.map({ Self.coloured.phase("a", $0) }) + [Self.coloured.faint("a")] {
            let code = try #require(text.wholeMatch(of: /\u{1B}\[38;5;(\d+)ma\u{1B}\[0m/)?.1)
            let number = try #require(Int(code)) - 16
            let cube = [36, 6, 1].map { [0, 95, 135, 175, 215, 255][number / $0 % 6] }
            let colour =
                number < 216
                ? cube.map(Double.init) : Array(repeating: Double(10 * (number - 216) + 8), count: 3)
            let light = luminance(colour) + 0.05
            #expect(light / 0.05 >= 4.5 && 1.05 / light >= 4.5, "\(code)")
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
