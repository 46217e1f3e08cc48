import Glibc
import TestDesktop
import Testing

@testable import Hooks

/// Where xphase keeps its files.
@Suite struct PlacesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ environment: [String: String], sessions: String = "none") -> String {
        let sessions = SystemString(folder(sessions))
        return RuntimeDirectory(environment: Environment(environment), sessions: sessions, temporary: "/t")
            .path.description
    }

    @Test func theRuntimeDirectoryIsTheSessions() {
        #expect(path(["XDG_RUNTIME_DIR": folder.path]) == folder("xphase"))
    }

    @Test(arguments: [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "."], ["XDG_RUNTIME_DIR": "/none"]])
    func withoutAUsefulNameTheUsersOwnIsTaken(environment: [String: String]) {
        #expect(path(environment) == "/t/xphase-\(geteuid())")
        mkdir(folder("sessions"), 0o700)
        mkdir(folder("sessions/\(geteuid())"), 0o700)
        #expect(path(environment, sessions: "sessions") == folder("sessions/\(geteuid())/xphase"))
    }

    @Test(.enabled(if: geteuid() == 0)) func aRuntimeDirectoryOfAnotherUserIsNotTouched() {
        chown(folder.path, 12_345, 12_345)
        #expect(path(["XDG_RUNTIME_DIR": folder.path]) == "/t/xphase-0")
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
        #expect(throws: FileError.noHome) { try StateDirectory(environment: ["HOME": "h"]) }
    }
}
