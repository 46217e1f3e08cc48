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

    @Test func aLineIsTimeNamePhasesCauseScenesAndHowLong() {
        let time = TimeText.local(.sample)
        #expect(
            Self.plain.line(for: .change(.sampleApplication), time: .sample).split(separator: #/  +/#) == [
                Substring(time), "Firefox", "active → background", "iconify", "2 scenes", "after 4m12s",
            ])
    }

    /// The title of a scene, if it has one, is quoted.
    @Test func theWordsOfALine() {
        let opened = Change.sampleApplication.with {
            ($0.kind, $0.from, $0.to, $0.cause, $0.held) = (.opened, nil, .active, .open, nil)
        }
        let closed = Change.sampleApplication.with {
            ($0.to, $0.cause) = (.background, .close)
            $0.subject = .application(.init(counts: .init(), pids: [], groups: []))
        }
        func counting(_ counts: Change.Counts) -> Change {
            .sampleApplication.with {
                $0.subject = .application(.init(counts: counts, pids: [], groups: []))
            }
        }
        let hidden = "active → background iconify"
        for (change, words) in [
            (.sampleGroup, "Firefox/Navigator active → inactive blur 3 scenes after 4m12s"),
            (.sampleScene, #"Firefox/Navigator 0x2c00007 \#(hidden) after 4m12s "Inbox""#),
            (.bareScene, "Firefox/Navigator 0x2c00007 → inactive start"),
            (Change.sampleScene.titled(""), #"Firefox/Navigator 0x2c00007 \#(hidden) after 4m12s """#),
            (counting(.init(inactive: 0)), "Firefox \(hidden) 0 scenes after 4m12s"),
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
            (opened, "Firefox → active open 2 scenes"),
            (closed, "Firefox active → closed close 0 scenes after 4m12s"),
        ] { #expect(Self.words(change) == words) }
    }

    @Test func aNoticeIsItsSentence() {
        #expect(
            Self.plain.line(for: .notice(.sample), time: .sample)
                == "\(TimeText.local(.sample))  notice  openbox went away; phases are frozen")
    }

    @Test func theColumnsOfAllLinesStandBelowEachOther() {
        let changes = [nil, ScenePhase.active, .inactive, .background].flatMap { from in
            [ScenePhase.active, .inactive, .background, nil].flatMap { to in
                [Cause.map, .windowManager].map { cause in
                    Change.sampleApplication.with {
                        $0.application = from == nil ? "mpv" : "Gnome-terminal"
                        $0.from = from
                        $0.to = to
                        $0.cause = cause
                    }
                }
            }
        }
        for mark in ["→", "2 scenes", "after"] {
            let places = changes.map { change in
                Self.plain.line(for: .change(change), time: .sample).firstRange(of: mark).map {
                    Self.plain.line(for: .change(change), time: .sample)[..<$0.lowerBound].count
                }
            }
            #expect(Set(places).count == 1)
            #expect(places.first != .some(nil))
        }
    }

    @Test func aLongNameIsNotCut() {
        let name = String(repeating: "long", count: 256)
        #expect(
            Self.words(Change.sampleApplication.with { $0.application = name }).hasPrefix("\(name) active → ")
        )
    }

    @Test func noLineEndsInBlanks() {
        let changes = Change.samples + [.bareScene, Change.sampleScene.titled("ends in blanks  ")]
        for isColoured in [false, true] {
            let format = TextLine(palette: Palette(isColoured: isColoured))
            for change in changes.flatMap({ [$0, $0.with { $0.held = nil }] }) {
                let line = format.line(for: .change(change), time: .sample)
                #expect(!line.hasSuffix(" ") && !line.hasSuffix("\n"))
            }
        }
    }
}
