import Glibc
import Synchronization
import System

/// A watch for changes of files and directories, including those that do not exist yet.
///
/// inotify(7) watches the entry of each path in its directory, and that directory itself: its parent may be one in which
/// other programs write all the time. If the directory is a symbolic link, its entry in the parent is watched, too. If it
/// does not exist, its nearest existing ancestor is watched instead. The target of a symbolic link is watched in the same
/// way, and a directory with all its entries. Directories replaced further up and mounts are not noticed.
///
/// `update` may wait for a disk, and may run on another thread than the rest.
final class FileWatch: Sendable {
    /// A directory entry to watch.
    private struct Entry: Hashable {
        var directory: SystemString
        /// nil for all entries.
        var name: SystemString?
        /// Whether writes to the entry count, besides its creation and removal.
        var isEnd: Bool
    }

    private static let stepMask =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let endMask = IN_MODIFY | IN_CLOSE_WRITE
    // A directory has a single watch, which several paths may share.
    private static let options = IN_ONLYDIR | IN_MASK_ADD

    private let inotify: Descriptor
    private let paths: [SystemString]
    /// The relevant entries, keyed by the watch of their directory; nil during an update, when every event counts.
    private let watched = Mutex<[Int32: Set<SystemString?>]?>([:])

    init(paths: [SystemString]) throws(SystemError) {
        self.paths = paths
        inotify = try .fileEvents()
        try update()
    }

    /// For poll(2).
    var descriptor: Int32 { inotify.number }

    /// Reads events without blocking, and returns whether one of the paths may have changed, so that `update` is due. If
    /// events are left, poll(2) reports the descriptor again.
    func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(inotify.number, &buffer, buffer.count)
        guard count > 0 else { return false }
        guard let watched = watched.withLock(\.self) else { return true }
        return Self.isRelevant(buffer[..<count], watched)
    }

    /// Whether one of these events is about a watched entry.
    private static func isRelevant(
        _ events: ArraySlice<UInt8>, _ watched: [Int32: Set<SystemString?>]
    ) -> Bool {
        var rest = events
        while rest.count >= MemoryLayout<inotify_event>.size {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
            // Of a directory itself, it is empty.
            let name = SystemString(bytes: rest.prefix(Int(event.len)).prefix { $0 != 0 })
            rest = rest.dropFirst(Int(event.len))
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            // The end of a watch follows an event about the directory.
            guard event.mask & UInt32(IN_IGNORED) == 0, let names = watched[event.wd] else { continue }
            if event.len == 0 || names.contains(nil) || names.contains(name) { return true }
        }
        return false
    }

    /// Watches what has become part of a path, or the target of a link.
    ///
    /// - Throws: `SystemError` if a new directory cannot be watched.
    func update() throws(SystemError) {
        let old = watched.withLock { exchange(&$0, with: nil) } ?? [:]
        var new: [Int32: Set<SystemString?>] = [:]
        var entries: Set<Entry> = []
        defer { watched.withLock { $0 = new } }
        // Repeats until no new entry appears: paths may be created during a pass.
        while true {
            let present = Set(paths.flatMap { Self.entries(of: $0) })
            if present.isSubset(of: entries) { break }
            for entry in present.subtracting(entries) {
                if let watch = try add(entry) { new[watch, default: []].insert(entry.name) }
            }
            entries = present
        }
        for watch in old.keys where new[watch] == nil { inotify_rm_watch(inotify.number, watch) }
    }

    /// - Parameter links: The number of symbolic links to follow; the default is the kernel's limit.
    private static func entries(of path: SystemString, links: Int = 40) -> [Entry] {
        var next = path
        while next.directory != next, access(next.directory.cString, F_OK) != 0 { next = next.directory }
        let steps = next.directory.linkTarget == nil ? [next] : [next, next.directory]
        let entries = steps.map {
            Entry(directory: $0.directory, name: $0.components.last, isEnd: $0 == path)
        }
        if let target = path.linkTarget, links > 0 {
            let target = target.isAbsolute ? target : path.directory.entry(target)
            return entries + Self.entries(of: target, links: links - 1)
        }
        var facts = stat()
        guard stat(path.cString, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return entries }
        return entries + [Entry(directory: path, name: nil, isEnd: true)]
    }

    /// Adds a watch; returns nil if the directory is not readable or no longer exists.
    private func add(_ entry: Entry) throws(SystemError) -> Int32? {
        let mask = Self.options | Self.stepMask | (entry.isEnd ? Self.endMask : 0)
        do throws(SystemError) {
            return try SystemError.check(
                "inotify_add_watch",
                inotify_add_watch(inotify.number, entry.directory.cString, UInt32(mask)))
        } catch {
            guard error.code == ENOSPC || error.code == ENOMEM else { return nil }
            throw .unwatched(path: entry.directory, error)
        }
    }
}

extension Descriptor {
    /// Opens a non-blocking instance of inotify(7).
    static func fileEvents() throws(SystemError) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor("inotify_init1", inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        } catch {
            throw .unwatched(path: nil, error)
        }
    }
}
