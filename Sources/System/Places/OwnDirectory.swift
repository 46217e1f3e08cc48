import Glibc

/// A directory that belongs to the user, held open so that its files stay in it even if its path is replaced.
public struct OwnDirectory {
    public let path: SystemString
    public let descriptor: Descriptor

    /// Opens a directory; creates it and its parents with mode 0700 if they are missing.
    ///
    /// - Parameter forbidden: Mode bits that the directory must not have.
    public init(making path: SystemString, forbidding forbidden: mode_t) throws(SystemError) {
        try Self.make(path)
        try self.init(at: path, forbidding: forbidden)
    }

    private init(at path: SystemString, forbidding forbidden: mode_t) throws(SystemError) {
        self.path = path
        try Self.checkOwners(of: path)
        let number = Glibc.open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        descriptor = try Descriptor("open", number, path: path)
        try descriptor.check(path, forbidding: forbidden)
    }

    /// Opens a file of the directory; creates it if it is missing.
    public func create(_ name: SystemString, _ flags: Int32, mode: mode_t) throws(SystemError) -> Descriptor {
        let number = openat(descriptor.number, name.cString, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode)
        return try Descriptor("open", number, path: path(of: name))
    }

    /// Renames a file of the directory, and replaces a file with the new name.
    public func rename(_ name: SystemString, to newName: SystemString) throws(SystemError) {
        guard renameat(descriptor.number, name.cString, descriptor.number, newName.cString) < 0 else {
            return
        }
        throw .failed(path: path(of: newName), SystemError("rename", errno))
    }

    /// Writes a file that is there as a whole or not at all.
    ///
    /// - Parameter isSynced: It is also to be on disk, which takes a while.
    public func replace(
        _ name: SystemString, with bytes: [UInt8], mode: mode_t, isSynced: Bool = true
    ) throws(SystemError) {
        let draft: SystemString = ".\(name).new"
        try remove(draft)
        do throws(SystemError) {
            let file = try create(draft, O_WRONLY | O_EXCL, mode: 0o600)
            try file.writeAll(path(of: draft), bytes)
            guard fchmod(file.number, mode) == 0, !isSynced || fsync(file.number) == 0 else {
                throw .failed(path: path(of: draft), SystemError("fsync", errno))
            }
            try rename(draft, to: name)
        } catch {
            try? remove(draft)
            throw error
        }
        // Some file systems have no fsync(2) for directories, vboxsf say.
        if isSynced, fsync(descriptor.number) < 0, errno != EINVAL {
            throw .failed(path: path, SystemError("fsync", errno))
        }
    }

    /// Gives a file of the directory another name besides its own.
    public func link(_ name: SystemString, as other: SystemString) throws(SystemError) {
        guard linkat(descriptor.number, name.cString, descriptor.number, other.cString, 0) < 0 else { return }
        throw .failed(path: path(of: other), SystemError("link", errno))
    }

    /// Removes a file of the directory, if it exists.
    public func remove(_ name: SystemString) throws(SystemError) {
        guard unlinkat(descriptor.number, name.cString, 0) < 0, errno != ENOENT else { return }
        throw .failed(path: path(of: name), SystemError("unlink", errno))
    }

    /// A path that leads into this very directory, and is short enough for a socket.
    public func shortPath(of name: SystemString) -> SystemString {
        "/proc/self/fd/\(descriptor.number)/\(name)"
    }

    public func path(of name: SystemString) -> SystemString { path.entry(name) }

    /// Checks the directory and the symbolic links that lead to it. In a directory such as /tmp anybody can create
    /// them, but only the user and root can replace their own.
    private static func checkOwners(of path: SystemString) throws(SystemError) {
        for place in PathWalk(path) where place.isEnd {
            guard let entry = place.name.map(place.directory.entry) else { continue }
            var facts = stat()
            guard lstat(entry.cString, &facts) == 0 else {
                throw errno == ENOENT
                    ? .dangling(path: path) : .failed(path: entry, SystemError("lstat", errno))
            }
            let isLink = facts.st_mode & S_IFMT == S_IFLNK
            guard facts.st_uid == geteuid() || isLink && facts.st_uid == 0 else {
                throw .foreign(path: entry)
            }
        }
    }

    private static func make(_ path: SystemString) throws(SystemError) {
        if mkdir(path.cString, 0o700) == 0 || errno == EEXIST { return }
        let code = errno
        let parent = path.directory
        guard code == ENOENT, parent != path, parent != "/", parent != "." else {
            throw .failed(path: path, SystemError("mkdir", code))
        }
        try make(parent)
        guard mkdir(path.cString, 0o700) < 0, errno != EEXIST else { return }
        throw errno == ENOENT ? .dangling(path: parent) : .failed(path: path, SystemError("mkdir", errno))
    }
}
