import Glibc

/// The limit of open files of this process, which somebody may lower while it runs. It is raised while something needs more.
public final class OpenFilesLimit {
    /// Room for further open files. It is given back once nothing refers to it.
    public final class Room {
        private let count: Int
        private let limit: OpenFilesLimit

        fileprivate init(_ count: Int, _ limit: OpenFilesLimit) {
            (self.count, self.limit) = (count, limit)
            limit.change(by: count)
        }

        deinit { limit.change(by: -count) }
    }

    /// Returns whether so many more files can be opened, by opening them.
    private let isFree: (Int) -> Bool
    /// The room that is given now, as if nothing used it yet.
    private var given = 0
    /// The room that was looked for since nothing needed any.
    private var looked = 0
    /// The limit before it was raised; nil while it is not.
    private var former: rlimit?

    public init(isFree: @escaping (Int) -> Bool = { (try? Descriptor.checkFree($0)) != nil }) {
        self.isFree = isFree
    }

    /// Raises the limit, as far as its hard limit permits, so that so many more can be opened, beside those that others
    /// need. The former limit returns with the last room.
    public func room(for count: Int) -> Room { Room(count, self) }

    private func change(by count: Int) {
        given += count
        if given == 0 {
            looked = 0
            if var limits = former { setrlimit(Self.resource, &limits) }
            former = nil
        } else if given > looked {
            // Twice as much as before: each of many rooms would open what all before it need, too.
            looked = max(given, 2 * looked)
            if !isFree(looked) { raise(by: looked) }
        }
    }

    private func raise(by count: Int) {
        var limits = rlimit()
        guard getrlimit(Self.resource, &limits) == 0 else { return }
        let least = limits.rlim_cur
        former = former ?? limits
        // Programs inherit the limit, and some try to close everything below it: so it is raised no further than needed.
        limits.rlim_cur = limits.rlim_max
        setrlimit(Self.resource, &limits)
        var spares: [Descriptor] = []
        while spares.count < count, let spare = try? Descriptor.spare() { spares.append(spare) }
        let needed = spares.last.map { rlim_t($0.number) + 1 } ?? 0
        limits.rlim_cur = max(least, needed)
        setrlimit(Self.resource, &limits)
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
