import Hooks
import System

/// The files that hooks are read from. They are watched from `init` on: a file that is saved between the first `load`
/// and the first poll(2) triggers a reload.
public final class HookFiles {
    private static let quiet = Duration.milliseconds(100)
    private static let longest = Duration.seconds(1)

    public let locations: HookLocations
    let watch: Result<FileWatch, SystemError>
    /// The first and the last change of a series that has not been used: an editor saves a file in several steps.
    private var changes: (first: Duration, last: Duration)?

    public init(_ locations: HookLocations) {
        self.locations = locations
        watch = Result { () throws(SystemError) in try FileWatch(paths: locations.watched) }
    }

    /// Reads all hooks.
    ///
    /// - Throws: All faults of the configuration.
    public func load() throws(ConfigurationError) -> LoadedHooks {
        try LoadedHooks(locations)
    }

    /// When to call `isReloadDue`: 100 ms after the last change of a series, and at most 1 s after its first; nil if no
    /// file has changed.
    var reloadTime: Duration? { changes.map { min($0.last + Self.quiet, $0.first + Self.longest) } }

    /// Reads events from the descriptor.
    ///
    /// - Throws: `SystemError` if a new directory cannot be watched. That counts as a change of the files, too.
    func readChanges(at moment: Duration) throws(SystemError) {
        var hasChanged = true
        defer { if hasChanged { changes = (changes?.first ?? moment, moment) } }
        hasChanged = try watch.get().read()
    }

    /// Whether files have changed and no event has arrived for a while; true once for each series of events.
    func isReloadDue(at moment: Duration) -> Bool {
        guard let reloadTime, reloadTime <= moment else { return false }
        changes = nil
        return true
    }
}
