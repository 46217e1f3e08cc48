import Glibc

/// The resident memory of a process in bytes, from `/proc/PID/statm`.
public struct ProcessMemory: Hashable, Sendable {
    /// Anonymous memory.
    public var own: Int
    /// File mappings and shared memory.
    public var shared: Int

    /// Reads the sizes; nil once the process is gone.
    public init?(_ pid: Int32) {
        let path: SystemString = "/proc/\(pid)/statm"
        guard
            let bytes = try? Descriptor("open", open(path.cString, O_RDONLY | O_CLOEXEC)).readAll(
                path, limit: 256)
        else { return nil }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard pages.count > 2 else { return nil }
        let size = sysconf(Int32(_SC_PAGESIZE))
        (own, shared) = (max(0, pages[1] - pages[2]) * size, pages[2] * size)
    }
}
