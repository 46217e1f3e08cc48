import Glibc
import Testing

@testable import System

/// The number of the error is that of the call that has failed.
@Suite struct SystemErrorTests {
    /// Makes a path as an allocation does that fails, or frees memory: errno is another one afterwards.
    private static func path() -> SystemString {
        errno = ENOMEM
        return "the path"
    }

    private static let failure = SystemError.failed(path: "the path", SystemError("open", ENOENT))

    @Test func aPathThatIsMadeForAMessageDoesNotChangeIt() {
        #expect(throws: Self.failure) {
            try Descriptor("open", open("/nowhere/a", O_RDONLY), path: Self.path())
        }
        #expect(throws: Self.failure) {
            try SystemError.check("open", open("/nowhere/a", O_RDONLY), path: Self.path(), unless: EACCES)
        }
    }

    @Test func aToleratedErrorIsANegativeResult() throws {
        let result = try SystemError.check(
            "open", open("/nowhere/a", O_RDONLY), path: Self.path(), unless: ENOENT)
        #expect(result < 0)
        #expect(try SystemError.check("getpid", getpid()) == getpid())
    }

    @Test func anInterruptedCallIsRepeated() throws {
        var count = 0
        func call() -> Int {
            count += 1
            errno = EINTR
            return count < 3 ? -1 : 7
        }
        #expect(try SystemError.check("read", call()) == 7 && count == 3)
    }

    /// Each step of it is named.
    @Test func aDirectoryThatCannotBeMadeIsNamed() {
        #expect(throws: SystemError.failed(path: "/dev/null/a", SystemError("mkdir", ENOTDIR))) {
            try OwnDirectory(making: "/dev/null/a", forbidding: 0)
        }
    }
}
