import TestDesktop
import Testing

extension DesktopTests {
    /// Contract, section 3: a reader that does not read blocks nothing, and the last lines that it reads are true.
    @Suite struct StoppedReader {
        /// Returns the phases that a reader knows after the last line.
        private static func phases(_ lines: [Line]) -> [String: String] {
            lines.reduce(into: [:]) { phases, line in
                let names = [line.kind, line.application, line.group, line.scene]
                if line.kind != "notice" { phases[names.map { $0 ?? "" }.joined(separator: " ")] = line.to }
            }
        }

        /// More than 100,000 events: in each round, each window is unmapped, renamed and mapped.
        @Test func aStormIsTakenInAndTheLastLinesAreTrue() throws {
            let stage = try Stage(.none)
            let marker = try stage.marker()
            let windows = (1...300).map {
                TestWindow(stage.client, .init("Storm\($0)"), colour: 1, width: 4, height: 4)
            }
            for window in windows { window.map() }
            let home = try HookHome()
            try home.configure(
                HookSession.hook(
                    "marker", "application = \"Marker*\"\nto = \"inactive\"\ninitial = true",
                    shell: "echo $XPHASE_APPLICATION >>\(home.path)/ran"))
            let (pipe, diagnostics) = (try FullPipe(), try FullPipe())
            let levels = ["application", "group", "scene"].flatMap { ["--level", $0] }
            let run = try XPhase.start(
                ["run", "--json", "--settle", "0"] + levels, on: stage.display,
                environment: home.environment, stdout: pipe.writing, stderr: diagnostics.writing)

            /// Waits until xphase has seen all changes of the windows. Hooks run although nobody reads.
            func settle(_ name: String) throws {
                // The marker has a connection of its own.
                stage.client.sync()
                marker.setClass("marker", name)
                let isSeen = try waitUntil(within: .seconds(60)) {
                    try Program.run("tail", ["-n", "1", "\(home.path)/ran"]).output == [name]
                }
                guard isSeen else { throw Failure("\(name) is not seen") }
            }
            try settle("MarkerFirst")
            for round in 1...120 {
                for window in windows { window.queueUnmap() }
                try settle("MarkerHidden\(round)")
                for (number, window) in windows.enumerated() {
                    window.setClass("part", "Storm\(number)in\(round)")
                    window.queueMap()
                }
                try settle("MarkerShown\(round)")
                #expect(try run.residentKilobytes() < 160 << 10)
            }

            // It reads the initial contents of the pipe, which are newlines, before the lines.
            let reader = try Program("cat", stdin: pipe.reading)
            func lines(through isLast: (Line) -> Bool) throws -> [Line] {
                var lines: [Line] = []
                while lines.last.map(isLast) != true {
                    guard let text = try reader.output.next(within: .seconds(60)) else {
                        throw Failure("the lines ended")
                    }
                    if !text.isEmpty { lines.append(try Line(text)) }
                }
                return lines
            }
            let first = try lines { $0.notice == "resync" }
            #expect(first.count > 65_536)
            #expect(
                first.last?.text?.firstMatch(of: /^(\d+) lines were dropped/).flatMap { Int($0.1) } ?? 0
                    > 10_000)
            #expect(first.map(\.seq) == Array(1...first.count))
            marker.setClass("marker", "MarkerEnd")
            let rest = try lines { $0.application == "MarkerEnd" && $0.kind == "application" }
            let list = try XPhase.run(["list", "--json"], on: stage.display).output.map { try Line($0) }
            #expect(Self.phases(first + rest) == Self.phases(list))

            // Messages for a stderr that nobody reads were given up, and others follow.
            #expect(diagnostics.drain().first == UInt8(ascii: "\n"))
            marker.setClass("marker", "MarkerLast")
            var reported = ""
            #expect(
                waitUntil {
                    reported += String(decoding: diagnostics.drain(), as: UTF8.self)
                    return reported.contains("run for MarkerLast")
                })
        }
    }
}
