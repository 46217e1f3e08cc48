import Glibc

/// A directory owned by the user. It is held open, so its files stay in it even if its path is replaced.
public struct OwnDirectory: Sendable {
    public let path: SystemString
    public let descriptor: Descriptor

    /// Opens a directory without the forbidden mode bits; creates it and its parents with mode 0700 if they are missing.
    public init(making path: SystemString, forbidding forbidden: mode_t) throws(SystemError) {
        self.path = path
        try Self.make(path)
        try Self.checkOwners(of: path)
        descriptor = try Descriptor(
            "open", Glibc.open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path: path)
        try descriptor.check(path, forbidding: forbidden)
    }

    /// Opens a file in the directory; creates it if it is missing.
    public func create(_ name: SystemString, _ flags: Int32, mode: mode_t) throws(SystemError) -> Descriptor {
        let flags = flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        return try Descriptor(
            "open", openat(descriptor.number, name.cString, flags, mode), path: path(of: name))
    }

    /// Opens an existing file in the directory, to read.
    public func open(_ name: SystemString) throws(SystemError) -> Descriptor {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC
        return try Descriptor("open", openat(descriptor.number, name.cString, flags), path: path(of: name))
    }

    /// Renames a file in the directory; replaces an existing file with the new name.
    public func rename(_ name: SystemString, to newName: SystemString) throws(SystemError) {
        try SystemError.check(
            "rename", renameat(descriptor.number, name.cString, descriptor.number, newName.cString),
            path: path(of: newName))
    }

    /// Creates a hard link to a file in the directory.
    public func link(_ name: SystemString, as other: SystemString) throws(SystemError) {
        try SystemError.check(
            "link", linkat(descriptor.number, name.cString, descriptor.number, other.cString, 0),
            path: path(of: other))
    }

    /// Removes a file from the directory, if it exists.
    public func remove(_ name: SystemString) throws(SystemError) {
        try SystemError.check(
            "unlink", unlinkat(descriptor.number, name.cString, 0), path: path(of: name), unless: ENOENT)
    }

    public func path(of name: SystemString) -> SystemString { path.entry(name) }

    /// Checks the owners of the directory and of the symbolic links at the end of its path. Anybody can create entries
    /// in a directory such as /tmp, but other users cannot replace those of the user and of root.
    private static func checkOwners(of path: SystemString) throws(SystemError) {
        for step in PathWalk(path) where step.isEnd {
            guard let entry = step.name.map(step.directory.entry) else { continue }
            var facts = stat()
            let result = try SystemError.check(
                "lstat", lstat(entry.cString, &facts), path: entry, unless: ENOENT)
            guard result == 0 else { throw .dangling(path: path) }
            let isLink = facts.st_mode & S_IFMT == S_IFLNK
            guard facts.st_uid == geteuid() || isLink && facts.st_uid == 0 else {
                throw .foreign(path: entry)
            }
        }
    }

    private static func make(_ path: SystemString) throws(SystemError) {
        let parent = path.directory
        do throws(SystemError) {
            return try makeOne(path)
        } catch {
            guard error.code == ENOENT, parent != path, parent != "/", parent != "." else { throw error }
        }
        try make(parent)
        do throws(SystemError) { try makeOne(path) } catch {
            throw error.code == ENOENT ? .dangling(path: parent) : error
        }
    }

    private static func makeOne(_ path: SystemString) throws(SystemError) {
        do throws(SystemError) {
            try SystemError.check("mkdir", mkdir(path.cString, 0o700), path: path, unless: EEXIST)
        } catch  where error.code == EACCES {
            throw .failed(path: closedDirectory(of: path), SystemError("mkdir", EACCES))
        }
    }

    /// Returns the directory above a path that this user may not enter, or else not write to.
    private static func closedDirectory(of path: SystemString) -> SystemString {
        let closed = PathWalk(path).lazy.map(\.directory).first { directory in
            faccessat(AT_FDCWD, directory.cString, X_OK, AT_EACCESS) != 0
        }
        return closed ?? path.directory
    }
}
