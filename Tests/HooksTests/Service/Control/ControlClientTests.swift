import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// A service that says nothing.
@Suite struct ControlClientTests {
    /// One deadline limits the connecting and all answers together.
    @Test func oneDeadlineLimitsConnectingAndAllAnswers() throws {
        let folder = try TemporaryFolder()
        let environment = Environment(["XDG_RUNTIME_DIR": folder.path])
        let client = try ControlClient(environment: environment)
        let socket = try ControlSocket(display: ":7", environment: environment)
        func failure(after time: Duration) -> ServiceError? {
            do {
                _ = try client.ask(.status, display: ":7", until: Clock.now() + time)
                return nil
            } catch {
                return error as? ServiceError
            }
        }
        #expect(failure(after: .zero) == .silent(pid: 0))
        #expect(failure(after: .milliseconds(50)) == .silent(pid: getpid()))
        withExtendedLifetime(socket) {}
    }
}
