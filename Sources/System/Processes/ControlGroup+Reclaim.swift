import Glibc

extension ControlGroup {
    /// The bytes to request at once: write(2) returns only when the kernel is done.
    private static let chunk: UInt64 = 32 << 20

    /// Asks the kernel to reclaim the memory of the group.
    ///
    /// - Parameter limit: The time limit.
    /// - Returns: The number of bytes by which the group has shrunk.
    public func reclaim(within limit: Duration = .seconds(10)) throws -> UInt64 {
        guard let before = memory else {
            throw SystemError.refused(
                "\(name) has no memory.current: the controller 'memory' of cgroup2 is off for it")
        }
        let number = open("\(path)/memory.reclaim", O_WRONLY | O_CLOEXEC)
        if number < 0 && errno == ENOENT {
            throw SystemError.refused("\(name) has no memory.reclaim: that comes with Linux 5.19")
        }
        let file = try Descriptor("memory.reclaim", number)
        let end = ContinuousClock.now + limit
        var left = before
        while left > 0 && .now < end {
            let wanted = min(left, Self.chunk)
            left -= wanted
            let text = Array("\(wanted)".utf8)
            if write(file.number, text, text.count) == text.count { continue }
            // The kernel has reclaimed less than requested: there is no more.
            if errno == EAGAIN { break }
            if errno != EINTR { throw SystemError("memory.reclaim", errno) }
        }
        return before - min(before, memory ?? before)
    }

    private var memory: UInt64? {
        SystemString("\(path)/memory.current").firstLine.flatMap { UInt64($0) }
    }
}
