import Glibc
import TestDesktop
import Testing

@testable import System

/// Which directories xphase accepts for its files.
@Suite struct OwnDirectoryTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func make(_ name: String) throws -> OwnDirectory {
        try OwnDirectory(making: SystemString(folder(name)), forbidding: 0o077)
    }

    @Test func aDirectoryIsMadeWithItsParents() throws {
        _ = try make("a/b/c")
        for name in ["a", "a/b", "a/b/c"] { #expect(folder.mode(of: name) == 0o700) }
    }

    @Test func aDirectoryThatOthersMayEnterIsRefused() throws {
        mkdir(folder("open"), 0o700)
        chmod(folder("open"), 0o710)
        #expect(throws: SystemError.exposed(path: SystemString(folder("open")))) { try make("open") }
        _ = try OwnDirectory(making: SystemString(folder("open")), forbidding: 0o022)
    }

    /// A first start with the umask 777 makes the first of them. Root may enter all.
    @Test(arguments: ["a", "a/b"]) func theDirectoryThatMayNotBeEnteredIsNamed(closed: String) throws {
        let base = folder.path
        for name in ["a", "a/b"] where closed.hasPrefix(name) { mkdir(folder(name), 0o777) }
        chmod(base, 0o777)
        chmod(folder(closed), 0)
        let error = SystemError.failed(path: SystemString(folder(closed)), SystemError("mkdir", EACCES))
        withoutRoot { #expect(throws: error) { try make("a/b/c") } }
        chmod(folder(closed), 0o700)
        #expect(
            "\(error)".hasSuffix(
                "(mkdir: Permission denied): check that it belongs to you and that its mode lets you use it"))
    }

    @Test func aSymbolicLinkOfTheUserIsFollowed() throws {
        mkdir(folder("real"), 0o700)
        symlink("real", folder("link"))
        symlink(folder("link"), folder("link to link"))
        let directory = try make("link to link")
        _ = try directory.create("file", O_WRONLY, mode: 0o600)
        #expect(access(folder("real/file"), F_OK) == 0)
        chmod(folder("real"), 0o710)
        #expect(throws: SystemError.exposed(path: SystemString(folder("link")))) { try make("link") }
    }

    @Test func aSymbolicLinkToNothingIsNamed() {
        symlink("nowhere", folder("link"))
        for path in ["link", "link/a", "link/a/b"] {
            #expect(throws: SystemError.dangling(path: SystemString(folder("link"))), "\(path)") {
                try make(path)
            }
        }
    }

    @Test(arguments: ["file", "file/x"]) func aFileInPlaceOfADirectoryIsRefused(path: String) throws {
        try folder.write("file", "")
        #expect(throws: SystemError.self) { try make(path) }
    }

    /// The group `daemon` has a user of that name in every distribution.
    @Test func aGroupWithOtherMembersMayWriteAndTheUsersOwnIsNoOther() {
        var facts = stat()
        func bits(_ mode: mode_t, group: gid_t) -> mode_t {
            (facts.st_mode, facts.st_gid) = (S_IFREG | mode, group)
            return facts.writableByOthers
        }
        #expect(bits(0o664, group: 0) == 0 && bits(0o666, group: 0) == S_IWOTH)
        #expect(bits(0o664, group: 1) == S_IWGRP && bits(0o644, group: 1) == 0)
        #expect(bits(0o664, group: 4_294_000_000) == S_IWGRP)
    }
}

/// The tests that need root, to give files away. Only `packaging/test --all` runs them.
@Suite struct RootTests {}

extension RootTests {
    @Test(arguments: [("theirs", "theirs"), ("mine", "theirs"), ("other", "other")])
    func aDirectoryOfAnotherUserIsRefused(path: String, foreign: String) throws {
        let directories = try OwnDirectoryTests()
        let folder = directories.folder
        for name in ["real", "other"] { mkdir(folder(name), 0o700) }
        symlink("real", folder("theirs"))
        symlink("theirs", folder("mine"))
        for name in ["theirs", "other"] { lchown(folder(name), 12_345, 12_345) }
        #expect(throws: SystemError.foreign(path: SystemString(folder(foreign)))) {
            try directories.make(path)
        }
    }
}
