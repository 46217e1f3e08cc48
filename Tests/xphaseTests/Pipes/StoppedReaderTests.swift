import Glibc
import TestDesktop
import Testing

extension DesktopTests {
    /// Contract, section 3: a reader that is stopped holds nothing up, and what it reads at last is true.
    @Suite struct StoppedReader {
        private static let windows = 300
        private static let rounds = 40

        @Test func aStormOfAHundredThousandEventsIsTakenInAndTheLastLinesAreTrue() throws {
            let stage = try Stage(.none)
            let folder = try TemporaryFolder()
            let configuration = try folder.write(
                "config.toml",
                """
                [[hook]]
                name = "marker"
                application = "Marker*"
                to = "inactive"
                initial = true
                shell = "echo $XPHASE_APPLICATION >>\(folder.path)/ran"
                """)
            let marker = try stage.marker()
            let storm = (1...Self.windows).map { _ in
                TestWindow(stage.client, .init("Storm"), colour: 1, width: 4, height: 4)
            }
            for window in storm { window.map() }
            let pipe = try FullPipe()
            let diagnostics = try FullPipe()
            // The real reader takes what is in the pipe when it goes on.
            let reader = try Program("cat", stdin: pipe.reading)
            reader.send(SIGSTOP)
            let run = try XPhase.start(
                ["run", "--config", configuration, "--json", "--settle", "0"]
                    + ["application", "group", "scene"].flatMap { ["--level", $0] },
                on: stage.display,
                environment: [
                    "XDG_STATE_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
                    "XDG_CONFIG_HOME": folder.path,
                ], stdout: pipe.writing, stderr: diagnostics.writing)
            for round in 1...Self.rounds {
                for (number, window) in storm.enumerated() {
                    // Nine events.
                    for _ in 1...4 { window.queueRemap() }
                    window.setClass("part", "Storm\(number)in\(round)")
                }
                // Hooks run though nobody reads: this one tells that the round was taken in.
                marker.setClass("marker", "Marker\(round)")
                let isTaken = try waitUntil(within: .seconds(60)) {
                    try Program.run("tail", ["-n", "1", "\(folder.path)/ran"]).output == ["Marker\(round)"]
                }
                try #require(isTaken)
            }
            #expect(try run.residentKilobytes() < 160 << 10)

            reader.send(SIGCONT)
            let lines = try Self.lines(of: reader) { $0.notice == "resync" }
            #expect(lines.count > 65_536)
            #expect(lines.map(\.seq) == Array(1...lines.count))
            let lost = lines.last?.text?.split(separator: " ").first.flatMap { Int($0) } ?? 0
            #expect(lost > 0)

            marker.setClass("marker", "MarkerEnd")
            let rest = try Self.lines(of: reader) {
                $0.application == "MarkerEnd" && $0.kind == "application"
            }
            let list = try XPhase.run(["list", "--json"], on: stage.display).output.map { try Line($0) }
            #expect(Present(lines + rest).differences(from: Present(list)) == [])

            #expect(diagnostics.drain().first == UInt8(ascii: "\n"))
            marker.setClass("marker", "MarkerLast")
            var told = ""
            #expect(
                waitUntil {
                    told += String(decoding: diagnostics.drain(), as: UTF8.self)
                    return told.contains("run for MarkerLast")
                })
        }

        /// Reads up to a line. The filling of the pipe comes first.
        private static func lines(of reader: Program, through isLast: (Line) -> Bool) throws -> [Line] {
            var lines: [Line] = []
            while lines.last.map(isLast) != true {
                let text = try #require(try reader.output.next(within: .seconds(60)))
                if !text.isEmpty { lines.append(try Line(text)) }
            }
            return lines
        }
    }
}
