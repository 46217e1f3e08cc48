import Console
import Glibc
import Loop
import PhaseWatch

/// Tells when files or directories may have changed, also those that are not there yet.
///
/// Of a directory any entry counts. Every directory on the way to them is watched, through symbolic links,
/// for the one name that leads on: a rename over any part of the path is seen. A directory that the user may
/// not list cannot be watched and is passed over, and inotify(7) sees no mounts.
public final class FileWatch {
    /// What counts in one watched directory.
    private struct Interest {
        var names: Set<SystemString> = []
        var isWhole = false

        func includes(_ name: SystemString) -> Bool {
            isWhole || name.isEmpty || names.contains(name)
        }
    }

    private static let stepMask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
    private static let endMask = IN_MODIFY | IN_CLOSE_WRITE
    // A directory of which two names count has one watch.
    private static let options = IN_ONLYDIR | IN_DONT_FOLLOW | IN_MASK_ADD

    private let inotify: Descriptor
    private let paths: [SystemString]
    private var interests: [Int32: Interest] = [:]
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    public init(paths: [SystemString]) throws(FileWatchError) {
        self.paths = paths
        do {
            inotify = try Descriptor("inotify_init1", inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        } catch {
            throw .cannotStart(error)
        }
        try arm()
    }

    /// For poll(2).
    public var descriptor: Int32 { inotify.number }

    /// Whether what has been noticed may be a change of one of the paths. It never waits, and what it leaves
    /// poll(2) tells at once.
    ///
    /// - Throws: `FileWatchError` where what is new could not be watched. The change counts all the same.
    public func read() throws(FileWatchError) -> Bool {
        let count = Glibc.read(inotify.number, &buffer, buffer.count)
        guard count > 0, FileEvents(buffer[..<count]).contains(where: isRelevant) else { return false }
        try arm()
        return true
    }

    private func isRelevant(_ event: FileEvents.Event) -> Bool {
        event.mask & UInt32(IN_Q_OVERFLOW) != 0 || interests[event.watch]?.includes(event.name) ?? false
    }

    private func arm() throws(FileWatchError) {
        var armed: [Int32: Interest] = [:]
        for path in paths {
            for place in PathWalk(path) {
                guard let watch = try add(place) else { continue }
                if let name = place.name {
                    armed[watch, default: Interest()].names.insert(name)
                } else {
                    armed[watch, default: Interest()].isWhole = true
                }
            }
        }
        for watch in interests.keys where armed[watch] == nil { inotify_rm_watch(inotify.number, watch) }
        interests = armed
    }

    /// Watches a place; nil where that is not allowed, or where it has just gone.
    private func add(_ place: PathWalk.Place) throws(FileWatchError) -> Int32? {
        let mask = Self.options | Self.stepMask | (place.isEnd ? Self.endMask : 0)
        let watch = inotify_add_watch(inotify.number, place.directory.cString, UInt32(mask))
        if watch >= 0 { return watch }
        guard errno == ENOSPC || errno == ENOMEM else { return nil }
        throw .cannotWatch(place.directory.description, SystemError("inotify_add_watch", errno))
    }
}

/// Why changes of files are not seen.
public enum FileWatchError: Error, Equatable, CustomStringConvertible {
    case cannotStart(SystemError)
    case cannotWatch(String, SystemError)

    public var description: String {
        switch self {
        case .cannotStart(let error):
            "cannot watch files (\(error)): raise fs.inotify.max_user_instances with sysctl"
        case .cannotWatch(let path, let error):
            "cannot watch '\(path)' (\(error)): raise fs.inotify.max_user_watches with sysctl"
        }
    }
}

/// The events of inotify(7) in what one read(2) brought.
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
