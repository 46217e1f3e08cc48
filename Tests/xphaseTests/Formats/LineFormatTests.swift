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
    func anEventIsOneLineThatDrivesNoTerminal(name: String) throws {
        let change = Change.sampleScene.titled(name).with {
            $0.application = name
            $0.group = name
        }
        for format in try Self.formats() {
            for event in [Event.change(change), .notice(Notice(name: name, text: name))] {
                let line = try #require(format.text(event))
                #expect(line.last == "\n")
                let controls = line.unicodeScalars.dropLast().filter {
                    $0.properties.generalCategory == .control
                }
                #expect(controls.isEmpty)
            }
        }
    }
}
