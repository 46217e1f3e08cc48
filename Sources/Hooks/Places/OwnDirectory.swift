import Console
import Glibc
import Loop
import PhaseWatch

/// A directory of the user's own, held open: no other directory can take the place of its name meanwhile.
struct OwnDirectory {
    let path: String
    let descriptor: Descriptor

    /// Opens a directory; it and its parents are made (0700) where they are missing.
    ///
    /// - Parameter forbidden: The mode bits that it must not have.
    init(making path: String, forbidding forbidden: mode_t) throws(FileError) {
        try Self.make(path)
        try self.init(at: path, forbidding: forbidden)
    }

    /// Opens a directory; nil if there is none.
    init?(existing path: String, forbidding forbidden: mode_t) throws(FileError) {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
        try self.init(at: path, forbidding: forbidden)
    }

    private init(at path: String, forbidding forbidden: mode_t) throws(FileError) {
        self.path = path
        // In /tmp anybody may have put a symbolic link there.
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        descriptor = try Descriptor("open", number, path: path)
        try descriptor.check(path, forbidding: forbidden)
    }

    /// Opens one of its files; nil if there is none.
    func open(_ name: String, _ flags: Int32) throws(FileError) -> Descriptor? {
        let number = openat(descriptor.number, name, flags | O_NOFOLLOW | O_CLOEXEC)
        if number < 0 && errno == ENOENT { return nil }
        return try Descriptor("open", number, path: path(of: name))
    }

    /// Opens one of its files, and makes it where it is missing.
    func create(_ name: String, _ flags: Int32, mode: mode_t) throws(FileError) -> Descriptor {
        let number = openat(descriptor.number, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode)
        return try Descriptor("open", number, path: path(of: name))
    }

    /// Gives one of its files another name, and takes that from the file that had it.
    func rename(_ name: String, to newName: String) throws(FileError) {
        guard renameat(descriptor.number, name, descriptor.number, newName) < 0 else { return }
        throw .failed(path: path(of: newName), SystemError("rename", errno))
    }

    /// Removes one of its files, if it is there.
    func remove(_ name: String) throws(FileError) {
        guard unlinkat(descriptor.number, name, 0) < 0, errno != ENOENT else { return }
        throw .failed(path: path(of: name), SystemError("unlink", errno))
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    private static func make(_ path: String) throws(FileError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let code = errno
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .failed(path: path, SystemError("mkdir", code))
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) < 0, errno != EEXIST else { return }
        throw .failed(path: path, SystemError("mkdir", errno))
    }
}
