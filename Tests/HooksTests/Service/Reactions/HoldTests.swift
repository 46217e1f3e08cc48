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
