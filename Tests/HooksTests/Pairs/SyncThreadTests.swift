import Glibc
import System
import Testing

@testable import Hooks

/// What waits for the disk must not wait for ever.
@Suite struct SyncThreadTests {
    /// Puts a file in the place of one end of a pipe.
    private static func replace(_ descriptor: Int32, with file: Int32) {
        dup2(file, descriptor)
        close(file)
    }

    @Test func aRequestThatDoesNotReachItIsAnError() throws {
        let thread = try SyncThread()
        Self.replace(thread.requests.number, with: open("/dev/full", O_WRONLY | O_CLOEXEC))
        #expect(throws: SystemError("write", ENOSPC)) { try thread.request(file: nil, directory: nil) }
        #expect(!thread.isBusy)
    }

    @Test func aThreadThatHasEndedIsAnError() throws {
        let thread = try SyncThread()
        try thread.request(file: nil, directory: nil)
        Self.replace(thread.answers.number, with: open("/dev/null", O_RDONLY | O_CLOEXEC))
        #expect(throws: SystemError("read", EPIPE)) { try thread.answer() }
        #expect(!thread.isBusy)
    }
}
