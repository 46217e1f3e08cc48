import Glibc
import TestDesktop
import Testing

@testable import Service
@testable import System

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

    @Test func directoriesComeLater() throws {
        let watch = try watch("a/b/file")
        mkdir(folder("other"), 0o700)
        #expect(try !watch.hasChanged)
        for name in ["a", "a/b"] {
            mkdir(folder(name), 0o700)
            #expect(try watch.hasChanged)
        }
        try folder.write("a/b/file", "")
        #expect(try watch.hasChanged)
    }

    @Test func directoriesThatComeAtOnceAreAllFound() throws {
        let watch = try watch("a/b/file")
        mkdir(folder("a"), 0o700)
        mkdir(folder("a/b"), 0o700)
        #expect(try watch.hasChanged)
        try folder.write("a/b/file", "")
        #expect(try watch.hasChanged)
    }

    @Test func itsDirectoryIsExchanged() throws {
        for name in ["a", "new"] { mkdir(folder(name), 0o700) }
        let watch = try watch("a/file")
        rename(folder("a"), folder("old"))
        #expect(try watch.hasChanged)
        rename(folder("new"), folder("a"))
        #expect(try watch.hasChanged)
        try folder.write("old/file", "")
        #expect(try !watch.hasChanged)
        try folder.write("a/file", "")
        #expect(try watch.hasChanged)
        chmod(folder("a"), 0o750)
        #expect(try watch.hasChanged)
    }

    @Test func itsDirectoryIsRemovedWhileSomebodyIsInIt() throws {
        mkdir(folder("a"), 0o700)
        let watch = try watch("a/file")
        for _ in 0..<3 {
            let inside = open(folder("a"), O_RDONLY | O_CLOEXEC)
            defer { close(inside) }
            rmdir(folder("a"))
            #expect(try watch.hasChanged)
            mkdir(folder("a"), 0o700)
            #expect(try watch.hasChanged)
        }
        try folder.write("a/file", "")
        #expect(try watch.hasChanged)
    }

    @Test func theTargetOfALinkComesAndGoes() throws {
        for name in ["dots", "config"] { mkdir(folder(name), 0o700) }
        symlink("../dots/file", folder("config/file"))
        let watch = try watch("config/file")
        for text in ["a", "b"] {
            try folder.write("dots/file", text)
            #expect(try watch.hasChanged)
            unlink(folder("dots/file"))
            #expect(try watch.hasChanged)
        }
    }

    @Test func theTargetOfALinkCounts() throws {
        for name in ["dots", "config"] { mkdir(folder(name), 0o700) }
        for name in ["one", "two"] { try folder.write("dots/\(name)", "") }
        symlink("../dots/one", folder("config/file"))
        let watch = try watch("config/file")
        try folder.write("dots/one", "")
        #expect(try watch.hasChanged)
        try folder.write("dots/two", "")
        #expect(try !watch.hasChanged)
        symlink("../dots/two", folder("config/new"))
        rename(folder("config/new"), folder("config/file"))
        #expect(try watch.hasChanged)
        try folder.write("dots/one", "")
        #expect(try !watch.hasChanged)
        try folder.write("dots/two", "")
        #expect(try watch.hasChanged)
    }

    @Test func readingAndRunningIsNoChange() throws {
        mkdir(folder("hooks.d"), 0o700)
        try folder.write("hooks.d/a", "#!/bin/sh\n", mode: 0o755)
        let watch = try watch("hooks.d")
        #expect(try Program.run(folder("hooks.d/a")).code == 0)
        #expect(try folder.text(of: "hooks.d/a") == "#!/bin/sh\n")
        #expect(try !watch.hasChanged)
    }

    @Test func eventsThatWereLostCount() throws {
        let limit = try Program.run("cat", ["/proc/sys/fs/inotify/max_queued_events"], package: "coreutils")
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
