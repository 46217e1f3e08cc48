import Glibc
import TestDesktop
import Testing

@testable import Hooks

/// A record that xphase did not write, or not to the end.
@Suite struct BadRecordTests {
    private let folder: TemporaryFolder
    private let record: PairRecord
    private static let file = "xphase/pairs-:7.json"
    private static let nothing = #"{"v":1,"pairs":[]}"#

    init() throws {
        folder = try TemporaryFolder()
        record = try PairRecord(display: ":7", environment: ["XDG_STATE_HOME": folder.path])
        mkdir(folder("xphase"), 0o700)
    }

    private var damaged: FileError { .damaged(path: record.path, keptAs: "\(record.path).bad") }

    @Test(arguments: [
        "", "{", "null", "[]", #"{"v":1}"#, #"{"v":1,"pairs":[{}]}"#, #"{"v":2,"pairs":[]}"#, "\0\0\0\0",
        String(nothing.dropLast()), nothing + "}",
    ])
    func whatMakesNoSenseIsMovedAside(text: String) throws {
        try folder.write(Self.file, text)
        #expect(throws: damaged) { try record.read() }
        #expect(try folder.text(of: "\(Self.file).bad") == text)
        #expect(try record.read() == [])
    }

    @Test(arguments: [("[", 1 << 20), ("{\"v\":", 1 << 20), (" ", 17 << 20)])
    func neitherDepthNorSizeIsTooMuch(text: String, count: Int) throws {
        try folder.write(Self.file, String(repeating: text, count: count))
        #expect(throws: damaged) { try record.read() }
    }

    @Test func theErrorNamesBothFiles() {
        #expect("\(damaged)".contains("'\(record.path)'"))
        #expect("\(damaged)".contains("'\(record.path).bad'"))
    }

    @Test func aLeaveOfNothingMakesNoSense() throws {
        let change = """
            {"kind":"closed","application":"A","cause":"close","subject":{"application":{"_0":
            {"counts":{"active":0,"inactive":0,"background":0},"pids":[],"groups":[]}}}}
            """
        for (leave, isSense) in [("[]", false), (#"["true"]"#, true)] {
            let pair = """
                {"hook":"a","leave":\(leave),"timeoutMilliseconds":1,"change":\(change),"processes":[],"bootID":""}
                """
            try folder.write(Self.file, #"{"v":1,"pairs":[\#(pair)]}"#)
            #expect((try? record.read())?.count == (isSense ? 1 : nil))
        }
    }

    @Test func whatOthersCouldHaveWrittenIsRefused() throws {
        try folder.write(Self.file, Self.nothing)
        for mode: mode_t in [0o620, 0o602] {
            chmod(folder(Self.file), mode)
            #expect(throws: FileError.exposed(path: record.path)) { try record.read() }
        }
        chmod(folder(Self.file), 0o644)
        #expect(try record.read() == [])
        chmod(folder("xphase"), 0o770)
        #expect(throws: FileError.exposed(path: folder("xphase"))) { try record.read() }
    }

    @Test(.enabled(if: geteuid() == 0)) func thatOfAnotherUserIsRefused() throws {
        try folder.write(Self.file, Self.nothing)
        chown(folder(Self.file), 12_345, 12_345)
        #expect(throws: FileError.foreign(path: record.path)) { try record.read() }
    }

    @Test func aLinkOrAFifoIsNotRead() {
        symlink("/dev/zero", folder(Self.file))
        #expect(throws: FileError.self) { try record.read() }
        unlink(folder(Self.file))
        mkfifo(folder(Self.file), 0o600)
        #expect(throws: FileError.noFile(path: record.path)) { try record.read() }
    }
}
