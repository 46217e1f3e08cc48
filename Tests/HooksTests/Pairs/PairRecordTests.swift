import Glibc
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes

@Suite struct PairRecordTests {
    private let folder: TemporaryFolder
    private let record: PairRecord
    private static let file = "xphase/pairs-:7.json"

    init() throws {
        folder = try TemporaryFolder()
        record = try PairRecord(display: ":7.0", environment: ["XDG_STATE_HOME": folder.path])
    }

    private func entry(_ hook: String, leave: [String] = ["kill", "-CONT"]) -> PairEntry {
        let window = WindowID(7, generation: 2)
        let scene = Change.SceneFacts(id: window, title: "\u{1}é\"\n", pid: 7, desktop: -1)
        let change = Change(
            kind: .phase, application: "Slack", group: "slack", subject: .scene(scene), from: .active,
            to: .background, cause: .showDesktop, held: .nanoseconds(12_345_678_901))
        return PairEntry(
            hook: hook, leave: leave, timeoutMilliseconds: 30_000, change: change,
            processes: [ProcessIdentity(pid: 7, startTicks: .max)], bootID: "b")
    }

    @Test func whatIsWrittenIsRead() throws {
        try record.write([entry("a"), entry("b")])
        #expect(try record.read() == [entry("a"), entry("b")])
        try record.write([entry("b")])
        #expect(try record.read() == [entry("b")])
    }

    @Test func whoeverReadsItMeanwhileReadsAllOfIt() throws {
        let script = """
            import json, sys
            seen = set()
            while len(seen) < 2:
                pairs = json.load(open(sys.argv[1]))["pairs"]
                seen.add("".join(pair["hook"] for pair in pairs))
            print(*sorted(seen), flush=True)
            """
        let contents = [[entry("a")], Array(repeating: entry("b"), count: 300)]
        try record.write(contents[0])
        let reader = try Child("python3", ["-c", script, record.path])
        for round in 1...200 { try record.write(contents[round % 2]) }
        try record.write(contents[1])
        let seen = try reader.output.next()
        #expect(seen == "a " + String(repeating: "b", count: 300))
        #expect(try reader.exitCode() == 0)
    }

    @Test func itIsTheUsersOwn() throws {
        try record.write([entry("a")])
        #expect(folder.mode(of: "xphase") == 0o700)
        #expect(folder.mode(of: Self.file) == 0o600)
        #expect(try folder.names(in: "xphase") == ["pairs-:7.json"])
    }

    @Test func nothingOwedIsNoFile() throws {
        #expect(try record.read() == [])
        #expect(try folder.names() == [])
        try record.write([entry("a")])
        try record.write([])
        #expect(try record.read() == [])
        #expect(try folder.names(in: "xphase") == [])
        try record.write([])
    }

    @Test func displaysHaveTheirOwn() throws {
        let other = try PairRecord(display: ":8", environment: ["XDG_STATE_HOME": folder.path])
        try record.write([entry("a")])
        #expect(try other.read() == [])
    }

    @Test func whatACrashLeftWhileWritingIsReplaced() throws {
        try record.write([entry("a")])
        symlink("/dev/full", folder("\(Self.file).new"))
        try record.write([entry("b")])
        #expect(try record.read() == [entry("b")])
        #expect(folder.mode(of: Self.file) == 0o600)
    }

    @Test func whatCannotBeReplacedIsAnErrorAndLeavesNoDraft() throws {
        mkdir(folder("xphase"), 0o700)
        mkdir(folder(Self.file), 0o700)
        #expect(throws: FileError.self) { try record.write([entry("a")]) }
        #expect(try folder.names(in: "xphase") == ["pairs-:7.json"])
        #expect(throws: FileError.noFile(path: record.path)) { try record.read() }
    }

    @Test func whatCouldNotBeReadAgainIsNotWritten() throws {
        try record.write([entry("a")])
        #expect(throws: FileError.tooLarge(path: record.path, limit: 16 << 20)) {
            try record.write([entry("b", leave: [String(repeating: "x", count: 17 << 20)])])
        }
        #expect(try record.read() == [entry("a")])
    }
}
