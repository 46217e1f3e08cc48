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
        let socket = try VarlinkSocket(display: ":7", environment: environment, [])
        func failure(after time: Duration) throws -> ServiceError? {
            let client = VarlinkClient(
                display: ":7", try OwnDirectory.runtime(environment), until: Clock.now() + time)
            do {
                _ = try client.status()
                return nil
            } catch {
                return error as? ServiceError
            }
        }
        #expect(try failure(after: .zero) == .silent(pid: 0))
        #expect(try failure(after: .milliseconds(50)) == .silent(pid: getpid()))
        withExtendedLifetime(socket) {}
    }
}
