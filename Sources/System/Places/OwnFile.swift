import Glibc

extension Descriptor {
    /// Adds the path to the error.
    public convenience init(_ call: String, _ number: Int32, path: SystemString) throws(FileError) {
        do {
            try self.init(call, number)
        } catch {
            throw .failed(path: path, error)
        }
    }

    /// Throws if the file belongs to another user or has one of the mode bits.
    @discardableResult
    public func check(_ path: SystemString, forbidding forbidden: mode_t) throws(FileError) -> stat {
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw .failed(path: path, SystemError("fstat", errno)) }
        guard facts.st_uid == geteuid() else { throw .foreign(path: path) }
        guard facts.st_mode & forbidden == 0 else { throw .exposed(path: path) }
        return facts
    }

    /// Reads to the end; nil if the file has more than `limit` bytes.
    public func readAll(_ path: SystemString, limit: Int) throws(FileError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { chunk, size in
                count = read(number, chunk.baseAddress, chunk.count)
                size = max(0, count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, SystemError("read", errno)) }
            if count == 0 { return bytes }
            bytes += chunk
        }
        return nil
    }

    /// Writes all, without waiting for the disk.
    public func writeAll(_ path: SystemString, _ bytes: [UInt8]) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, SystemError("write", errno)) }
            rest = rest.dropFirst(count)
        }
    }
}

/// Why xphase cannot use a file or a directory of its own.
public enum FileError: Error, Equatable, CustomStringConvertible {
    case failed(path: SystemString, SystemError)
    /// It belongs to another user.
    case foreign(path: SystemString)
    /// Its mode lets others in.
    case exposed(path: SystemString)
    /// It is a symbolic link to something that is not there.
    case dangling(path: SystemString)
    /// It is no regular file.
    case noFile(path: SystemString)
    /// More than this many bytes.
    case tooLarge(path: SystemString, limit: Int)
    case noHome
    /// Changes of a directory, or of any, are not noticed.
    case unwatched(path: SystemString?, SystemError)

    public var description: String {
        switch self {
        case .failed(let path, let error):
            "cannot use '\(path)' (\(error)): "
                + ([ENOSPC, EDQUOT].contains(error.code)
                    ? "free some space on its disk" : "look what is there and who owns it")
        case .foreign(let path):
            "'\(path)' belongs to another user: remove it or have it removed"
        case .exposed(let path):
            "'\(path)' is open to others: see that nobody changed it, then chmod go= \(path.quotedForShell)"
        case .dangling(let path):
            "'\(path)' is a symbolic link to something that is not there: create that, or remove the link"
        case .noFile(let path):
            "'\(path)' is no regular file: move it away"
        case .tooLarge(let path, let limit):
            "'\(path)' would have more than \(limit) bytes: have fewer pairs at a time"
        case .noHome:
            "HOME is not set: set it, or XDG_STATE_HOME"
        case .unwatched(nil, let error):
            "cannot watch files (\(error)): raise fs.inotify.max_user_instances with sysctl"
        case .unwatched(let path?, let error):
            "cannot watch '\(path)' (\(error)): raise fs.inotify.max_user_watches with sysctl"
        }
    }
}
