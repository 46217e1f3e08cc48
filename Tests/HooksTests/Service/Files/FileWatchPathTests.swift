import Glibc
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// What happens on the way to a file that is watched.
@Suite struct FileWatchPathTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func watch(_ name: String) throws -> WatchedFiles {
        try WatchedFiles([folder(name)])
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

    @Test func aDirectoryIsExchanged() throws {
        for name in ["a", "a/b", "new", "new/b"] { mkdir(folder(name), 0o700) }
        let watch = try watch("a/b/file")
        rename(folder("a"), folder("old"))
        #expect(try watch.hasChanged)
        rename(folder("new"), folder("a"))
        #expect(try watch.hasChanged)
        try folder.write("old/b/file", "")
        #expect(try !watch.hasChanged)
        try folder.write("a/b/file", "")
        #expect(try watch.hasChanged)
        chmod(folder("a"), 0o750)
        #expect(try watch.hasChanged)
    }

    @Test func aDirectoryIsRemovedWhileSomebodyIsInIt() throws {
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

    @Test func theTargetOfALinkCounts() throws {
        for name in ["dots", "config"] { mkdir(folder(name), 0o700) }
        try folder.write("dots/one", "")
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

    @Test func whatComesWhileItLooksIsNotMissed() throws {
        let watch = try watch("a/b/file")
        let deadline = ContinuousClock.now + .seconds(30)
        for _ in 0..<100 {
            let child = try Child("mkdir", ["-p", folder("a/b")], package: "coreutils")
            while access(folder("a/b"), F_OK) != 0, .now < deadline { _ = try watch.hasChanged }
            #expect(try child.exitCode() == 0)
            _ = try watch.hasChanged
            try folder.write("a/b/file", "")
            #expect(try watch.hasChanged)
            unlink(folder("a/b/file"))
            for name in ["a/b", "a"] { rmdir(folder(name)) }
        }
    }
}
