import FoundationEssentials
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Scenes
@testable import Service

/// The record of owed pairs, including files that others wrote.
@Suite struct RecordFileTests {
    private let folder: TemporaryFolder
    private static let name = "xphase/pairs-:7.json"

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder("xphase"), 0o700)
    }

    private func file() throws -> RecordFile {
        try RecordFile(display: ":7", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }

    static func pair(_ hook: String) -> RecordedPair {
        var enter = Hook.pair(hook)
        enter.reaction = .pair(
            .init(phases: [.background], enter: .arguments(["true"]), leave: .arguments(["kill", "-CONT"])))
        let trigger = HookTrigger(
            change: .step("A", from: .active, to: .background), time: Timestamp(seconds: 0, nanoseconds: 0))
        return RecordedPair(
            Job(hook: enter, part: .enter, trigger: trigger),
            processes: [ProcessIdentity(pid: 7, startTicks: .max)],
            holds: [.stopped([ProcessIdentity(pid: 7, startTicks: 1)])])
    }

    @Test func whatIsWrittenIsRead() throws {
        let pairs = [Self.pair("a"), Self.pair("b")]
        try file().write(pairs, display: ":7")
        #expect(folder.mode(of: Self.name) == 0o600)
        let read = try file().read()
        #expect(read.pairs == pairs && read.display == ":7" && read.problems.isEmpty)
        try file().write([], display: ":7")
        #expect(try folder.names(in: "xphase").isEmpty)
        #expect(try file().read().pairs.isEmpty)
    }

    /// A cleanup removed the directory while xphase runs.
    @Test func aDirectoryThatWasRemovedIsMadeAnew() throws {
        try file().write([Self.pair("a")], display: ":7")
        unlink(folder(Self.name))
        rmdir(folder("xphase"))
        try file().write([Self.pair("b")], display: ":7")
        #expect(try file().read().pairs.map(\.hook) == ["b"])
    }

    @Test func afterARebootNothingIsTakenForTheSameProcess() throws {
        try file().write([Self.pair("a")], display: ":7")
        let text = try folder.text(of: Self.name)
        try folder.write(Self.name, text.replacing(Boot.id() ?? "", with: "another"))
        let pair = try #require(try file().read().pairs.first)
        #expect(pair.holds.isEmpty && pair.processes.isEmpty && pair.started == nil)
    }

    /// Returns the hooks that are read from a text, and whether the file is set aside.
    private func read(_ text: some StringProtocol) throws -> (hooks: [String], isKept: Bool) {
        for name in try folder.names(in: "xphase") { unlink(folder("xphase/\(name)")) }
        let text = String(text)
        try folder.write(Self.name, text)
        let contents = try file().takeOver()
        let isKept = try folder.names(in: "xphase").contains("pairs-:7.json.bad")
        if isKept { #expect(try folder.text(of: "\(Self.name).bad") == text) }
        #expect(contents.problems.count == (isKept ? 1 : 0))
        #expect(contents.problems.allSatisfy { $0.contains("is kept as '\(folder(Self.name)).bad'") })
        return (contents.pairs.map(\.hook), isKept)
    }

    private func good() throws -> String {
        try file().write([Self.pair("a"), Self.pair("b")], display: ":7")
        return try folder.text(of: Self.name)
    }

    @Test(arguments: [
        "", "{", "rubbish", "\0\0\0\0", "[]", #"{"version":3,"display":"","boot":"","pairs":[]}"#,
    ])
    func whatIsNoRecordIsKeptAside(text: String) throws {
        let (hooks, isKept) = try read(text)
        #expect(hooks.isEmpty && isKept)
    }

    @Test(arguments: [("[", 1 << 20), ("{\"version\":", 1 << 20), (" ", 65 << 20)])
    func neitherDepthNorSizeIsTooMuch(text: String, count: Int) throws {
        let (hooks, isKept) = try read(String(repeating: text, count: count))
        #expect(hooks.isEmpty && isKept)
    }

    @Test(arguments: [
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":9223372036854775807"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":-1"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":99999999999999999999999"#),
        (#""pid":7"#, #""pid":4294967296"#),
        (#""startTicks":18446744073709551615"#, #""startTicks":18446744073709551616"#),
        (#""leave":["kill","-CONT"]"#, #""leave":[]"#),
        (#""leave":["kill","-CONT"]"#, #""leave":[""]"#),
        (#""leave":["kill","-CONT"]"#, #""leave":["kill","\u0000"]"#),
    ])
    func aPairThatMakesNoSenseIsLeftOutAndKept(old: String, new: String) throws {
        let text = try good()
        let range = try #require(text.ranges(of: old).first, "\(text)")
        let (hooks, isKept) = try read(text[..<range.lowerBound] + new + text[range.upperBound...])
        #expect(hooks.count == 1 && isKept)
    }

    @Test(arguments: [Int.max, 1 << 40]) func neitherAreCounts(count: Int) throws {
        var pair = Self.pair("a")
        pair.change.subject = .application(
            Change.Members(counts: Change.Counts(active: count, inactive: count), pids: [], groups: []))
        try file().write([pair], display: ":7")
        let (hooks, isKept) = try read(try folder.text(of: Self.name))
        #expect(hooks.isEmpty && isKept)
    }

    /// Checks that a file is moved away unchanged and that a new file takes its place.
    private func isSetAside(_ prepare: () throws -> Void) throws {
        let before = try folder.names(in: "xphase").filter { $0.contains("bad") }
        try prepare()
        let contents = try file().takeOver()
        #expect(contents.pairs.isEmpty && contents.problems.count == 1)
        try file().write([Self.pair("b")], display: ":7")
        #expect(folder.mode(of: Self.name) == 0o600)
        let kept = try folder.names(in: "xphase").filter { $0.contains("bad") }
        #expect(kept.count == before.count + 1)
        try file().write([], display: ":7")
    }

    @Test func whatOthersCouldHaveWrittenIsSetAsideAndNotWrittenOver() throws {
        let text = try good()
        for mode: mode_t in [0o606, 0o602] {
            try isSetAside {
                try folder.write(Self.name, text)
                chmod(folder(Self.name), mode)
            }
        }
        for name in ["\(Self.name).bad", "\(Self.name).bad.2"] { #expect(try folder.text(of: name) == text) }
    }

    @Test func whatOthersMayReadIsGood() throws {
        try folder.write(Self.name, try good())
        chmod(folder(Self.name), 0o644)
        #expect(try file().read().pairs.count == 2)
    }

    @Test(.enabled(if: geteuid() == 0)) func thatOfAnotherUserIsSetAside() throws {
        try isSetAside {
            try folder.write(Self.name, try good())
            chown(folder(Self.name), 12_345, 12_345)
        }
    }

    @Test func aLinkAFifoOrADirectoryIsSetAside() throws {
        try isSetAside { symlink("/dev/zero", folder(Self.name)) }
        try isSetAside { symlink("nowhere", folder(Self.name)) }
        try isSetAside { mkfifo(folder(Self.name), 0o600) }
        try isSetAside { mkdir(folder(Self.name), 0o700) }
    }

    @Test func aFolderThatOthersMayWriteToIsNotUsed() throws {
        try folder.write(Self.name, try good())
        chmod(folder("xphase"), 0o707)
        let fault = SystemError.exposed(path: SystemString(folder("xphase")))
        #expect(throws: fault) { try file().takeOver() }
        #expect(throws: fault) { try file().write([], display: ":7") }
        #expect(try folder.names(in: "xphase") == ["pairs-:7.json"])
    }
}
