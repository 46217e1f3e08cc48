import PhaseWatch
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

@Suite struct TextLineTests {
    private static let plain = TextLine(palette: Palette(isColoured: false))

    /// The words of a line, behind the time.
    private static func words(_ change: Change) -> String {
        plain.line(for: .change(change), time: .sample).split(whereSeparator: \.isWhitespace).dropFirst()
            .joined(separator: " ")
    }

    @Test func aLineIsTimeNamePhasesCauseScenesAndHowLong() {
        let time = TimeText.local(.sample)
        #expect(
            Self.plain.line(for: .change(.sampleApplication), time: .sample).split(separator: #/  +/#) == [
                Substring(time), "Firefox", "active → background", "iconify", "2 scenes", "after 4m12s\n",
            ])
    }

    @Test func theNameStandsTwoBlanksBehindTheTime() {
        for change in Change.samples {
            #expect(
                Self.plain.line(for: .change(change), time: .sample).hasPrefix(
                    TimeText.local(.sample) + "  Firefox"))
        }
    }

    @Test func groupsAndScenesAreNamedBehindTheirApplication() {
        #expect(Self.words(.sampleGroup) == "Firefox/Navigator active → inactive blur 3 scenes after 4m12s")
        #expect(
            Self.words(.sampleScene)
                == #"Firefox/Navigator 0x2c00007 active → background iconify after 4m12s "Inbox""#)
    }

    @Test(arguments: [(0, "0 scenes"), (1, "1 scene"), (2, "2 scenes"), (11, "11 scenes")])
    func oneSceneIsSingular(count: Int, text: String) {
        let change = Change.sampleApplication.with {
            $0.subject = .application(.init(counts: .init(inactive: count), pids: [], groups: []))
        }
        #expect(Self.words(change) == "Firefox active → background iconify \(text) after 4m12s")
    }

    @Test func scenesOfEveryPhaseAreCounted() {
        let change = Change.sampleApplication.with {
            $0.subject = .application(
                .init(counts: .init(active: 1, inactive: 20, background: 300), pids: [], groups: []))
        }
        #expect(Self.words(change).contains("321 scenes"))
    }

    @Test func whatComesHasNoPhaseBefore() {
        let change = Change.sampleApplication.with {
            $0.kind = .opened
            $0.from = nil
            $0.to = .active
            $0.cause = .open
            $0.held = nil
        }
        #expect(Self.words(change) == "Firefox → active open 2 scenes")
    }

    @Test func whatGoesIsClosed() {
        let change = Change.sampleApplication.with {
            $0.kind = .closed
            $0.from = .background
            $0.to = nil
            $0.cause = .close
            $0.held = .zero
        }
        #expect(Self.words(change) == "Firefox background → closed close 2 scenes after 0ms")
    }

    @Test func aSceneWithoutATitleHasNoQuotes() {
        #expect(Self.words(.bareScene) == "Firefox/Navigator 0x2c00007 → inactive start")
        #expect(Self.words(Change.sampleScene.titled("")).hasSuffix(#"after 4m12s """#))
    }

    @Test func aNoticeIsItsSentence() {
        #expect(
            Self.plain.line(for: .notice(.sample), time: .sample)
                == "\(TimeText.local(.sample))  notice  openbox went away; phases are frozen\n")
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
                #expect(!line.dropLast().hasSuffix(" "))
                #expect(line.hasSuffix("\n"))
            }
        }
    }
}
