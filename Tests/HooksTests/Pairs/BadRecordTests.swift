import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks

/// A record that somebody else wrote, or whose last write is incomplete.
@Suite struct BadRecordTests {
    private let folder: TemporaryFolder
    private static let file = "xphase/pairs-:7.log"
    private static let header = "xphase pairs 2\n"

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder("xphase"), 0o700)
    }

    private func record() throws -> PairRecord {
        try PairRecord(display: ":7", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }

    private func line(_ json: String) -> String {
        "\(RecordLine.checksum(Array(json.utf8))) \(json)\n"
    }

    private func good(_ hook: String, number: Int) throws -> String {
        String(
            decoding: try RecordLine.owed(number: number, pair: PairRecordTests.entry(hook)).bytes(),
            as: UTF8.self)
    }

    /// What is read of a text, and whether it is kept aside.
    private func read(_ text: String) throws -> (hooks: [String], isKept: Bool) {
        for name in try folder.names(in: "xphase") { unlink(folder("xphase/\(name)")) }
        try folder.write(Self.file, text)
        let record = try record()
        let hooks = try record.read().map(\.entry.hook)
        let isKept = try folder.names(in: "xphase").contains("pairs-:7.log.bad")
        if isKept { #expect(try folder.text(of: "\(Self.file).bad") == text) }
        let problems = record.takeProblems()
        #expect(problems.count == (isKept ? 1 : 0))
        #expect(problems.allSatisfy { $0.contains("is kept as '\(folder(Self.file)).bad'") })
        return (hooks, isKept)
    }

    @Test(arguments: ["{", "rubbish", "\0\0\0\0", "xphase pairs 1\n", "\n", " \(header)"])
    func whatIsNoRecordIsKeptAside(text: String) throws {
        let (hooks, isKept) = try read(text)
        #expect(hooks.isEmpty && isKept)
    }

    @Test(arguments: ["", "xphase pa", header])
    func whatACrashLeftOfTheFirstLineIsNothing(text: String) throws {
        let (hooks, isKept) = try read(text)
        #expect(hooks.isEmpty && !isKept)
    }

    @Test func whatIsGoodInABadRecordCounts() throws {
        for bad in ["\n", "rubbish\n", "00000000 {}\n", try good("x", number: 9).replacing("x", with: "y")] {
            let text = Self.header + (try good("a", number: 1)) + bad + (try good("b", number: 2))
            let (hooks, isKept) = try read(text)
            #expect(hooks == ["a", "b"] && isKept, "\(bad)")
        }
    }

    @Test(arguments: [("[", 1 << 20), ("{\"v\":", 1 << 20), (" ", 65 << 20)])
    func neitherDepthNorSizeIsTooMuch(text: String, count: Int) throws {
        let (hooks, isKept) = try read(String(repeating: text, count: count))
        #expect(hooks.isEmpty && isKept)
        let deep = Self.header + line(String(repeating: text, count: min(count, 1 << 20)))
        #expect(try read(deep).isKept)
    }

    @Test func theCopyOfABadRecordIsNotChanged() throws {
        let text = Self.header + "rubbish\n"
        #expect(try read(text).isKept)
        let record = try record()
        _ = try record.read()
        try record.clear()
        try record.append(try RecordLine.owed(number: 1, pair: PairRecordTests.entry("b")).bytes())
        #expect(try record.read().map(\.entry.hook) == ["b"])
        for name in [".bad", ".bad.2"] { #expect(try folder.text(of: Self.file + name) == text) }
    }

    /// Each with the checksum that makes it look right.
    @Test(arguments: [
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":9223372036854775807"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":-1"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":1e400"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":99999999999999999999999"#),
        (#""pid":7"#, #""pid":4294967296"#),
        (#""generation":2"#, #""generation":-2"#),
        (#""startTicks":18446744073709551615"#, #""startTicks":18446744073709551616"#),
        (#""number":1"#, #""number":9223372036854775808"#),
        (#""held":[0,"#, #""held":[9223372036854775807,"#),
        (#""leave":["kill","-CONT"]"#, #""leave":[]"#),
        (#""leave":["kill","-CONT"]"#, #""leave":[""]"#),
        (#""leave":["kill","-CONT"]"#, #""leave":["kill","\u0000"]"#),
    ])
    func noNumberIsTakenForGranted(old: String, new: String) throws {
        let json = String(try good("a", number: 1).dropFirst(9).dropLast())
        #expect(json.contains(old), "\(json)")
        let (hooks, isKept) = try read(Self.header + line(json.replacing(old, with: new)))
        #expect(hooks.isEmpty && isKept)
    }

    @Test(arguments: [Int.max, 1 << 40]) func neitherAreCounts(count: Int) throws {
        var pair = PairRecordTests.entry("a")
        pair.change.subject = .application(
            Change.Members(counts: Change.Counts(active: count, inactive: count), pids: [], groups: []))
        let line = String(decoding: try RecordLine.owed(number: 1, pair: pair).bytes(), as: UTF8.self)
        let (hooks, isKept) = try read(Self.header + line)
        #expect(hooks.isEmpty && isKept)
    }

    /// Each is moved away as it is, and another file takes its place.
    private func isSetAside(_ prepare: () throws -> Void) throws {
        let pattern = "xphase/pairs-:7.log.bad"
        let before = try folder.names(in: "xphase").filter { $0.contains("bad") }
        try prepare()
        let record = try record()
        #expect(try record.read().isEmpty)
        #expect(record.takeProblems().count == 1)
        try record.append(try RecordLine.owed(number: 1, pair: PairRecordTests.entry("b")).bytes())
        #expect(folder.mode(of: Self.file) == 0o600)
        let kept = try folder.names(in: "xphase").filter { $0.contains("bad") }
        #expect(kept.count == before.count + 1)
        #expect(kept.allSatisfy { "xphase/\($0)".hasPrefix(pattern) })
        record.remove()
    }

    @Test func whatOthersCouldHaveWrittenIsSetAsideAndNotWrittenOver() throws {
        let text = Self.header + (try good("a", number: 1))
        for mode: mode_t in [0o620, 0o602] {
            try isSetAside {
                try folder.write(Self.file, text)
                chmod(folder(Self.file), mode)
            }
        }
        for name in ["\(Self.file).bad", "\(Self.file).bad.2"] {
            #expect(try folder.text(of: name) == text)
        }
    }

    @Test func whatOthersMayReadIsGood() throws {
        try folder.write(Self.file, Self.header + (try good("a", number: 1)))
        chmod(folder(Self.file), 0o644)
        #expect(try record().read().count == 1)
    }

    @Test(.enabled(if: geteuid() == 0)) func thatOfAnotherUserIsSetAside() throws {
        try isSetAside {
            try folder.write(Self.file, Self.header + (try good("a", number: 1)))
            chown(folder(Self.file), 12_345, 12_345)
        }
    }

    @Test func aLinkAFifoOrADirectoryIsSetAside() throws {
        try isSetAside { symlink("/dev/zero", folder(Self.file)) }
        try isSetAside { symlink("/nowhere", folder(Self.file)) }
        try isSetAside { mkfifo(folder(Self.file), 0o600) }
        try isSetAside { mkdir(folder(Self.file), 0o700) }
    }

    @Test func aFolderThatOthersMayWriteToIsNotUsed() throws {
        try folder.write(Self.file, Self.header + (try good("a", number: 1)))
        chmod(folder("xphase"), 0o770)
        let record = try record()
        #expect(throws: FileError.exposed(path: SystemString(folder("xphase")))) { try record.read() }
        #expect(throws: FileError.exposed(path: SystemString(folder("xphase")))) { try record.append([]) }
        #expect(try folder.names(in: "xphase") == ["pairs-:7.log"])
    }
}
