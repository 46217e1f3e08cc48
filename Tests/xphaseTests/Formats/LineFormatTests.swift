import PhaseWatch
import Testing

@testable import Scenes
@testable import xphase

@Suite struct LineFormatTests {
    private static func formats() throws -> [LineFormat] {
        [
            .json, .text(TextLine(palette: Palette(isColoured: false))),
            .template(try Template("{application} {group} {scene} {title} {text}")),
        ]
    }

    @Test(arguments: JSONEscapingTests.hostile)
    func oneEventIsOneLineWhateverAWindowIsCalled(name: String) throws {
        let change = Change.sampleScene.titled(name).with {
            $0.application = name
            $0.group = name
        }
        for format in try Self.formats() {
            for event in [Event.change(change), .notice(Notice(name: "window-manager", text: name))] {
                let line = format.line(for: event, sequence: 1, time: .sample)
                #expect(line.last == UInt8(ascii: "\n"))
                #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
            }
        }
    }

    @Test(arguments: JSONEscapingTests.hostile)
    func noLineDrivesATerminal(name: String) throws {
        let change = Change.sampleScene.titled(name).with {
            $0.application = name
            $0.group = name
        }
        for format in try Self.formats() {
            for event in [Event.change(change), .notice(Notice(name: name, text: name))] {
                let line = try #require(format.text(event))
                let controls = line.unicodeScalars.dropLast().filter {
                    $0.properties.generalCategory == .control
                }
                #expect(controls.isEmpty)
            }
        }
    }
}
