import Glibc
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

@Suite struct FileWatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func watch(_ names: String...) throws -> WatchedFiles {
        try WatchedFiles(names.map { folder($0) })
    }

    @Test func aFileIsWritten() throws {
        try folder.write("file", "a")
        let watch = try watch("file")
        #expect(try !watch.hasChanged)
        for text in ["b", "c"] {
            try folder.write("file", text)
            #expect(try watch.hasChanged)
        }
        truncate(folder("file"), 0)
        #expect(try watch.hasChanged)
    }

    @Test func anEditorRenamesOverIt() throws {
        try folder.write("file", "a")
        let watch = try watch("file")
        for _ in 0..<3 {
            try folder.write(".file.swp", "b")
            #expect(try !watch.hasChanged)
            rename(folder(".file.swp"), folder("file"))
            #expect(try watch.hasChanged)
        }
    }

    @Test func itIsDeletedAndMadeAgain() throws {
        try folder.write("file", "a")
        let watch = try watch("file")
        unlink(folder("file"))
        #expect(try watch.hasChanged)
        try folder.write("file", "b")
        #expect(try watch.hasChanged)
        chmod(folder("file"), 0o640)
        #expect(try watch.hasChanged)
    }

    @Test func anyEntryOfADirectoryCounts() throws {
        mkdir(folder("hooks.d"), 0o700)
        let watch = try watch("hooks.d", "config.toml")
        try folder.write("hooks.d/10-a", "")
        #expect(try watch.hasChanged)
        chmod(folder("hooks.d/10-a"), 0o755)
        #expect(try watch.hasChanged)
        rename(folder("hooks.d/10-a"), folder("hooks.d/20-b"))
        #expect(try watch.hasChanged)
        unlink(folder("hooks.d/20-b"))
        #expect(try watch.hasChanged)
        try folder.write("unrelated", "")
        #expect(try !watch.hasChanged)
        try folder.write("config.toml", "")
        #expect(try watch.hasChanged)
    }

    @Test func aDirectoryIsDeletedAndMadeAgain() throws {
        mkdir(folder("hooks.d"), 0o700)
        let watch = try watch("hooks.d")
        rmdir(folder("hooks.d"))
        #expect(try watch.hasChanged)
        mkdir(folder("hooks.d"), 0o700)
        #expect(try watch.hasChanged)
        try folder.write("hooks.d/a", "")
        #expect(try watch.hasChanged)
    }

    @Test func readingAndRunningIsNoChange() throws {
        mkdir(folder("hooks.d"), 0o700)
        try folder.write("hooks.d/a", "#!/bin/sh\n", mode: 0o755)
        let watch = try watch("hooks.d")
        #expect(try Child.run(folder("hooks.d/a")).code == 0)
        #expect(try folder.text(of: "hooks.d/a") == "#!/bin/sh\n")
        #expect(try !watch.hasChanged)
    }

    @Test func eventsThatWereLostCount() throws {
        let limit = try Child.run("cat", ["/proc/sys/fs/inotify/max_queued_events"], package: "coreutils")
        let events = try #require(limit.output.first.flatMap { Int($0) })
        let watch = try watch("file")
        for _ in 0...(events / 2) {
            mkdir(folder("other"), 0o700)
            rmdir(folder("other"))
        }
        #expect(try watch.hasChanged)
        try folder.write("file", "")
        #expect(try watch.hasChanged)
    }

    @Test func itsDescriptorNeitherBlocksNorReachesChildren() throws {
        let files = try FileWatch(paths: ["\(folder("file"))"])
        let hasChanged = try files.read()
        #expect(!hasChanged)
        #expect(fcntl(files.descriptor, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(files.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}
