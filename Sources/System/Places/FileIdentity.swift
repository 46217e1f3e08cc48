import Glibc

/// What distinguishes a file from all others that exist at the same time, whatever its path.
public struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// The file at a path, which may be a symbolic link; nil if there is none.
    public init?(_ path: SystemString) {
        var facts = stat()
        guard lstat(path.cString, &facts) == 0 else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }

    /// The open file; nil if it cannot be examined.
    public init?(_ file: Descriptor) {
        var facts = stat()
        guard fstat(file.number, &facts) == 0 else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}
