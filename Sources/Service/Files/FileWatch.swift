import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// Notices changes of files and directories, also of those that do not exist yet.
///
/// A directory changes when any of its entries does. Every directory on a path is watched for its next component,
/// through symbolic links, so that replacing any part of the path is noticed. Directories that the user may not
/// read are not watched, and inotify(7) does not report mounts.
public final class FileWatch {
    /// The entries of a watched directory whose events count.
    private struct Interest {
        var names: Set<SystemString> = []
        var isWhole = false

        func includes(_ name: SystemString) -> Bool {
            isWhole || name.isEmpty || names.contains(name)
        }
    }

    private static let stepMask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
    private static let endMask = IN_MODIFY | IN_CLOSE_WRITE
    // Two paths may lead through one directory, which has one watch.
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
        try updateWatches()
    }

    /// For poll(2).
    public var descriptor: Int32 { inotify.number }

    /// Reads events without blocking, and returns whether one of the paths may have changed. If events are left,
    /// poll(2) reports the descriptor again.
    ///
    /// - Throws: `FileWatchError` if a new directory cannot be watched. The paths have changed then, too.
    public func read() throws(FileWatchError) -> Bool {
        let count = Glibc.read(inotify.number, &buffer, buffer.count)
        guard count > 0, FileEvents(buffer[..<count]).contains(where: isRelevant) else { return false }
        try updateWatches()
        return true
    }

    private func isRelevant(_ event: FileEvents.Event) -> Bool {
        event.mask & UInt32(IN_Q_OVERFLOW) != 0 || interests[event.watch]?.includes(event.name) ?? false
    }

    private func updateWatches() throws(FileWatchError) {
        var watched: [Int32: Interest] = [:]
        for path in paths {
            for place in PathWalk(path) {
                guard let watch = try add(place) else { continue }
                if let name = place.name {
                    watched[watch, default: Interest()].names.insert(name)
                } else {
                    watched[watch, default: Interest()].isWhole = true
                }
            }
        }
        for watch in interests.keys where watched[watch] == nil { inotify_rm_watch(inotify.number, watch) }
        interests = watched
    }

    /// Adds a watch; nil if the directory may not be read or does not exist any more.
    private func add(_ place: PathWalk.Place) throws(FileWatchError) -> Int32? {
        let mask = Self.options | Self.stepMask | (place.isEnd ? Self.endMask : 0)
        let watch = inotify_add_watch(inotify.number, place.directory.cString, UInt32(mask))
        if watch >= 0 { return watch }
        guard errno == ENOSPC || errno == ENOMEM else { return nil }
        throw .cannotWatch(place.directory.description, SystemError("inotify_add_watch", errno))
    }
}

/// Why changes of files are not noticed.
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
