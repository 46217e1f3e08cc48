import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct PairRecordTests {
    private let folder: TemporaryFolder
    private let record: PairRecord
    private static let file = "xphase/pairs-:7.log"
    private static let process = RecordedPair.StartedPart(
        part: .enter, process: ProcessIdentity(pid: 7, startTicks: .max))

    init() throws {
        folder = try TemporaryFolder()
        record = try PairRecord(display: ":7.0", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }

    static func entry(_ hook: String) -> PairEntry {
        let window = WindowID(7, generation: 2)
        let scene = Change.SceneFacts(id: window, title: "\u{1}é\"\n", pid: 7, desktop: -1)
        let change = Change(
            kind: .phase, application: "Slack", group: "slack", subject: .scene(scene), from: .active,
            to: .background, cause: .showDesktop, held: .nanoseconds(12_345_678_901))
        return PairEntry(
            hook: hook, leave: ["kill", "-CONT"], timeoutMilliseconds: 30_000, change: change,
            processes: [ProcessIdentity(pid: 7, startTicks: .max)], bootID: "b")
    }

    private func lines(_ lines: RecordLine...) throws -> [UInt8] { try lines.flatMap { try $0.bytes() } }

    private func started(_ number: Int) -> RecordLine {
        .started(number: number, part: Self.process.part, process: Self.process.process)
    }

    @Test func whatIsWrittenIsRead() throws {
        let (a, b) = (Self.entry("a"), Self.entry("b"))
        try record.append(try lines(.owed(number: 1, pair: a), .owed(number: 2, pair: b), started(2)))
        #expect(try record.read() == [RecordedPair(entry: a), RecordedPair(entry: b, started: Self.process)])
        try record.append(try lines(.done(number: 1)))
        #expect(try record.read() == [RecordedPair(entry: b, started: Self.process)])
        #expect(record.takeProblems().isEmpty)
    }

    @Test func aCrashInTheMiddleOfAWriteLosesOnlyThat() throws {
        let (a, b) = (Self.entry("a"), Self.entry("b"))
        let all = [
            RecordLine.owed(number: 1, pair: a), .owed(number: 2, pair: b), started(2), .done(number: 1),
            .done(number: 2),
        ]
        var ends = [RecordContent.header.count]
        var bytes = RecordContent.header
        for line in all {
            bytes += try line.bytes()
            ends.append(bytes.count)
        }
        let states = [[], ["a"], ["a", "b"], ["a", "b"], ["b"], []]
        for count in 0...bytes.count {
            let content = RecordContent(Array(bytes.prefix(count)))
            let whole = ends.lastIndex { $0 <= count } ?? 0
            #expect(!content.isDamaged)
            #expect(content.pairs.values.map(\.entry.hook).sorted() == states[whole])
        }
    }

    @Test func itIsTheUsersOwn() throws {
        try record.append(try lines(.owed(number: 1, pair: Self.entry("a"))))
        #expect(folder.mode(of: "xphase") == 0o700)
        #expect(folder.mode(of: Self.file) == 0o600)
        #expect(try folder.names(in: "xphase") == ["pairs-:7.log"])
    }

    @Test func nothingOwedIsAnEmptyFileAndInTheEndNone() throws {
        try record.append(try lines(.owed(number: 1, pair: Self.entry("a"))))
        try record.clear()
        #expect(try folder.text(of: Self.file).isEmpty)
        #expect(try record.read() == [])
        record.remove()
        #expect(try folder.names(in: "xphase") == [])
    }

    @Test func eachDisplayHasARecordOfItsOwn() throws {
        let other = try PairRecord(display: ":8", environment: Environment(["XDG_STATE_HOME": folder.path]))
        try record.append(try lines(.owed(number: 1, pair: Self.entry("a"))))
        #expect(try other.read() == [])
    }

    @Test func untilItIsReplacedTheOldFileHasEverything() throws {
        let (a, b) = (RecordLine.owed(number: 1, pair: Self.entry("a")), RecordLine.done(number: 1))
        try record.append(try lines(a, b))
        // What a crash left.
        symlink("/dev/full", folder("\(Self.file).new"))
        try record.replace(with: try lines(.owed(number: 2, pair: Self.entry("b"))))
        try record.append(try lines(.owed(number: 3, pair: Self.entry("c"))))
        #expect(try record.read().map(\.entry.hook) == ["c"])
        try record.finishReplacing()
        #expect(try record.read().map(\.entry.hook) == ["b", "c"])
        #expect(folder.mode(of: Self.file) == 0o600)
        #expect(try folder.names(in: "xphase") == ["pairs-:7.log"])
    }

    @Test func theDirectoryIsOnDiskBeforeItsNewNameCounts() throws {
        try record.append(try lines(.done(number: 1)))
        #expect(record.unsynced().directory != nil)
        record.markSynced()
        #expect(record.unsynced().file != nil && record.unsynced().directory == nil)
        try record.replace(with: [])
        try record.finishReplacing()
        #expect(record.unsynced().directory != nil)
    }

    @Test func theRecordIsLockedForOneProcess() throws {
        record.remove()
        let script = """
            import fcntl, sys, time
            file = open(sys.argv[1], "w")
            fcntl.lockf(file, fcntl.LOCK_EX)
            print("locked", flush=True)
            time.sleep(1000)
            """
        let other = try Child("python3", ["-c", script, folder(Self.file)])
        #expect(try other.output.next() == "locked")
        #expect(throws: LockError.held(pid: other.pid)) {
            try PairRecord(display: ":07", environment: Environment(["XDG_STATE_HOME": folder.path]))
        }
        try other.end()
        _ = try PairRecord(display: ":07", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }
}
