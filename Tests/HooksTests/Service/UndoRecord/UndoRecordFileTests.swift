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
@Suite struct UndoRecordFileTests {
    private let folder: TemporaryFolder
    private static let name = "xphase/undo-record-:7.json"

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder("xphase"), 0o700)
    }

    private func file() throws -> UndoRecordFile {
        try UndoRecordFile(display: ":7", environment: Environment(["XDG_STATE_HOME": folder.path]))
    }

    static func pair(_ hook: String) -> UndoRecordEntry {
        let trigger = HookTrigger(change: .step("A", from: .active, to: .background), time: .zero)
        return UndoRecordEntry(
            Job(hook: .pair(hook), part: .enter, trigger: trigger),
            processes: [ProcessIdentity(pid: 7, startTicks: .max)],
            holds: [.stopped([ProcessIdentity(pid: 7, startTicks: 1)])])
    }

    @Test func aWrittenRecordIsReadAgain() throws {
        let pairs = [Self.pair("a"), Self.pair("b")]
        try file().write(pairs, display: ":7")
        #expect(folder.mode(of: Self.name) == 0o600)
        let read = try file().read()
        #expect(read.pairs == pairs && read.display == ":7")
        try file().write([], display: ":7")
        #expect(try folder.names(in: "xphase").isEmpty)
        #expect(try file().read().pairs.isEmpty)
    }

    private static let facts = Change.SceneFacts(
        id: WindowID(3, generation: 2), title: "t", pid: 7, desktop: -1, process: "p", role: "r",
        monitor: "m", desktopName: "d", extent: .maximized)
    private static let totals = Change.Members(
        counts: Change.Counts(active: 1, inactive: 2, background: 3), pids: [7, 8], groups: ["g"],
        desktops: [0, 1], processes: ["p"])
    /// The form of the subject in files of earlier programs, too.
    private static let subjects: [(Change.Subject, String)] = [
        (
            .scene(facts),
            #"{"scene":{"_0":{"desktop":-1,"desktopName":"d","extent":"maximized","#
                + #""id":{"generation":2,"xid":3},"monitor":"m","pid":7,"process":"p","role":"r","title":"t"}}}"#
        ),
        (.group(totals), #"{"group":{"_0":\#(totalsInFile)}}"#),
        (.application(totals), #"{"application":{"_0":\#(totalsInFile)}}"#),
    ]
    private static let totalsInFile =
        #"{"counts":{"active":1,"background":3,"inactive":2},"desktops":[0,1],"groups":["g"],"#
        + #""pids":[7,8],"processes":["p"]}"#

    @Test(arguments: subjects)
    func theRecordKeepsAllFactsOfAChange(subject: Change.Subject, inFile: String) throws {
        let change = Change(
            kind: .phase, application: "A", group: "g", subject: subject, from: .active, to: .background,
            cause: .blur, held: .seconds(2))
        let text =
            #"{"application":"A","cause":"blur","from":"active","group":"g","held":[0,2000000000000000000],"#
            + #""kind":"phase","subject":\#(inFile),"to":"background"}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(RecordedChange(change)), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(RecordedChange.self, from: Data(text.utf8)).value == change)
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
        let (pairs, problem) = try file().takeOver()
        let isKept = try folder.names(in: "xphase").contains("undo-record-:7.json.bad")
        if isKept { #expect(try folder.text(of: "\(Self.name).bad") == text) }
        #expect(problem?.contains("is kept as '\(folder(Self.name)).bad'") == (isKept ? true : nil))
        return (pairs.map(\.hook), isKept)
    }

    private func good() throws -> String {
        try file().write([Self.pair("a"), Self.pair("b")], display: ":7")
        return try folder.text(of: Self.name)
    }

    /// Neither depth nor size is too much.
    @Test(arguments: [
        ("", 1), ("{", 1), ("rubbish", 1), ("\0", 4), ("[]", 1),
        (#"{"version":2,"display":"","boot":""}"#, 1),
        ("[", 1 << 20), ("{\"version\":", 1 << 20), (" ", 65 << 20),
    ])
    func aFileThatIsNoRecordIsKeptAside(text: String, count: Int) throws {
        let (hooks, isKept) = try read(String(repeating: text, count: count))
        #expect(hooks.isEmpty && isKept)
    }

    @Test(arguments: [
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":9223372036854775807"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":-1"#),
        (#""timeoutMilliseconds":30000"#, #""timeoutMilliseconds":99999999999999999999999"#),
        (#""pid":7"#, #""pid":4294967296"#),
        (#""startTicks":18446744073709551615"#, #""startTicks":18446744073709551616"#),
        (#""leave":["leave"]"#, #""leave":[]"#),
        (#""leave":["leave"]"#, #""leave":[""]"#),
        (#""leave":["leave"]"#, #""leave":["leave","\u0000"]"#),
        (#""active":0"#, #""active":9223372036854775807"#), (#""active":0"#, #""active":1099511627776"#),
    ])
    func aPairThatMakesNoSenseIsLeftOutAndKept(old: String, new: String) throws {
        let text = try good()
        let range = try #require(text.ranges(of: old).first, "\(text)")
        let (hooks, isKept) = try read(text[..<range.lowerBound] + new + text[range.upperBound...])
        #expect(hooks.count == 1 && isKept)
    }

    /// What others could have written, and what is no file.
    @Test func aRecordThatIsNotTheUsersOwnFileIsSetAsideAndNotWrittenOver() throws {
        try expectSetAside(
            changed: [{ chmod($0, 0o606) }, { chmod($0, 0o602) }],
            made: [
                { symlink("/dev/zero", $0) }, { symlink("nowhere", $0) }, { mkfifo($0, 0o600) },
                { mkdir($0, 0o700) },
            ])
    }

    /// - Parameters:
    ///   - changed: What is done to the path of a good file.
    ///   - made: What is made at the path in place of a file.
    func expectSetAside(changed: [(String) -> Int32], made: [(String) -> Int32] = []) throws {
        let (text, path) = (try good(), folder(Self.name))
        let changes = changed + made
        for (number, change) in changes.enumerated() {
            if number < changed.count { try folder.write(Self.name, text) } else { unlink(path) }
            #expect(change(path) == 0)
            let (pairs, problem) = try file().takeOver()
            #expect(pairs.isEmpty && problem != nil)
            try file().write([Self.pair("b")], display: ":7")
            #expect(folder.mode(of: Self.name) == 0o600)
            try file().write([], display: ":7")
        }
        let kept = try folder.names(in: "xphase")
        let names = changes.indices.map { "undo-record-:7.json.bad" + ($0 == 0 ? "" : ".\($0 + 1)") }
        #expect(kept == names)
        for name in kept.prefix(changed.count) { #expect(try folder.text(of: "xphase/\(name)") == text) }
    }
}

extension RootTests {
    @Test func aRecordOfAnotherUserIsSetAsideAndNotWrittenOver() throws {
        try UndoRecordFileTests().expectSetAside(changed: [{ chown($0, 12_345, 12_345) }])
    }
}
