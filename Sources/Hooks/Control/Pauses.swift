import FoundationEssentials
import Glibc
import System

/// Which hooks react to nothing for now, and until when.
struct Pauses: Hashable, Codable {
    struct Pause: Hashable, Codable {
        /// As `Clock.now()`; nil for as long as nobody resumes it.
        var end: Duration?
    }

    /// Of all hooks that are not named, also of those to come.
    private var all: Pause?
    /// Of single hooks; nil for one that was resumed while all are paused.
    private var named: [String: Pause?] = [:]

    subscript(hook: String) -> Pause? { named[hook] ?? all }

    /// The next moment at which a pause ends.
    var next: Duration? {
        all == nil && named.isEmpty ? nil : ([all] + named.values).compactMap { $0?.end }.min()
    }

    /// - Parameter names: Which hooks; none for all.
    mutating func pause(_ names: [String], until end: Duration?) {
        if names.isEmpty { (all, named) = (Pause(end: end), [:]) }
        for name in names { named[name] = .some(Pause(end: end)) }
    }

    /// - Parameter names: Which hooks; none for all.
    mutating func resume(_ names: [String]) {
        if names.isEmpty { self = Pauses() }
        for name in names { named[name] = all == nil ? nil : .some(nil) }
    }

    /// Forgets hooks that there are no longer.
    mutating func keep(_ names: [String]) {
        named = named.filter { names.contains($0.key) }
    }

    /// Ends those whose time is over.
    ///
    /// - Returns: Whether there were any.
    mutating func expire(at now: Duration) -> Bool {
        let old = self
        func isOver(_ pause: Pause?) -> Bool { pause?.end.map { $0 <= now } ?? false }
        if isOver(all) {
            all = nil
            named = named.filter { $0.value != nil }
        }
        for (name, pause) in named where isOver(pause) { named[name] = all == nil ? nil : .some(nil) }
        return self != old
    }
}

/// A file beside the control socket, from which they hold again after a crash. It counts in the boot in which it was written:
/// their ends are times of its clock.
struct PausesFile {
    private struct Content: Codable {
        var bootID: String?
        var pauses: Pauses
    }

    private static let limit = 64 << 10

    private let directory: OwnDirectory
    private let name: SystemString

    init(in directory: OwnDirectory, display: String) {
        self.directory = directory
        name = "\(DisplayFileName(display)).pauses"
    }

    /// None where nothing can be read.
    func read() -> Pauses {
        let number = openat(
            directory.descriptor.number, name.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard let file = try? Descriptor("open", number),
            let bytes = try? file.readAll(name, limit: Self.limit),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            content.bootID == Boot.id()
        else { return Pauses() }
        return content.pauses
    }

    func write(_ pauses: Pauses) throws {
        if pauses == Pauses() { return try directory.remove(name) }
        let bytes = [UInt8](try JSONEncoder().encode(Content(bootID: Boot.id(), pauses: pauses)))
        // It counts in this boot only: a loss of power may take it away, and the loop waits for no disk.
        try directory.replace(name, with: bytes, mode: 0o600, isSynced: false)
    }
}
