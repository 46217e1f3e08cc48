import Glibc
import TestDesktop
import Testing

@testable import System

/// Where xphase keeps its files.
@Suite struct PlacesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ environment: [String: String], sessions: String = "none") throws -> String {
        let environment = Environment(environment.merging(["HOME": "/h"]) { $1 })
        return try RuntimeDirectory(environment: environment, sessions: SystemString(folder(sessions)))
            .path.description
    }

    @Test func theRuntimeDirectoryIsTheSessions() throws {
        #expect(try path(["XDG_RUNTIME_DIR": folder.path]) == folder("xphase"))
    }

    @Test(arguments: [
        [:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "."], ["XDG_RUNTIME_DIR": "/dev/null"],
    ])
    func withoutAUsefulNameTheUsersOwnIsTaken(environment: [String: String]) throws {
        #expect(try path(environment) == "/h/.local/state/xphase/run-\(TestWindow.hostName)")
        mkdir(folder("sessions"), 0o700)
        mkdir(folder("sessions/\(geteuid())"), 0o700)
        #expect(try path(environment, sessions: "sessions") == folder("sessions/\(geteuid())/xphase"))
    }

    @Test(.enabled(if: geteuid() == 0)) func aRuntimeDirectoryOfAnotherUserIsNotTouched() throws {
        chown(folder.path, 12_345, 12_345)
        #expect(
            try path(["XDG_RUNTIME_DIR": folder.path]) == "/h/.local/state/xphase/run-\(TestWindow.hostName)")
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/xphase"), (["HOME": "/h"], "/h/.local/state/xphase"),
        (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/xphase"),
        (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/xphase"),
    ])
    func stateOutlivesTheSession(environment: [String: String], path: String) throws {
        #expect(try StateDirectory(environment: Environment(environment)).path.description == path)
    }

    @Test func thereIsNoStateWithoutAHome() {
        #expect(throws: SystemError.noHome) { try StateDirectory(environment: ["HOME": "h"]) }
    }
}
