import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Contract, section 3: a stopped reader blocks nothing, and the last lines that it reads are true.
    @Suite struct StoppedReader {
        private static let rounds = 120

        /// More than 100,000 events: in each round, each window is unmapped, renamed and mapped.
        @Test func aStormIsTakenInEveryLineIsCountedAndTheLastOnesAreTrue() throws {
            let scene = try StoppedReaderSession(windows: 300)
            for round in 1...Self.rounds {
                try scene.hideAll()
                try scene.showAll(renamed: "in\(round)")
                #expect(try scene.run.residentKilobytes() < 160 << 10)
                try #require(try scene.reader.status("State").contains("stopped"))
            }

            // Ensures that nothing was reported together with the last change of the marker.
            try scene.settle()
            scene.reader.send(SIGCONT)
            let lines = try scene.lines { $0.notice == "resync" }
            #expect(lines.count > 65_536)
            #expect(lines.map(\.seq) == Array(1...lines.count))
            let lost = lines.last?.text?.split(separator: " ").first.flatMap { Int($0) } ?? 0
            // The last line is the notice.
            #expect(lines.count - 1 + lost == scene.lineCount)

            scene.marker.setClass("marker", "MarkerEnd")
            let rest = try scene.lines { $0.application == "MarkerEnd" && $0.kind == "application" }
            let list = try XPhase.run(["list", "--json"], on: scene.stage.display).output.map { try Line($0) }
            #expect(PhasesInLines(lines + rest).differences(from: PhasesInLines(list)) == [])

            #expect(scene.diagnostics.drain().first == UInt8(ascii: "\n"))
            scene.marker.setClass("marker", "MarkerLast")
            var reported = ""
            #expect(
                waitUntil {
                    reported += String(decoding: scene.diagnostics.drain(), as: UTF8.self)
                    return reported.contains("run for MarkerLast")
                })
        }
    }
}
