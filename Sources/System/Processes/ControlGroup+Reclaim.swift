import Glibc

extension ControlGroup {
    /// How much is asked for at once: the call comes back only when it is done.
    private static let chunk: UInt64 = 32 << 20

    /// Has the kernel take back what memory can be used otherwise.
    ///
    /// - Parameter limit: How long it may take.
    /// - Returns: How many bytes less the group has.
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
            // The kernel has found less than that: no more will come.
            if errno == EAGAIN { break }
            if errno != EINTR { throw SystemError("memory.reclaim", errno) }
        }
        return before - min(before, memory ?? before)
    }

    private var memory: UInt64? {
        SystemString("\(path)/memory.current").firstLine.flatMap { UInt64($0) }
    }
}
