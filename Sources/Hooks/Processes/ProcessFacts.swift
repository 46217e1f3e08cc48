import Glibc
import Loop

/// What /proc tells of a process to whom hooks want to be told of it.
public struct ProcessFacts: Hashable, Sendable {
    public var identity: ProcessIdentity
    /// The real user id.
    public var user: UInt32
    /// The systemd unit that it runs in and that it does not share with the whole session.
    public var unit: String?

    init(identity: ProcessIdentity, user: UInt32, unit: String? = nil) {
        self.identity = identity
        self.user = user
        self.unit = unit
    }

    /// nil if there is no such process, or if it cannot be seen.
    public init?(pid: Int32) {
        // The owner of /proc/PID will not do: it is root for each program that refuses core dumps.
        guard let folder = ProcessFolder(pid: pid), let identity = ProcessIdentity(folder),
            let user = folder.text("status").flatMap(ProcessText.user)
        else { return nil }
        self.init(identity: identity, user: user, unit: folder.text("cgroup").flatMap(ProcessText.unit))
    }

    /// Whether hooks may be told of it as the process of a window: it belongs to the user, and it was there
    /// before the window. A window can name any process.
    ///
    /// - Parameter moment: When the window was first seen, as `Clock.sinceBoot()`.
    public func mayBeTold(windowSeen moment: Duration, user: UInt32 = getuid()) -> Bool {
        self.user == user && identity.started <= moment
    }
}
