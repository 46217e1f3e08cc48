import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// A service that does not answer.
@Suite struct VarlinkClientTests {
    @Test func oneDeadlineLimitsConnectingAndAllAnswers() throws {
        let folder = try TemporaryFolder()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let lock = try InstanceLock(display: ":7", environment: environment)
        let server = try VarlinkServer(lock, []) { _ in }
        for time in [Duration.zero, .milliseconds(50)] {
            let client = try VarlinkClient(display: ":7", environment: environment, patience: time)
            #expect(throws: ServiceError.silent(pid: getpid())) { try client.status() }
        }
        withExtendedLifetime(server) {}
    }
}
