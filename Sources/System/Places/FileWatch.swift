import Glibc

/// Notices changes of files and directories, also of those that do not exist yet.
///
/// For each path, inotify(7) watches its directory and the name of that, or the nearest directory that exists; the same for
/// what a link in its place names; and a directory itself. What is replaced further up is not noticed, nor are mounts.
public final class FileWatch {
    /// An entry of a directory.
    private struct Place: Hashable {
        var directory: SystemString
        /// nil for every entry.
        var name: SystemString?
        /// What is written into it counts, and not only that it comes and goes.
        var isEnd: Bool
    }

    private static let stepMask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
    private static let endMask = IN_MODIFY | IN_CLOSE_WRITE
    // Two paths may lead through one directory, which has one watch.
    private static let options = IN_ONLYDIR | IN_MASK_ADD

    private let inotify: Descriptor
    private let paths: [SystemString]
    /// The entries whose events count, by the watch of their directory.
    private var watched: [Int32: Set<SystemString?>] = [:]
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    public init(paths: [SystemString]) throws(SystemError) {
        self.paths = paths
        do {
            inotify = try Descriptor("inotify_init1", inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        } catch {
            throw .unwatched(path: nil, error)
        }
        try updateWatches()
    }

    /// For poll(2).
    public var descriptor: Int32 { inotify.number }

    /// Reads events without blocking, and returns whether one of the paths may have changed. If events are left,
    /// poll(2) reports the descriptor again.
    ///
    /// - Throws: `SystemError` if a new directory cannot be watched. The paths have changed then, too.
    public func read() throws(SystemError) -> Bool {
        let count = Glibc.read(inotify.number, &buffer, buffer.count)
        guard count > 0, FileEvents(buffer[..<count]).contains(where: isRelevant) else { return false }
        try updateWatches()
        return true
    }

    private func isRelevant(_ event: FileEvents.Event) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let names = watched[event.watch] else { return false }
        return names.contains(nil) || names.contains(event.name)
    }

    private func updateWatches() throws(SystemError) {
        var new: [Int32: Set<SystemString?>] = [:]
        var places: Set<Place> = []
        // What comes while it looks is found by another look.
        while true {
            let present = Set(paths.flatMap { Self.places(of: $0) })
            if present.isSubset(of: places) { break }
            for place in present.subtracting(places) {
                if let watch = try add(place) { new[watch, default: []].insert(place.name) }
            }
            places = present
        }
        for watch in watched.keys where new[watch] == nil { inotify_rm_watch(inotify.number, watch) }
        watched = new
    }

    /// - Parameter links: How many are followed; the limit of the kernel.
    private static func places(of path: SystemString, links: Int = 40) -> [Place] {
        var next = path
        while next.directory != next, access(next.directory.cString, F_OK) != 0 { next = next.directory }
        let places = [next, next.directory].map {
            Place(directory: $0.directory, name: $0.components.last, isEnd: $0 == path)
        }
        if let target = path.linkTarget, links > 0 {
            let target = target.isAbsolute ? target : path.directory.entry(target)
            return places + Self.places(of: target, links: links - 1)
        }
        var facts = stat()
        guard stat(path.cString, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return places }
        return places + [Place(directory: path, name: nil, isEnd: true)]
    }

    /// Adds a watch; nil if the directory may not be read or does not exist any more.
    private func add(_ place: Place) throws(SystemError) -> Int32? {
        let mask = Self.options | Self.stepMask | (place.isEnd ? Self.endMask : 0)
        let watch = inotify_add_watch(inotify.number, place.directory.cString, UInt32(mask))
        if watch >= 0 { return watch }
        guard errno == ENOSPC || errno == ENOMEM else { return nil }
        throw .unwatched(path: place.directory, SystemError("inotify_add_watch", errno))
    }
}

/// The inotify(7) events in the bytes of one read(2).
struct FileEvents: Sequence, IteratorProtocol {
    struct Event: Hashable {
        var watch: Int32
        var mask: UInt32
        /// The entry of the watched directory; empty for the directory itself.
        var name: SystemString
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func next() -> Event? {
        let headSize = MemoryLayout<inotify_event>.size
        guard rest.count >= headSize else { return nil }
        let head = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
        rest = rest.dropFirst(headSize)
        let name = rest.prefix(Int(head.len)).prefix { $0 != 0 }
        rest = rest.dropFirst(Int(head.len))
        return Event(watch: head.wd, mask: head.mask, name: SystemString(bytes: name))
    }
}
