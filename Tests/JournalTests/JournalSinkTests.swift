import Console
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Journal

@Suite struct JournalSinkTests {
    private let folder: TemporaryFolder
    private let environment: Environment
    private let files: JournalFiles

    init() throws {
        folder = try TemporaryFolder()
        environment = Environment(entries: [SystemString("XDG_STATE_HOME=\(folder.path)")])
        files = try JournalFiles(environment: environment)
    }

    private func sink(isForced: Bool = false, isDry: Bool = false) -> JournalSink {
        JournalSink(
            JournalSettings(), display: ":0", isForced: isForced, isDry: isDry,
            environment: environment)
    }

    /// Returns the requests of a turn in which an earlier sink has read new rules.
    private func requests(of sink: JournalSink, isOn: Bool, titles: Bool = false) -> WatchRequests {
        var requests = WatchRequests()
        var journal = JournalSettings()
        (journal.isOn, journal.titles) = (isOn, titles)
        requests.rules = (PhaseMonitor.Options(), journal)
        sink.finishTurn(&requests)
        return requests
    }

    private func lines() throws -> [String] {
        guard let date = files.dates.first else { return [] }
        return try Child.run("cat", [files.path(of: date).description]).output
    }

    @Test func newRulesBeginAndEndIt() throws {
        let sink = sink()
        try sink.take([.notice(.session(.locked(by: nil, scenes: 0)))], at: .now())
        #expect(files.dates.isEmpty && sink.next == nil)
        #expect(requests(of: sink, isOn: true, titles: true).wantsSnapshot)
        #expect(sink.details == [.titles, .titleChanges])
        sink.takeSnapshot([], at: .now())
        #expect(sink.next != nil)
        #expect(!requests(of: sink, isOn: true, titles: true).wantsSnapshot)
        #expect(!requests(of: sink, isOn: false).wantsSnapshot)
        #expect(sink.details == [] && sink.next == nil)
        // States that began to hide the display before the first line are also written.
        #expect(
            try waitUntil {
                try lines().map { $0.split(separator: "\"")[3] } == ["start", "session", "stop"]
            })
    }

    @Test func theCommandLineGoesBeforeTheRules() throws {
        #expect(!requests(of: sink(isDry: true), isOn: true).wantsSnapshot)
        let forced = sink(isForced: true)
        #expect(!requests(of: forced, isOn: false).wantsSnapshot)
        try forced.take([], at: .now())
        forced.stop()
        forced.finish()
        #expect(!files.dates.isEmpty)
    }

    @Test func whatKeepsItFromWritingIsANoticeOnce() throws {
        _ = try folder.write("xphase", "no folder")
        let sink = sink(isForced: true)
        let loop = try EventLoop(display: -1, output: nil)
        sink.join(loop)
        try sink.take([], at: .now())
        let ready = try loop.wait()
        guard case .ready(let answers) = ready else { throw Failure("no answer of the disk, but \(ready)") }
        sink.ready(answers)
        var requests = WatchRequests()
        sink.finishTurn(&requests)
        #expect(requests.notices.map(\.name) == ["journal"])
        sink.finishTurn(&requests)
        #expect(requests.notices.count == 1)
    }
}
