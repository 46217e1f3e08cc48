import Glibc
import System
import TestDesktop
import Testing

@testable import Hooks

/// Files below a directory whose name is no UTF-8.
@Suite struct BytePathTests {
    private let folder: TemporaryFolder
    private let environment: Environment

    init() throws {
        folder = try TemporaryFolder()
        let home = SystemString(bytes: Array("\(folder.path)/h".utf8) + [0xE9])
        mkdir(home.cString, 0o700)
        environment = Environment(entries: ["XDG_STATE_HOME=\(home)", "XDG_RUNTIME_DIR=\(home)"])
    }

    @Test func whatAnotherProcessHoldsIsRead() throws {
        let record = try PairRecord(display: ":7", environment: environment)
        let owed = OwedLeaves(record)
        let job = OwedLeavesTests.job("A")
        try owed.add(job, HookVariables.Processes(pids: [], unit: nil))
        let hold = Hold.stopped([try #require(ProcessIdentity(pid: getpid()))])
        try owed.setHolds([hold], of: job)
        try owed.write()
        #expect(try HeldRecords(environment: environment).holds().all == [hold])
        owed.close()
    }

    @Test func theTimeOfTheLastThawIsKept() throws {
        let records = try HeldRecords(environment: environment)
        #expect(records.lastThaw == nil)
        #expect(records.thawAll().faults.isEmpty)
        #expect(records.lastThaw != nil)
    }

    @Test func aServiceIsFound() throws {
        let socket = try ControlSocket(display: ":7", environment: environment)
        #expect(try ControlClient(environment: environment).displays == [":7"])
        socket.close()
    }
}
