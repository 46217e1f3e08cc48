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
        func failure(after time: Duration) throws -> ServiceError? {
            let client = try VarlinkClient(display: ":7", environment: environment, patience: time)
            do {
                _ = try client.status()
                return nil
            } catch {
                return error as? ServiceError
            }
        }
        #expect(try failure(after: .zero) == .silent(pid: 0))
        #expect(try failure(after: .milliseconds(50)) == .silent(pid: getpid()))
        withExtendedLifetime(server) {}
    }
}
