import Glibc

/// A user in whose environment root is, by sudo(8) or su(1). What root leaves in the user's directories, the user cannot
/// remove, and what it starts serves the user's display beside the user's own.
public struct OtherUser: Equatable {
    public let name: String
    /// A file of the user that the environment names; nil if only sudo(8) names the user.
    public let path: SystemString?
}

extension Environment {
    /// The other user in whose environment root is; nil for every other user, and in root's own environment.
    public var otherUser: OtherUser? {
        guard geteuid() == 0 else { return nil }
        let directories = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].map(absolutePath) + [removedRuntime]
        for path in directories.compactMap(\.self) {
            if let owner = path.ownerOfPlace, owner != 0, let name = owner.account {
                return OtherUser(name: name, path: path)
            }
        }
        guard let id = self["SUDO_UID"]?.text, id != "0", let name = self["SUDO_USER"]?.text else {
            return nil
        }
        // A session of root that sudo(8) has started has an authority file of root.
        return self["XAUTHORITY"]?.ownerOfPlace == 0 ? nil : OtherUser(name: name, path: nil)
    }
}

extension uid_t {
    /// The name of the user; nil for a number without an account, and for the one that a container shows for all unknown
    /// users.
    fileprivate var account: String? {
        if SystemString("/proc/sys/kernel/overflowuid").contents() == "\(self)\n" { return nil }
        return getpwuid(self).map { String(cString: $0.pointee.pw_name) }
    }
}

extension SystemString {
    /// The owner of the file at this path, or else of the nearest directory above it.
    fileprivate var ownerOfPlace: uid_t? {
        var (path, facts) = (self, stat())
        while stat(path.cString, &facts) != 0 {
            let parent = path.directory
            if parent == path { return nil }
            path = parent
        }
        return facts.st_uid
    }
}
