import Console
import Glibc
import Loop
import PhaseWatch

extension Descriptor {
    /// Names the path in the error.
    convenience init(_ call: String, _ number: Int32, path: String) throws(FileError) {
        do {
            try self.init(call, number)
        } catch {
            throw .failed(path: path, error)
        }
    }

    /// Refuses what belongs to another user or has one of the mode bits.
    @discardableResult
    func check(_ path: String, forbidding forbidden: mode_t) throws(FileError) -> stat {
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw .failed(path: path, SystemError("fstat", errno)) }
        guard facts.st_uid == geteuid() else { throw .foreign(path: path) }
        guard facts.st_mode & forbidden == 0 else { throw .exposed(path: path) }
        return facts
    }

    /// All up to its end; nil if that is more than `limit` bytes.
    func readAll(_ path: String, limit: Int) throws(FileError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = read(number, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, SystemError("read", errno)) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// Writes all, without waiting for the disk.
    func writeAll(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path: path, SystemError("write", errno)) }
            rest = rest.dropFirst(count)
        }
    }
}
