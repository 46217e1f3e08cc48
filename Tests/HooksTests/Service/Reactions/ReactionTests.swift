import FoundationEssentials
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// The names and values that reactions use.
@Suite struct ReactionTests {
    @Test(arguments: [
        ("1%", 1), ("20%", 20), ("10000%", 10_000), ("0%", nil), ("10001%", nil), ("20", nil), ("%", nil),
        ("+20%", nil), ("020%", nil), ("2 %", nil), ("20.5%", nil), ("99999999999999999999%", nil), ("", nil),
        ("1%\nMemoryMax=1", nil),
    ])
    func aCapIsAPercentageOfOneProcessor(text: String, percent: Int?) throws {
        let cap = percent.map { "\($0)%" }
        #expect(ProcessorCap(rawValue: text)?.rawValue == cap)
        // A peer may send any value.
        let decoded = try? JSONDecoder().decode([ProcessorCap].self, from: JSONEncoder().encode([text]))
        #expect(decoded?.first?.rawValue == cap)
    }

    @Test(arguments: [
        ("sink-input-by-application-name:A: b", "application.name", "A: b"),
        ("sink-input-by-media-role:music", "media.role", "music"), ("sink-input-by-other:a", nil, nil),
        ("source-output-by-media-role:a", nil, nil), ("", nil, nil),
    ])
    func theRuleThatRestoresAStreamNamesAProperty(memory: String, kind: String?, value: String?) {
        let property = MutedStream.property(of: memory)
        #expect(property?.kind == kind && property.map { String($0.value) } == value)
    }

    /// The server mutes them, too, since it has stored the mute.
    @Test func streamsThatBeginLaterAreUnmuted() throws {
        let memory = "sink-input-by-application-name:A"
        func stream(_ index: Int, _ pid: Int32, _ memory: String) -> String {
            #"{"index":\#(index),"corked":false,"mute":true,"properties":{"application.process.id":"\#(pid)","#
                + #""module-stream-restore.id":"\#(memory)"}}"#
        }
        let number = try #require(ProcessFacts.innermostNumber(of: getpid()))
        let text = [
            (3, number, memory), (4, number, memory), (5, number, memory), (6, 0, memory), (7, number, "b"),
        ]
        .map(stream).joined(separator: ",")
        let present = try JSONDecoder().decode([AudioStream].self, from: Data("[\(text)]".utf8))
        let process = try #require(ProcessIdentity(pid: getpid()))
        func unmuted(_ index: Int, _ memory: String?) -> [[String]] {
            let muted = MutedStream(index: index, process: process, memory: memory)
            let (heard, forgotten) = [muted].toUnmute(among: present, of: [process])
            return [heard.map { "\($0.index)" }, forgotten.sorted()]
        }
        #expect(unmuted(4, memory) == [["4", "5"], []] && unmuted(4, nil) == [["4"], []])
        #expect(unmuted(2, memory) == [["3", "4", "5"], []] && unmuted(8, memory) == [[], [memory]])
    }

    @Test func aScopeIsNamedAsDesktopEnvironmentsNameTheirs() {
        #expect(ApplicationScope.escaped("Org-x/ü 2.0") == "Org\\x2dx\\x2f\\xc3\\xbc\\x202.0")
        #expect(ApplicationScope.escaped(".a") == "\\x2ea")
    }

    @Test func aUnitHasThePathOfItsObject() {
        #expect(UserUnits.escaped("app-a_1.scope") == "app_2da_5f1_2escope")
        #expect(UserUnits.escaped("1a.service") == "_31a_2eservice")
    }
}

/// Inhibitors that keep the session from being idle.
@Suite struct InhibitorTests {
    private static func row(_ what: String, _ mode: String, _ pid: UInt64 = 7) -> [BusValue] {
        [what, "player", "a film", mode].map { .text($0) } + [.number(1000), .number(pid)]
    }

    @Test(arguments: [
        (row("idle", "block"), Inhibitor(pid: 7)),
        (row("shutdown:idle:sleep", "block-weak"), Inhibitor(pid: 7)),
        (row("sleep", "block"), Inhibitor(pid: 7, stopsIdle: false)), (row("idle", "delay"), nil),
        (row("handle-lid-switch", "block"), nil), (row("idler", "block"), nil), (row("", ""), nil),
        (row("idle", "block", 4_294_967_295), Inhibitor()), ([], nil), ([.text("idle")], nil),
        (Array(repeating: .number(1), count: 6), nil),
    ])
    func aRowOfLogind(row: [BusValue], inhibitor: Inhibitor?) {
        #expect(Inhibitor(login: row) == inhibitor)
    }

    @Test(arguments: [
        (Inhibitor(pid: 7), true), (Inhibitor(pid: 8), false), (Inhibitor(window: 3), true),
        (Inhibitor(window: 4), false), (Inhibitor(name: "chat"), true), (Inhibitor(name: "Chatter"), false),
        (Inhibitor(pid: 8, window: 3, name: "other"), true), (Inhibitor(), false),
    ])
    func anInhibitorIsOfAnApplicationByProcessWindowOrName(inhibitor: Inhibitor, isOwn: Bool) {
        #expect(inhibitor.isOf([7], [3], "Chat") == isOwn)
    }
}

/// Holds and their undo.
@Suite struct HoldTests {
    private func isStopped(_ child: Child) -> Bool {
        ProcessTable.current().rows[child.pid]?.isStopped ?? false
    }

    /// The pid has been reused by another process.
    @Test func nobodyElsesProcessIsSignalled() throws {
        let child = try Child("sleep", ["60"], package: "coreutils")
        var identity = try #require(ProcessIdentity(pid: child.pid))
        identity.startTicks -= 1
        for signal in [SIGSTOP, SIGKILL] { #expect(try !identity.signal(signal)) }
        #expect(!isStopped(child))
        for pid in [0, -1, 1, .min] as [Int32] {
            #expect(try !ProcessIdentity(pid: pid, startTicks: 0).signal(SIGCONT))
        }
        try child.end(SIGTERM)
    }

    /// The system may have moved the processes since the question.
    @Test func aUnitIsCheckedAgainBeforeItIsFrozen() throws {
        let child = try Child("sleep", ["60"], package: "coreutils")
        let hold = Hold.frozen(path: "/sys/fs/cgroup/app-former.scope")
        let plan = FreezePlan(
            table: .current(), roots: [child.pid], others: [:], fellows: [], application: "A",
            isNamed: true, server: nil, managers: [])
        #expect([hold].frozen(plan) == .later("its unit has changed"))
        try child.end(SIGTERM)
    }

    /// The last hold is undone first.
    @Test func oneThatCannotBeUndoneKeepsNoOtherInForce() throws {
        let folder = try TemporaryFolder()
        // It cannot be opened for writing.
        mkdir(folder("cgroup.freeze"), 0o700)
        let child = try Child("sleep", ["60"], package: "coreutils")
        let stopped = Hold.stopped([try #require(ProcessIdentity(pid: child.pid))])
        child.send(SIGSTOP)
        #expect(waitUntil { isStopped(child) })
        let (left, faults) = [stopped, .frozen(path: folder.path)].undone()
        #expect(left == [.frozen(path: folder.path)] && faults.count == 1)
        #expect(waitUntil { !isStopped(child) })
        try child.end(SIGTERM)
    }

    /// A shell takes a job that is still stopped for one that the user has stopped.
    @Test func aParentNeverSeesItsChildStopped() throws {
        let script = """
            import os, time
            child = os.fork()
            if child == 0: time.sleep(60)
            print(child, flush=True)
            _, status = os.waitpid(child, os.WUNTRACED)
            print("stopped" if os.WIFSTOPPED(status) else "ended")
            """
        let parent = try Child("python3", ["-c", script], package: "python3")
        let pids = [parent.pid, try #require(try parent.output.next().flatMap { Int32($0) })]
        let processes = try pids.map { try #require(ProcessIdentity(pid: $0)) }
        for process in processes {
            try process.signal(SIGSTOP)
            #expect(waitUntil { ProcessTable.row(of: process.pid)?.isStopped == true })
        }
        // The first one that is continued has time to run.
        let gone = [ProcessIdentity](repeating: ProcessIdentity(pid: .max, startTicks: 0), count: 50_000)
        #expect([Hold.stopped([processes[0]] + gone + [processes[1]])].undone().faults.isEmpty)
        try processes[1].signal(SIGTERM)
        #expect(try parent.output.next() == "ended")
        _ = try parent.exitCode()
    }

    /// A record may contain anything.
    @Test(
        arguments: [
            (.limited(unit: "a.scope", by: .slow, former: [50, .max]), true),
            (.limited(unit: "a.scope", by: .slow, former: [50]), false),
            (.limited(unit: "--all", by: .slow, former: [50, 50]), false),
            (.limited(unit: "a.scope", by: .cap, former: [200_000]), true),
            (.limited(unit: "a\0b", by: .cap, former: [0]), false),
            (.limited(unit: "a.scope", by: .freeze, former: []), false), (.frozen(path: "relative"), false),
            (.frozen(path: "/sys/../etc"), false), (.frozen(path: "/a\0b"), false),
        ] as [(Hold, Bool)])
    func onlyUnitsAndPathsAreRestored(hold: Hold, isPlausible: Bool) {
        #expect(hold.isPlausible == isPlausible)
    }

    @Test func onlyWhatASoundServerRemembersOutlivesTheSystem() throws {
        let stream =
            #"{"index":4,"process":{"pid":9,"startTicks":1},"memory":"sink-input-by-application-name:A"}"#
        let muted = try JSONDecoder().decode(MutedStream.self, from: Data(stream.utf8))
        let holds = [Hold.frozen(path: "/a"), .limited(unit: "a", by: .slow, former: []), .muted(muted)]
        let left = holds.compactMap(\.afterBoot)
        #expect(left.count == 1 && left[0].muted != nil && left[0] != .muted(muted))
    }

    private static let slack = "/user.slice/user-7.slice/user@7.service/app.slice/app-slack-9.scope"
    private static let mounts = """
        29 1 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw
        30 1 0:27 / /proc rw - proc proc rw
        """

    @Test(
        arguments: [
            ("0::\(slack)/x\n", mounts, "/sys/fs/cgroup\(slack)"),
            ("1:cpu:/\n0::/system.slice/x.service\n", mounts, "/sys/fs/cgroup/system.slice/x.service"),
            // Where a part of the hierarchy is mounted, the path begins below that part.
            (
                "0::/bücher.slice/x.service\n",
                "29 1 0:26 /bücher.slice /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/sys/fs/cgroup/x.service"
            ),
            ("0::/x.scope\n", "29 1 0:26 /container /sys/fs/cgroup rw - cgroup2 cgroup2 rw", nil),
            ("0::/x.scope\n", "29 1 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu", nil),
            // A group of the whole session is not the program's own.
            ("0::/\n", mounts, nil), ("0::/user.slice/session-2.scope\n", mounts, nil),
            ("1:name=systemd:/x.service\n", mounts, nil), ("", mounts, nil),
        ] as [(String, String, String?)])
    func theUnitOfAProcessIsFound(text: String, mounts: String, path: String?) {
        #expect(ControlGroup(ofCgroup: text, mounts: mounts)?.path == path)
    }
}
