import Glibc
import Synchronization

extension SystemString {
    /// Returns the bytes of the file at this path; nil if it cannot be read or has more than `limit` bytes.
    func bytesOfFile(limit: Int) -> [UInt8]? {
        try? Descriptor("open", open(cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)).readAll(self, limit: limit)
    }

    /// Returns the text of the file in the same way.
    public func contents(limit: Int = 4096) -> String? {
        bytesOfFile(limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first line of the file at this path; nil if the file cannot be read.
    public var firstLine: String? { contents().map { String($0.prefix { $0 != "\n" }) } }
}

extension Descriptor {
    /// Opens a file as `init(_:_:)` does, but adds the path to the error.
    public convenience init(
        _ call: String, _ number: @autoclosure () -> Int32, path: @autoclosure () -> SystemString
    ) throws(SystemError) {
        do throws(SystemError) {
            try self.init(call, number())
        } catch {
            throw .failed(path: path(), error)
        }
    }

    /// Throws if the file belongs to another user or has one of the mode bits. The bit for writing by a group does not count
    /// if the group has no other members.
    @discardableResult
    public func check(_ path: SystemString, forbidding forbidden: mode_t) throws(SystemError) -> stat {
        var facts = stat()
        try SystemError.check("fstat", fstat(number, &facts), path: path)
        guard facts.st_uid == geteuid() else { throw .foreign(path: path) }
        let bits = facts.st_mode & ~(S_IWGRP | S_IWOTH) | facts.writableByOthers
        guard bits & forbidden == 0 else { throw .exposed(path: path) }
        return facts
    }

    /// Reads to the end of the file; returns nil if it has more than `limit` bytes.
    public func readAll(_ path: SystemString, limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = try SystemError.check("read", read(number, &chunk, chunk.count), path: path)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// Writes all bytes, without waiting for the disk.
    public func writeAll(_ path: SystemString, _ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try SystemError.check(
                "write", rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }, path: path)
            rest = rest.dropFirst(count)
        }
    }
}

extension stat {
    /// The mode bits with which users other than this one and root may write to the file. With umask 002, the group of a
    /// file may write to it, but has no other members.
    public var writableByOthers: mode_t {
        let bits = st_mode & (S_IWGRP | S_IWOTH)
        return bits & S_IWGRP != 0 && hasOwnGroup ? bits & ~S_IWGRP : bits
    }

    /// getgrgid(3), getpwnam(3) and getpwent(3) have one buffer and one position for all threads.
    private static let accounts = Mutex(())

    /// Whether this user and root are the only members of the group of the file.
    private var hasOwnGroup: Bool { Self.accounts.withLock { _ in isOfOwnGroup } }

    private var isOfOwnGroup: Bool {
        let users = [geteuid(), 0]
        guard let group = getgrgid(st_gid), var member = group.pointee.gr_mem else { return false }
        while let name = member.pointee {
            guard let user = getpwnam(name), users.contains(user.pointee.pw_uid) else { return false }
            member += 1
        }
        setpwent()
        defer { endpwent() }
        while let user = getpwent() {
            if user.pointee.pw_gid == st_gid && !users.contains(user.pointee.pw_uid) { return false }
        }
        return true
    }
}
