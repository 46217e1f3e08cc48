import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// Files below a directory whose name is not UTF-8.
@Suite struct BytePathTests {
    private let folder: TemporaryFolder
    private let environment: Environment

    init() throws {
        folder = try TemporaryFolder()
        let home = SystemString(bytes: Array("\(folder.path)/h".utf8) + [0xE9])
        mkdir(home.cString, 0o700)
        environment = Environment(entries: ["XDG_STATE_HOME=\(home)", "XDG_RUNTIME_DIR=\(home)"])
    }

    @Test func whatAKilledProcessHoldsIsThawed() throws {
        let file = try RecordFile(display: ":7", environment: environment)
        try file.write([RecordFileTests.pair("a")], display: ":7")
        #expect(try HeldRecords(environment: environment).thawAbandoned(serving: nil).isEmpty)
    }

    @Test func aServiceIsFound() throws {
        let lock = try InstanceLock(display: ":7", environment: environment)
        let server = try VarlinkServer(lock, []) { _ in }
        #expect(try VarlinkClient.displays(environment) == [":7"])
        server.close()
    }
}
