import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct TextLineTests {
    private static let plain = TextLine(palette: Palette(isColoured: false))

    /// Returns the words of a line after the time.
    private static func words(_ change: Change) -> String {
        plain.line(for: .change(change), time: .sample).split(whereSeparator: \.isWhitespace).dropFirst()
            .joined(separator: " ")
    }

    /// The title of a scene, if it has one, is quoted.
    @Test func theWordsOfALine() {
        func counting(_ counts: Change.Counts) -> Change {
            .sampleApplication.with {
                $0.subject = .application(.init(counts: counts, pids: [], groups: []))
            }
        }
        let hidden = "active → background iconify"
        let long = String(repeating: "long", count: 256)
        for (change, words) in [
            (.sampleApplication, "Firefox \(hidden) 2 scenes after 4m12s"),
            (.sampleGroup, "Firefox/Navigator active → inactive blur 3 scenes after 4m12s"),
            (.sampleScene, #"Firefox/Navigator 0x2c00007 \#(hidden) after 4m12s "Inbox""#),
            (.bareScene, "Firefox/Navigator 0x2c00007 → inactive start"),
            (Change.sampleScene.titled(""), #"Firefox/Navigator 0x2c00007 \#(hidden) after 4m12s """#),
            (counting(.init(inactive: 1)), "Firefox \(hidden) 1 scene after 4m12s"),
            (
                counting(.init(active: 1, inactive: 20, background: 300)),
                "Firefox \(hidden) 321 scenes after 4m12s"
            ),
            (
                Change.sampleScene.titled("new").with {
                    ($0.kind, $0.to, $0.cause) = (.title, .active, .title)
                },
                #"Firefox/Navigator 0x2c00007 active title "new""#
            ),
            (
                .sampleApplication.with {
                    ($0.kind, $0.from, $0.cause, $0.held) = (.opened, nil, .open, nil)
                },
                "Firefox → background open 2 scenes"
            ),
            (
                counting(.init()).with { ($0.to, $0.cause) = (.background, .close) },
                "Firefox active → closed close 0 scenes after 4m12s"
            ),
            (.sampleApplication.with { $0.application = long }, "\(long) \(hidden) 2 scenes after 4m12s"),
        ] { #expect(Self.words(change) == words) }
    }

    @Test func aNoticeIsItsSentence() {
        #expect(
            Self.plain.line(for: .notice(.sample), time: .sample)
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
                    return Self.plain.line(for: .change(change), time: .sample)
                }
            }
        }
        for mark in ["→", "2 scenes", "after"] {
            let places = lines.map { line in line.firstRange(of: mark).map { line[..<$0.lowerBound].count } }
            #expect(Set(places).count == 1 && places.first != .some(nil))
        }
        let scenes = Change.samples + [.bareScene, .sampleScene.titled("ends in blanks  ")]
        for change in scenes.flatMap({ [$0, $0.with { $0.held = nil }] }) {
            let line = Self.plain.line(for: .change(change), time: .sample)
            #expect(line.last?.isWhitespace == false)
        }
    }
}
