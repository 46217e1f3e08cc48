import Glibc
import TestDesktop
import Testing

@testable import System

@Suite struct ProcessTextTests {
    /// Returns a line whose nth field is n × 1000.
    private static func stat(_ name: String, fields: Int = 50) -> String {
        "7 (\(name)) S " + (4..<(4 + fields)).map { "\($0 * 1000)" }.joined(separator: " ") + "\n"
    }

    @Test(arguments: [
        "xterm", "a b", "", ")", "a) R 1 2 (b", "((((", "a\n8 (b) S 1", ") S 1 2 3 4 5 6", "\u{600}",
        "a\u{301}\u{200d}", "\u{FFFD}",
    ])
    func theStartIsTheTwentySecondFieldWhateverTheName(name: String) {
        #expect(ProcessText.row(ofStat: Self.stat(name), pid: 7)?.identity.startTicks == 22_000)
        #expect(ProcessText.row(ofStat: Self.stat(name, fields: 19), pid: 7)?.identity.startTicks == 22_000)
    }

    /// A build starts programs that end before anybody looks.
    @Test func theTimeOfChildrenThatHaveEndedStandsApart() {
        let row = ProcessText.row(ofStat: Self.stat("make"), pid: 7)
        #expect(row?.ticks == 14_000 + 15_000 && row?.ticksOfChildren == 16_000 + 17_000)
    }

    @Test(arguments: [
        "", "7", "7 (a", "7 (a)", "7 (a) S 1 2 3", stat("a", fields: 18),
        "7 (a) " + String(repeating: "- ", count: 50),
    ])
    func fieldsThatAreMissingAreNoStart(text: String) {
        #expect(ProcessText.row(ofStat: text, pid: 7)?.identity.startTicks == nil)
    }

    @Test(arguments: [
        ("Name:\ta\nUid:\t1000\t0\t0\t0\nGid:\t5\n", 1000 as UInt32?), ("Uid:\t0\t1\t1\t1", 0),
        ("Name:\tUid:\t7\nUid:\t8\t8\t8\t8\n", 8), ("Uid:\t4294967295\t0\t0\t0\n", .max),
        ("", nil), ("Uid:", nil), ("Uid:\t", nil), ("Uid:\t-1\n", nil), ("Uid:\tx\n", nil),
        ("Gid:\t1\n", nil),
    ])
    func theUserOfAProcessIsTheRealUser(text: String, user: UInt32?) {
        #expect(ProcessText.user(ofStatus: text) == user)
    }

    @Test(arguments: [
        ("Pid:\t7\nNSpid:\t7\t12\t1\nNSpgid:\t7\t3\n", 1 as Int32?), ("NSpid:\t7\n", 7),
        ("Pid:\t7\n", nil), ("NSpid:\t", nil), ("NSpid:\tx\n", nil), ("NSpid:\t4294967296\n", nil),
    ])
    func theInnermostNumberIsTheLast(text: String, number: Int32?) {
        #expect(ProcessText.innermostNumber(ofStatus: text) == number)
    }

    @Test(arguments: [
        ("Pid:\t7\nTracerPid:\t9\nUid:\t0\n", 9 as Int32?), ("TracerPid:\t0\n", nil), ("TracerPid:\t", nil),
        ("Pid:\t7\n", nil),
    ])
    func theTracerIsNoneWhereItIs0(text: String, tracer: Int32?) {
        #expect(ProcessText.tracer(ofStatus: text) == tracer)
    }

    @Test(arguments: [
        ("Threads:\t1\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t7\n", 12 as UInt64?),
        ("nonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t3\n", 3),
        ("nonvoluntary_ctxt_switches:\t7\n", nil), ("voluntary_ctxt_switches:\t-1\n", nil), ("", nil),
    ])
    func theSwitchesOfThePreemptedAreNotVoluntary(text: String, count: UInt64?) {
        #expect(ProcessText.voluntarySwitches(ofStatus: text) == count)
    }

    @Test func aProcessIsInTheBackgroundOfATerminalThatAnotherGroupHas() {
        func isInBackground(_ terminal: Int, _ foreground: Int) -> Bool? {
            let fields = [1, 5, 5, terminal, foreground] + Array(repeating: 0, count: 14)
            let stat = "7 (a) S " + fields.map(String.init).joined(separator: " ")
            return ProcessText.row(ofStat: stat, pid: 7)?.isInBackground
        }
        #expect(
            isInBackground(4, 6) == true && isInBackground(4, 5) == false && isInBackground(0, -1) == false)
    }

    private static let manager = "/user.slice/user-1000.slice/user@1000.service"

    @Test(arguments: [
        ("0::\(manager)/app.slice/app-firefox-123.scope", "app-firefox-123.scope"),
        ("0::\(manager)/app.slice/app-org\\x2dfoo@1.service", "app-org\\x2dfoo@1.service"),
        ("0::\(manager)/app.slice/app-a.slice/vte-spawn-1.scope\n", "vte-spawn-1.scope"),
        ("0::\(manager)/xterm.service", "xterm.service"),
        ("0::\(manager)/app.slice/podman-1.scope/system.slice/nginx.service", "podman-1.scope"),
        ("0::\(manager)/app.slice/box.service/init.scope", "box.service"),
        ("0::\(manager)/app.slice/_cpu.service", "cpu.service"),
        ("0::/system.slice/kiosk.service", "kiosk.service"),
        ("9:cpu:/\n1:name=systemd:\(manager)/a.scope\n0::/", "a.scope"),
        ("1:name=systemd:/\n0::\(manager)/b.scope", "b.scope"), ("0::\(manager)/a:b.scope", "a:b.scope"),
    ])
    func theUnitIsTheFirstBelowItsManager(text: String, unit: String) {
        #expect(ProcessText.unit(ofCgroup: text) == unit)
    }

    @Test(arguments: [
        "", "0::/", "0::", "0:", "::", "5:cpu:\(manager)/a.scope", "0::\(manager)",
        "0::\(manager)/init.scope",
        "0::/user.slice/user-1000.slice/session-2.scope", "0::\(manager)/app.slice", "0::/a.scope (deleted)",
        "0::\(manager)/a\u{1b}[31m.scope", "0::\(manager)/a b.service", "0::/process_api/6410",
    ])
    func aSharedControlGroupIsNoUnit(text: String) {
        #expect(ProcessText.unit(ofCgroup: text) == nil)
    }
}

@Suite struct ProcessFactsTests {
    private func sleeper() throws -> Program {
        try Program("sleep", ["60"], package: "coreutils")
    }

    @Test func aProcessIsKnownByItsStart() throws {
        let before = Clock.sinceBoot()
        let sleeper = try sleeper()
        let after = Clock.sinceBoot()
        let identity = try #require(ProcessIdentity(pid: sleeper.pid))
        #expect(identity.pid == sleeper.pid && identity.isAlive)
        #expect(identity.started > before - .milliseconds(10) && identity.started <= after)
        var other = identity
        other.startTicks += 1
        #expect(!other.isAlive)
        try sleeper.end()
        #expect(!identity.isAlive)
    }

    @Test(arguments: [0, -1, .min, .max] as [Int32])
    func aNumberOfNoProcessIsNil(pid: Int32) {
        #expect(ProcessIdentity(pid: pid) == nil)
        #expect(ProcessFacts(pid: pid) == nil)
    }

    /// Hooks see the processes of the user that are older than the window, also those of the same tick.
    @Test func aProcessIsVisibleToItsUserOnceItHasStarted() throws {
        for _ in 0..<20 {
            let sleeper = try sleeper()
            let seen = Clock.sinceBoot()
            let facts = try #require(ProcessFacts(pid: sleeper.pid))
            #expect(facts.isVisible(windowSeen: seen))
            #expect(!facts.isVisible(windowSeen: seen, user: getuid() + 1))
            #expect(!facts.isVisible(windowSeen: facts.identity.started - .nanoseconds(1)))
            try sleeper.end()
        }
    }

    @Test func threadsAreCounted() throws {
        let sleeper = try sleeper()
        #expect(ProcessFacts(pid: sleeper.pid)?.threads == 1)
        try sleeper.end()
        let text = "Name:\ta\nTgid:\t7\nThreads:\t3\nSigQ:\t0/1\n"
        #expect(ProcessText.threads(ofStatus: text) == 3 && ProcessText.threads(ofStatus: "") == 1)
    }

    @Test func ticksAreCountedInSeconds() {
        let ticks = UInt64(sysconf(Int32(_SC_CLK_TCK)))
        #expect(ProcessIdentity(pid: 1, startTicks: 0).started == .zero)
        #expect(ProcessIdentity(pid: 1, startTicks: ticks * 3 + ticks / 2).started == .milliseconds(3500))
        #expect(ProcessIdentity(pid: 1, startTicks: .max).started > .seconds(1_000_000_000))
    }

    @Test func aProcessThatVanishesWhileItIsReadIsNil() throws {
        let sleeper = try sleeper()
        let folder = try #require(ProcessFolder(pid: sleeper.pid))
        #expect(folder.text("stat") != nil)
        try sleeper.end()
        #expect(folder.row == nil && folder.text("status") == nil)
    }
}
