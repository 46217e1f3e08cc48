import Glibc
import TestDesktop
import Testing

@testable import System

/// A folder on a disk that writes in any order what it was not asked to write.
private final class FailingDisk: ReplacingFolder {
    final class Draft {
        var bytes: [UInt8] = []
        /// What is on disk for sure.
        var safe: [UInt8] = []

        /// What may be on disk: nothing, a part, or all of what was written since.
        var possible: [[UInt8]] {
            safe == bytes ? [bytes] : [safe, Array(bytes.prefix(bytes.count / 2)), bytes]
        }
    }

    static let name: SystemString = "record"

    private var names: [SystemString: Draft]
    private var safeNames: [SystemString: Draft]
    /// The syncs that are left out, and those that were requested.
    private let omitted: Int?
    private(set) var syncs = 0
    /// What a power failure during the steps so far may have left of the file.
    private(set) var contents: Set<[UInt8]?> = []

    /// - Parameter bytes: The contents of the file, which are on disk.
    init(_ bytes: [UInt8], omitted: Int? = nil) {
        let file = Draft()
        (file.bytes, file.safe) = (bytes, bytes)
        (names, safeNames, self.omitted) = ([Self.name: file], [Self.name: file], omitted)
    }

    /// What a power failure now may leave of the file.
    var possible: Set<[UInt8]?> {
        Set([names[Self.name], safeNames[Self.name]].flatMap { $0?.possible.map(Optional.some) ?? [nil] })
    }

    private func step(_ change: () -> Void) {
        change()
        contents.formUnion(possible)
    }

    private func count(_ sync: () -> Void) {
        syncs += 1
        if syncs - 1 != omitted { step(sync) }
    }

    func makeDraft(_ name: SystemString) -> Draft {
        let draft = Draft()
        step { names[name] = draft }
        return draft
    }

    func write(_ bytes: [UInt8], to draft: Draft, _ name: SystemString, mode: mode_t) {
        step { draft.bytes = bytes }
    }

    func sync(_ draft: Draft, _ name: SystemString) { count { draft.safe = draft.bytes } }
    func rename(_ name: SystemString, to newName: SystemString) {
        step { names[newName] = names.removeValue(forKey: name) }
    }
    func remove(_ name: SystemString) { step { names[name] = nil } }
    func sync() { count { safeNames = names } }
}

/// The order of writes and syncs when a file is replaced.
@Suite struct PowerFailureTests {
    private static let (old, new) = ([UInt8]("old".utf8), [UInt8]("newer".utf8))

    @Test func aPowerFailureLeavesTheOldFileOrTheNewOne() throws {
        let disk = FailingDisk(Self.old)
        try disk.replaceFile(FailingDisk.name, with: Self.new, mode: 0o600)
        #expect(disk.contents == [Self.old, Self.new] && disk.possible == [Self.new] && disk.syncs == 2)
    }

    /// So the other test would fail without one of them.
    @Test(arguments: 0..<2) func noSyncCanBeLeftOut(number: Int) throws {
        let disk = FailingDisk(Self.old, omitted: number)
        try disk.replaceFile(FailingDisk.name, with: Self.new, mode: 0o600)
        #expect(disk.possible != [Self.new])
    }

    /// The kernel refuses to sync a pipe.
    @Test func aSyncAsksTheKernel() throws {
        let folder = try TemporaryFolder()
        let directory = try OwnDirectory(making: SystemString(folder("own")), forbidding: 0o077)
        let pipe = try Pipe()
        #expect(throws: SystemError.self) { try directory.sync(Descriptor("dup", dup(pipe.writing)), "pipe") }
    }
}
