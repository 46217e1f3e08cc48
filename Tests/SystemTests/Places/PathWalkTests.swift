import Glibc
import TestDesktop
import Testing

@testable import System

@Suite struct PathWalkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the places of a walk as `/a/b`, for b in a: `!` marks the end, `*` all entries. The path of the test's
    /// folder is removed.
    private func walk(_ path: String) -> [String] {
        PathWalk(SystemString(folder(path))).map(words).filter { $0.hasPrefix(folder.path) }
            .map { String($0.dropFirst(folder.path.count)) }
    }

    private func words(_ place: PathWalk.Entry) -> String {
        "\(place.directory)/\(place.name?.description ?? "*")" + (place.isEnd ? "!" : "")
    }

    @Test func aWalkAlongAPathEndsWhereNothingIs() {
        #expect(walk("a/b") == ["", "/a"])
        mkdir(folder("a"), 0o700)
        #expect(walk("a/b") == ["", "/a", "/a/b!"])
        #expect(walk("a/./b//c") == ["", "/a", "/a/b"])
    }

    @Test func aWalkAlongAPathLooksOnlyWhenAskedForTheNextPlace() {
        var walk = PathWalk(SystemString(folder("a/b")))
        while let place = walk.next(), place.name != "a" {}
        mkdir(folder("a"), 0o700)
        #expect(walk.next() == PathWalk.Entry(directory: SystemString(folder("a")), name: "b", isEnd: true))
        #expect(walk.next() == nil)
    }

    @Test func aTrailingSlashWatchesAllEntries() {
        mkdir(folder("a"), 0o700)
        #expect(walk("a/") == ["", "/a!", "/a/*!"])
    }

    @Test func linksAreFollowedWhereTheyLead() throws {
        for name in ["a", "b"] { mkdir(folder(name), 0o700) }
        try folder.write("b/file", "")
        symlink("../b/file", folder("a/link"))
        #expect(walk("a/link") == ["", "/a", "/a/link!", "/a/..", "/b", "/b/file!"])
        symlink(folder("b"), folder("a/far"))
        #expect(walk("a/far/file") == ["", "/a", "/a/far", "", "/b", "/b/file!"])
    }

    @Test func linksInACircleEnd() {
        symlink("b", folder("a"))
        symlink("a", folder("b"))
        #expect(walk("a").count == 42)
    }

    @Test func theRootIsItsOwnParent() {
        #expect(PathWalk("/../tmp").map(words) == ["//..", "//tmp!", "/tmp/*!"])
    }

    @Test func aRelativePathBeginsWhereTheProcessIs() throws {
        let here = try #require(getcwd(nil, 0))
        defer { free(here) }
        let path = String(cString: here)
        #expect(PathWalk("none/x").map(words) == ["\(path)/none"])
    }
}
