import Testing

@testable import Service
@testable import System

/// Whether other processes use a terminal.
@Suite struct UseElsewhereTests {
    private static func row(_ pid: Int32, terminal: Int32, group: Int32, foreground: Int32) -> ProcessRow {
        ProcessRow(
            identity: ProcessIdentity(pid: pid, startTicks: 1), parent: 1, name: "a", state: "S", session: 10,
            terminal: terminal, group: group, foreground: foreground)
    }

    private static let table = ProcessTable([
        // A shell with emacsclient in the foreground. Emacs was started elsewhere.
        row(10, terminal: 34_816, group: 10, foreground: 11),
        row(11, terminal: 34_816, group: 11, foreground: 11), row(20, terminal: 0, group: 20, foreground: -1),
        // A terminal whose shell has ended, while a process that it started still runs.
        row(30, terminal: 34_817, group: 30, foreground: 0),
    ])

    @Test(
        arguments: [
            (34_816, [20], true), (34_816, [10, 11], false), (34_816, [11], false), (34_816, [10], true),
            (34_817, [20], false), (34_818, [20], false), (0, [10], false),
        ] as [(Int32, [Int32], Bool)])
    func itIsByTheForegroundOfOthers(device: Int32, pids: [Int32], isUsed: Bool) {
        #expect(UseElsewhere.isTerminal(device, usedBeside: pids, Self.table) == isUsed)
    }
}
