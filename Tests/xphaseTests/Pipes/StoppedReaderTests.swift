import Glibc
import PhaseWatch
import TestDesktop
import Testing

@testable import Console
@testable import Scenes
@testable import xphase

/// Contract, section 3: a reader that does not read blocks nothing, and the last lines that it reads are true.
struct StoppedReaderTests {
    /// More than 100,000 events: in each round, each window is unmapped, renamed and mapped.
    @Test func aStormIsTakenInAndTheLastLinesAreTrue() throws {
        let stage = try Stage(
            .none,
            HookSession.hook(
                "marker", "application = \"Marker*\"\nto = \"inactive\"\ninitial = true",
                shell: "echo $XPHASE_APPLICATION >>~/ran"))
        let marker = try stage.marker()
        let windows = (1...300).map { stage.window(.init("Storm\($0)"), width: 4, height: 4) }
        for window in windows { window.map() }
        let (pipe, diagnostics) = (try FullPipe(), try FullPipe())
        let run = try stage.start(
            "run --json --settle 0 --level application --level group --level scene", stdout: pipe.writing,
            stderr: diagnostics.writing)

        /// Waits until xphase has seen all changes of the windows. Hooks run although nobody reads.
        func settle(_ name: String) throws {
            // The marker has a connection of its own.
            stage.client.sync()
            marker.setClass("marker", name)
            let isSeen = try waitUntil(within: .seconds(60)) {
                try Program.run("tail", ["-n", "1", "\(stage.home.path)/ran"]).output == [name]
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
                let text = try #require(try reader.output.next(within: .seconds(60)))
                if !text.isEmpty { lines.append(try Line(text)) }
            }
            return lines
        }
        let first = try lines { $0.notice == "resync" }
        #expect(first.count > 65_536)
        #expect(first.map(\.seq) == Array(1...first.count))
        let dropped = first.last?.text?.firstMatch(of: /^(\d+) lines were dropped/).flatMap { Int($0.1) }
        #expect(dropped ?? 0 > 10_000, "\(first.last?.text ?? "")")
        marker.setClass("marker", "MarkerEnd")
        let rest = try lines { $0.application == "MarkerEnd" && $0.kind == "application" }
        let list = try stage.output("list --json").map { try Line($0) }
        let known = [first + rest, list].map { lines in
            lines.reduce(into: [String: String]()) { phases, line in
                if let subject = line.subject { phases["\(line.application ?? "") \(subject)"] = line.to }
            }
        }
        #expect(known[0] == known[1])

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

    /// The message about the lost display is the last one, and nobody reads it.
    @Test func aReaderOfMessagesThatHangsHoldsUpNeitherTheThawNorTheEnd() throws {
        let freeze = "application = \"XTerm\"\nwhile = \"background\"\ndo = [\"freeze\"]\nexcept = 'none'"
        let stage = try Stage(.openbox, "[[hook]]\nname = \"sleep\"\n\(freeze)\n")
        let terminal = try Program("xterm", ["-e", "sleep", "1000"], environment: stage.environment)
        try stage.wait(for: "XTerm", "active")
        let diagnostics = try FullPipe()
        let run = try stage.start("run --level application", stderr: diagnostics.writing)
        while try #require(try run.output.next()).contains("XTerm") == false {}
        stage.client.switchDesktop(1)
        #expect(try waitUntil { try terminal.status("State").contains("T (stopped)") })
        try stage.display.crash()
        // It notices the loss of its display once it is thawed.
        _ = try terminal.exitCode()
        #expect(try run.exitCode() == 69)
        #expect(diagnostics.drain().allSatisfy { $0 == UInt8(ascii: "\n") })
    }

    /// A signal ends it, though it can write neither its data nor its messages. A recording then lacks its end.
    @Test(arguments: [
        ("active --follow", 0), ("watch Nothing", 0), ("wait Nothing active", 143), ("record -", 74),
    ])
    func aCommandEndsThoughNobodyReads(line: String, code: Int32) throws {
        let (stage, _) = try Stage.alpha(.none)
        let (pipe, diagnostics) = (try FullPipe(), try FullPipe())
        let program = try stage.start(line, stdout: pipe.writing, stderr: diagnostics.writing)
        #expect(try program.comesToRest())
        program.send(SIGTERM)
        #expect(try program.exitCode() == code)
        for pipe in [pipe, diagnostics] { #expect(pipe.drain().allSatisfy { $0 == UInt8(ascii: "\n") }) }
    }

    @Test func aSlowReaderOfTheActiveSceneGetsWholeLinesOfWhichTheLastIsTrue() throws {
        let pipe = try FullPipe()
        let sink = ActiveSink(pipe.writing) { Array("\($1) \($0?.application ?? "")\n".utf8) }
        func focus(_ names: String...) throws {
            for name in names {
                sink.scene = { _ in Change.sampleScene.with { $0.application = name } }
                try sink.take([], at: .sample)
            }
        }
        func read() throws -> String {
            var bytes = pipe.drain()
            while sink.hasBacklog {
                try sink.flush()
                bytes += pipe.drain()
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        try focus("Alpha", "Beta", "Gamma")
        #expect(try read().drop { $0 == "\n" } == "1 Gamma\n")
        // A part of a line is in the pipe already.
        let long = String(repeating: "x", count: 1 << 20)
        try focus(long, "Alpha", "Beta")
        #expect(try read() == "2 \(long)\n3 Beta\n")
    }

    @Test func waitingLinesAreBoundedInBytesAsWell() throws {
        let pipe = try Pipe()
        let filter = EventFilter(levels: [.application], criteria: Criteria(), hidesInitial: false)
        let sink = LineSink(format: .json, filter: filter, descriptor: pipe.writing, bound: 32 << 20)
        let long = Change.sampleApplication.with {
            $0.application = String(repeating: "\u{1}", count: 1 << 20)
        }
        var count = 0
        while !sink.isFull {
            count += 1
            try sink.take([.change(long)], at: .sample)
        }
        #expect(count < 20)
    }
}
