import Loop

/// The files that hooks are read from, watched from the moment this is made: what is saved between the first reading
/// and the first `wait` of the loop triggers a reload, too.
public final class HookFiles {
    let locations: Locations
    private let watch: FileWatch?
    /// Why changes are not seen; nil where they are.
    let watchError: FileWatchError?
    private var debounce = Debounce()

    public init(_ locations: Locations) {
        self.locations = locations
        do {
            watch = try FileWatch(paths: locations.watched)
            watchError = nil
        } catch {
            watch = nil
            watchError = error
        }
    }

    /// Reads all hooks.
    ///
    /// - Throws: All faults of the configuration.
    public func load() throws(ConfigurationError) -> LoadedHooks {
        try LoadedHooks.load(locations)
    }

    /// For poll(2); nil where nothing is watched.
    var descriptor: Int32? { watch?.descriptor }

    /// When to call `isReloadDue` at the latest; nil while nothing has changed.
    var reloadTime: Duration? { debounce.due }

    /// Reads from the descriptor what has changed.
    ///
    /// - Throws: `FileWatchError` where a new file could not be watched. The change counts all the same.
    func readChanges(at moment: Duration) throws(FileWatchError) {
        do {
            if try watch?.read() == true { debounce.signal(at: moment) }
        } catch {
            debounce.signal(at: moment)
            throw error
        }
    }

    /// Whether the files changed and are now still enough to be read; answers so once for each series of changes.
    func isReloadDue(at moment: Duration) -> Bool {
        debounce.expire(at: moment)
    }
}

/// Waits for the end of a series of signs: an editor saves in several steps.
struct Debounce: Hashable, Sendable {
    private static let quiet = Duration.milliseconds(100)
    private static let longest = Duration.seconds(1)

    private var first: Duration?
    private var last: Duration?

    /// When the series ends: 100 ms after its last sign, at the latest 1 s after its first; nil if there was none.
    var due: Duration? {
        guard let first, let last else { return nil }
        return min(last + Self.quiet, first + Self.longest)
    }

    mutating func signal(at moment: Duration) {
        first = first ?? moment
        last = moment
    }

    /// Whether the series has ended; if so, the next sign begins another one.
    mutating func expire(at moment: Duration) -> Bool {
        guard let due, due <= moment else { return false }
        self = Debounce()
        return true
    }
}
