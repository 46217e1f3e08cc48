import Glibc
import TestDesktop
import Testing

@testable import Hooks

/// Which directories are good enough to keep files in.
@Suite struct OwnDirectoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func itIsMadeWithItsParents() throws {
        _ = try OwnDirectory(making: SystemString(folder("a/b/c")), forbidding: 0o077)
        for name in ["a", "a/b", "a/b/c"] { #expect(folder.mode(of: name) == 0o700) }
    }

    @Test func oneThatOthersMayEnterIsRefused() throws {
        mkdir(folder("open"), 0o700)
        chmod(folder("open"), 0o710)
        #expect(throws: FileError.exposed(path: SystemString(folder("open")))) {
            try OwnDirectory(making: SystemString(folder("open")), forbidding: 0o077)
        }
        _ = try OwnDirectory(making: SystemString(folder("open")), forbidding: 0o022)
    }

    @Test func aSymbolicLinkIsRefused() {
        symlink(folder.path, folder("link"))
        #expect(throws: FileError.self) {
            try OwnDirectory(making: SystemString(folder("link")), forbidding: 0o077)
        }
    }

    @Test func aFileIsRefused() throws {
        try folder.write("file", "")
        #expect(throws: FileError.self) {
            try OwnDirectory(making: SystemString(folder("file")), forbidding: 0o077)
        }
        #expect(throws: FileError.self) {
            try OwnDirectory(making: SystemString(folder("file/x")), forbidding: 0o077)
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func thatOfAnotherUserIsRefused() {
        mkdir(folder("theirs"), 0o700)
        chown(folder("theirs"), 12_345, 12_345)
        #expect(throws: FileError.foreign(path: SystemString(folder("theirs")))) {
            try OwnDirectory(making: SystemString(folder("theirs")), forbidding: 0o077)
        }
    }
}
