import FoundationEssentials
import Glibc
import PhaseWatch
import System
import TestDesktop
import Testing

@testable import Hooks
@testable import Service

/// Holds and their undo.
@Suite struct HoldTests {
    private func isStopped(_ child: Child) -> Bool {
        ProcessTable.current().rows[child.pid]?.isStopped ?? false
    }

    @Test func stoppedProcessesAreContinued() throws {
        let child = try Child("sleep", ["60"], package: "coreutils")
        let identity = try #require(ProcessIdentity(pid: child.pid))
        #expect(try identity.signal(SIGSTOP))
        #expect(waitUntil { isStopped(child) })
        #expect([Hold.stopped([identity])].undone().faults.isEmpty)
        #expect(waitUntil { !isStopped(child) })
        try child.end()
        #expect(try !identity.signal(SIGCONT))
        #expect([Hold.stopped([identity])].undone().faults.isEmpty)
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

    @Test(arguments: ["relative", "/sys/../etc", "/a\0b"])
    func aPathThatNobodyWroteIsRefused(path: String) {
        #expect(!Hold.frozen(path: path).isPlausible)
    }

    @Test func onlyWhatASoundServerRemembersOutlivesTheSystem() throws {
        let stream =
            #"{"index":4,"process":{"pid":9,"startTicks":1},"memory":"sink-input-by-application-name:A"}"#
        let muted = try JSONDecoder().decode(MutedStream.self, from: Data(stream.utf8))
        let holds = [Hold.frozen(path: "/a"), .slowed(unit: "a", weights: []), .muted(muted)]
        let left = holds.compactMap(\.afterBoot)
        #expect(left.count == 1 && left[0].muted != nil && left[0] != .muted(muted))
    }

    private static let mounts = """
        29 1 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw
        30 1 0:27 / /proc rw - proc proc rw
        """

    @Test(arguments: [
        ("0::/user.slice/user-7.slice/user@7.service/app.slice/app-slack-9.scope/x\n", "app-slack-9.scope"),
        ("1:cpu:/\n0::/system.slice/x.service\n", "x.service"),
    ])
    func theUnitOfAProcessIsFound(text: String, name: String) throws {
        let unit = try #require(ControlGroup(ofCgroup: text, mounts: Self.mounts))
        #expect(
            unit.name == name && unit.path.hasPrefix("/sys/fs/cgroup/") && unit.path.hasSuffix("/\(name)"))
    }

    @Test func whereAPartIsMountedThePathBeginsBelowIt() throws {
        let mounts = "29 1 0:26 /bücher.slice /sys/fs/cgroup rw - cgroup2 cgroup2 rw"
        let unit = try #require(ControlGroup(ofCgroup: "0::/bücher.slice/x.service\n", mounts: mounts))
        #expect(unit.path == "/sys/fs/cgroup/x.service")
    }

    @Test(arguments: ["0::/\n", "0::/user.slice/session-2.scope\n", "1:name=systemd:/x.service\n", ""])
    func aGroupOfTheWholeSessionIsNotTheProgramsOwn(text: String) {
        #expect(ControlGroup(ofCgroup: text, mounts: Self.mounts) == nil)
    }

    @Test func withoutTheHierarchyThereIsNone() {
        let legacy = "29 1 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu"
        #expect(ControlGroup(ofCgroup: "0::/x.scope\n", mounts: legacy) == nil)
        let part = "29 1 0:26 /container /sys/fs/cgroup rw - cgroup2 cgroup2 rw"
        #expect(ControlGroup(ofCgroup: "0::/x.scope\n", mounts: part) == nil)
    }
}
