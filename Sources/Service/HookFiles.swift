import Hooks
import System

/// The files that hooks are read from. They are watched from `init` on: a file that is saved between the first `load`
/// and the first poll(2) triggers a reload.
public final class HookFiles {
    let locations: HookLocations
    private let watch: FileWatch?
    /// The reason why the files are not watched; nil if they are.
    let watchError: SystemError?
    private var debounce = Debounce()

    public init(_ locations: HookLocations) {
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
        try LoadedHooks(locations)
    }

    /// The descriptor for poll(2); nil if the files are not watched.
    var descriptor: Int32? { watch?.descriptor }

    /// When to call `isReloadDue`; nil if no file has changed.
    var reloadTime: Duration? { debounce.due }

    /// Reads events from the descriptor.
    ///
    /// - Throws: `SystemError` if a new directory cannot be watched. That counts as a change of the files, too.
    func readChanges(at moment: Duration) throws(SystemError) {
        do {
            if try watch?.read() == true { debounce.addEvent(at: moment) }
        } catch {
            debounce.addEvent(at: moment)
            throw error
        }
    }

    /// Whether files have changed and no event has arrived for a while; true once for each series of events.
    func isReloadDue(at moment: Duration) -> Bool {
        debounce.expire(at: moment)
    }
}

/// A detector of the end of a series of events: an editor saves a file in several steps.
struct Debounce: Hashable, Sendable {
    private static let quiet = Duration.milliseconds(100)
    private static let longest = Duration.seconds(1)

    private var first: Duration?
    private var last: Duration?

    /// The end of the series: 100 ms after its last event, and at most 1 s after its first; nil if there was no event.
    var due: Duration? {
        guard let first, let last else { return nil }
        return min(last + Self.quiet, first + Self.longest)
    }

    mutating func addEvent(at moment: Duration) {
        first = first ?? moment
        last = moment
    }

    /// Whether the series has ended; if so, the next event begins another one.
    mutating func expire(at moment: Duration) -> Bool {
        guard let due, due <= moment else { return false }
        self = Debounce()
        return true
    }
}
