import Glibc

/// The memory of a process that is not swapped out, in bytes, as `/proc/PID/statm` says it.
public struct ProcessMemory: Hashable, Sendable {
    /// Of its own.
    public var own: Int
    /// Of files and of what several processes have.
    public var shared: Int

    /// nil once it is gone.
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
