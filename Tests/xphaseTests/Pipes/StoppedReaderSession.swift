import Glibc
import TestDesktop

/// Windows, an `xphase run` whose reader is stopped, and an `xphase watch` that the test reads.
///
/// The windows change only after both programs have seen the previous change, so both have the same lines to write.
final class StoppedReaderSession {
    let stage: Stage
    let marker: TestWindow
    let run: Program
    /// The reader, stopped at first. It prints the initial contents of its pipe before the lines.
    let reader: Program
    let diagnostics: FullPipe
    /// The number of lines to write so far.
    private(set) var lineCount = 0
    private let windows: [TestWindow]
    private let watch: Program
    private let home: HookHome
    private var steps = 0

    init(windows count: Int) throws {
        stage = try Stage(.none)
        let marker = try stage.marker()
        let client = stage.client
        windows = (1...count).map {
            TestWindow(client, .init("Storm\($0)"), colour: 1, width: 4, height: 4)
        }
        for window in windows { window.map() }
        home = try HookHome()
        try home.configure(
            """
            [[hook]]
            name = "marker"
            application = "Marker*"
            to = "inactive"
            initial = true
            shell = "echo $XPHASE_APPLICATION >>\(home.path)/ran"
            """)
        let pipe = try FullPipe()
        diagnostics = try FullPipe()
        // Once continued, it reads the contents of the pipe.
        reader = try Program("cat", stdin: pipe.reading)
        reader.send(SIGSTOP)
        let options =
            ["--settle", "0"] + ["application", "group", "scene"].flatMap { ["--level", $0] }
        run = try XPhase.start(
            ["run", "--json"] + options, on: stage.display, environment: home.environment,
            stdout: pipe.writing, stderr: diagnostics.writing)
        watch = try XPhase.start(
            ["watch", "--format", "{kind} {change} {application}"] + options, on: stage.display)
        self.marker = marker
        try awaitMarker("Marker", "initial")
    }

    func hideAll() throws {
        for window in windows { window.queueUnmap() }
        try settle()
    }

    func showAll(renamed suffix: String) throws {
        for (number, window) in windows.enumerated() {
            window.setClass("part", "Storm\(number)\(suffix)")
            window.queueMap()
        }
        try settle()
    }

    /// Returns the lines that the continued reader gets, through the first one that matches.
    func lines(through isLast: (Line) -> Bool) throws -> [Line] {
        var lines: [Line] = []
        while lines.last.map(isLast) != true {
            guard let text = try reader.output.next(within: .seconds(60)) else {
                throw Failure("the lines ended: \(try run.errors.rest())")
            }
            if !text.isEmpty { lines.append(try Line(text)) }
        }
        return lines
    }

    /// Waits until both programs have seen all changes of the windows.
    func settle() throws {
        steps += 1
        // The marker has a connection of its own.
        stage.client.sync()
        marker.setClass("marker", "Marker\(steps)")
        try awaitMarker("Marker\(steps)", "opened")
    }

    /// The marker changes last. Changes reported together with it may follow its line.
    private func awaitMarker(_ name: String, _ change: String) throws {
        var line: String?
        repeat {
            line = try watch.output.next(within: .seconds(60))
            lineCount += line == nil ? 0 : 1
        } while line != nil && line != "application \(change) \(name)"
        // Hooks run although the reader is stopped.
        let isSeen = try waitUntil(within: .seconds(60)) {
            try Program.run("tail", ["-n", "1", "\(home.path)/ran"]).output == [name]
        }
        guard line != nil && isSeen else { throw Failure("\(name) is not seen") }
    }
}
