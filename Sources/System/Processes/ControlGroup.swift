import Glibc

/// A control group of version 2, as cgroups(7) describes it.
public struct ControlGroup: Hashable, Sendable {
    /// The size limit of the files to read, in bytes. A machine with many containers has a few hundred kB of mounts.
    private static let limit = 1 << 20
    private static let mounts: SystemString = "/proc/self/mountinfo"

    /// The directory of the group.
    public let path: String
    /// The name of its systemd unit.
    public var name: String { path.split(separator: "/").last.map { String($0) } ?? "" }

    /// Finds the unit that a process runs in, from the contents of `/proc/PID/cgroup` and `/proc/self/mountinfo`. Returns nil
    /// if there is none, if the whole session shares it, or without a version 2 hierarchy.
    public init?(ofCgroup text: String, mounts: String) {
        let line = ProcessText.lines(text).first { $0.starts(with: "0::/".utf8) }
        guard let line, let path = ProcessText.unitPath(ofPath: line.dropFirst(3)),
            let mount = Self.mount(in: mounts)
        else { return nil }
        // Only groups below the mounted subtree are visible.
        let root = mount.root == "/" ? "" : mount.root
        guard path.starts(with: (root + "/").utf8) else { return nil }
        self.path = mount.path + String(decoding: path.dropFirst(root.utf8.count), as: UTF8.self)
    }

    public init?(of pid: Int32) {
        guard let mounts = Self.text(Self.mounts), let text = ProcessFolder(pid: pid)?.text("cgroup")
        else { return nil }
        self.init(ofCgroup: text, mounts: mounts)
    }

    public init(path: String) { self.path = path }

    /// Finds the group at a path from the root of the hierarchy, as in /proc/PID/cgroup and in systemd.
    public init?(inHierarchy path: String) {
        guard let mounts = Self.text(Self.mounts), let mount = Self.mount(in: mounts)
        else { return nil }
        self.path = mount.path + (path == "/" ? "" : path)
    }

    /// Returns the processes of the group and of all groups below it; nil if they cannot be read.
    public func processes() -> [Int32]? {
        guard let text = Self.text("\(path)/cgroup.procs"), let names = SystemString(path).entryNames else {
            return nil
        }
        var pids = text.split(separator: "\n").compactMap { Int32($0) }
        for name in names {
            let below = ControlGroup(path: "\(path)/\(name)")
            // All other entries are files of the kernel.
            guard access("\(below.path)/cgroup.procs", F_OK) == 0 else { continue }
            guard let members = below.processes() else { return nil }
            pids += members
        }
        return pids
    }

    /// Whether the group is frozen; nil if it cannot be frozen.
    public var isFrozen: Bool? { Self.text("\(path)/cgroup.freeze").map { $0.hasPrefix("1") } }
    public var canBeFrozen: Bool { access("\(path)/cgroup.freeze", W_OK) == 0 }

    /// The controllers that may be enabled for child groups; nil if they cannot be read.
    public var controllers: [Substring]? {
        Self.text("\(path)/cgroup.controllers").map { $0.split { $0 == " " || $0 == "\n" } }
    }

    /// Returns whether a controller with weights is enabled for the group.
    public func has(_ controller: String) -> Bool { access("\(path)/\(controller).weight", F_OK) == 0 }

    public func setFrozen(_ isFrozen: Bool) throws(SystemError) {
        let file = try Descriptor("open", open("\(path)/cgroup.freeze", O_WRONLY | O_CLOEXEC))
        try SystemError.check("cgroup.freeze", write(file.number, isFrozen ? "1" : "0", 1))
    }

    /// Thaws the group; does nothing if it no longer exists.
    public func thaw() throws(SystemError) {
        do { try setFrozen(false) } catch  where error.code == ENOENT {}
    }

    static func text(_ path: SystemString) -> String? { path.contents(limit: limit) }

    /// Returns where the version 2 hierarchy is mounted, and which subtree of it.
    private static func mount(in text: String) -> (root: Substring, path: Substring)? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count, dash > 4 else { continue }
            if fields[dash + 1] == "cgroup2" { return (fields[3], fields[4]) }
        }
        return nil
    }
}
