import Glibc

/// A raise of the limit of open files of this process, which somebody may lower while it runs.
public struct OpenFilesLimit {
    private let former: rlimit

    /// Raises the limit, as far as its hard limit permits, so that so many more can be opened; nil if they can be anyway.
    public init?(leaving count: Int) {
        if (try? Descriptor.checkFree(count)) != nil { return nil }
        var limits = rlimit()
        guard getrlimit(Self.resource, &limits) == 0 else { return nil }
        former = limits
        // Programs inherit the limit, and some try to close everything below it: so it is raised no further than needed.
        limits.rlim_cur = limits.rlim_max
        setrlimit(Self.resource, &limits)
        var spares: [Descriptor] = []
        while spares.count < count, let spare = try? Descriptor.spare() { spares.append(spare) }
        let needed = spares.last.map { rlim_t($0.number) + 1 } ?? 0
        limits.rlim_cur = max(former.rlim_cur, needed)
        setrlimit(Self.resource, &limits)
    }

    /// Sets the limit as it was.
    public func restore() {
        var limits = former
        setrlimit(Self.resource, &limits)
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
