import Glibc
import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

/// The lines for people, and their colours, which the tree of `list` has, too.
@Suite struct TextLineTests {
    private static let coloured = Palette(isColoured: true)
    private static let plain = Palette(isColoured: false)

    private static func line(_ event: Event, _ palette: Palette = plain) -> String {
        TextLine(palette: palette).line(for: event, time: .sample)
    }

    /// The title of a scene, if it has one, is quoted.
    @Test func theWordsOfALine() {
        func counting(_ counts: Change.Counts) -> Change {
            .sampleApplication.with { $0.subject = .application(.init(counts: counts, pids: [], groups: [])) }
        }
        let (hidden, held) = ("active → background iconify", "after 4m12s")
        let long = String(repeating: "long", count: 256)
        for (change, words) in [
            (.sampleApplication, "Firefox \(hidden) 2 scenes \(held)"),
            (.sampleGroup, "Firefox/Navigator active → inactive blur 3 scenes \(held)"),
            (.sampleScene, #"Firefox/Navigator 0x2c00007 \#(hidden) \#(held) "Inbox""#),
            (.bareScene, "Firefox/Navigator 0x2c00007 → inactive start"),
            (Change.sampleScene.titled(""), #"Firefox/Navigator 0x2c00007 \#(hidden) \#(held) """#),
            (counting(.init(inactive: 1)), "Firefox \(hidden) 1 scene \(held)"),
            (
                counting(.init(active: 1, inactive: 20, background: 300)),
                "Firefox \(hidden) 321 scenes \(held)"
            ),
            (
                .sampleScene.titled("new").with { ($0.kind, $0.to, $0.cause) = (.title, .active, .title) },
                #"Firefox/Navigator 0x2c00007 active title "new""#
            ),
            (
                .sampleApplication.with {
                    ($0.kind, $0.from, $0.cause, $0.held) = (.opened, nil, .open, nil)
                }, "Firefox → background open 2 scenes"
            ),
            (
                counting(.init()).with { ($0.to, $0.cause) = (.background, .close) },
                "Firefox active → closed close 0 scenes \(held)"
            ), (.sampleApplication.with { $0.application = long }, "\(long) \(hidden) 2 scenes \(held)"),
        ] {
            let real = Self.line(.change(change)).split(whereSeparator: \.isWhitespace).dropFirst()
            #expect(real.joined(separator: " ") == words)
        }
        #expect(
            Self.line(.notice(.sample))
                == "\(TimeText.local(.sample))  notice  openbox went away; phases are frozen")
    }

    /// Nor does a line end in blanks.
    @Test func theColumnsOfAllLinesStandBelowEachOther() {
        let phases: [ScenePhase?] = [nil, .active, .inactive, .background]
        let lines = phases.flatMap { from in
            phases.flatMap { to in
                [Cause.map, .windowManager].map { cause in
                    let change = Change.sampleApplication.with {
                        $0.application = from == nil ? "mpv" : "Gnome-terminal"
                        ($0.from, $0.to, $0.cause) = (from, to, cause)
                    }
                    return Self.line(.change(change))
                }
            }
        }
        for mark in ["→", "2 scenes", "after"] {
            let places = lines.map { line in line.firstRange(of: mark).map { line[..<$0.lowerBound].count } }
            #expect(Set(places).count == 1 && places.first != .some(nil))
        }
        let scenes = Change.samples + [.bareScene, .sampleScene.titled("ends in blanks  ")]
        for change in scenes.flatMap({ [$0, $0.with { $0.held = nil }] }) {
            #expect(Self.line(.change(change)).last?.isWhitespace == false)
        }
    }

    @Test func colourChangesNothingButTheColour() {
        func tree(_ palette: Palette) -> String { Tree(palette: palette).text(of: Change.samples) }
        let events = Change.samples.map(Event.change) + [.change(.bareScene), .notice(.sample)]
        let pairs = events.map { (Self.line($0, Self.coloured), Self.line($0)) }
        for (painted, plain) in pairs + [(tree(Self.coloured), tree(Self.plain))] {
            #expect(painted != plain && !plain.contains("\u{1B}"))
            #expect(painted.replacing(/\u{1B}\[[\d;]+m/, with: "") == plain)
        }
    }

    /// The contrast of WCAG 2 on black and on white. The colours from 16 on are the same on all terminals.
    @Test func everyPhaseHasAColourOfItsOwnWithContrastOnDarkAndOnLightTerminals() throws {
        func luminance(_ colour: [Double]) -> Double {
            zip([0.2126, 0.7152, 0.0722], colour).reduce(0) { sum, part in
                let value = part.1 / 255
                return sum + part.0 * (value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
        let phases = ScenePhase.allCases.map { Self.coloured.phase("a", $0) }
        #expect(Set(phases).count == 3)
        for text in phases + [Self.coloured.faint("a")] {
            let code = try #require(text.wholeMatch(of: /\u{1B}\[38;5;(\d+)ma\u{1B}\[0m/)?.1)
            let number = try #require(Int(code)) - 16
            let cube = [36, 6, 1].map { [0, 95, 135, 175, 215, 255][number / $0 % 6] }
            let grey = Array(repeating: Double(10 * (number - 216) + 8), count: 3)
            let light = luminance(number < 216 ? cube.map(Double.init) : grey) + 0.05
            #expect(light / 0.05 >= 4.5 && 1.05 / light >= 4.5, "\(code)")
        }
    }
}
