import Hooks
import PhaseWatch
import System

/// The files that hooks are read from. They are watched from `init` on: a file that is saved between the first reading
/// and the first poll(2) triggers a reload.
///
/// A thread reads them again: a disk that does not answer must not hold up the loop.
public final class HookFiles {
    /// What a reload has found.
    struct Reloaded: Sendable {
        let hooks: Result<LoadedHooks, ConfigurationError>
        /// What the system lacks for the hooks.
        let lacks: [String]
        /// Why not all files are watched.
        let fault: SystemError?
        /// Whether a signal requested the reload.
        let isAsked: Bool
    }

    private static let quiet = Duration.milliseconds(100)
    private static let longest = Duration.seconds(1)

    public let locations: HookLocations
    let watch: Result<FileWatch, SystemError>
    /// The first and the last change of a series that has not been used: an editor saves a file in several steps.
    private var changes: (first: Duration, last: Duration)?
    private var thread: DiskQueue<Reloaded>?
    /// Whether a signal requested the reload that waits for the one under way; nil if none waits.
    private var isNextAsked: Bool?

    public init(_ locations: HookLocations) {
        self.locations = locations
        watch = Result { () throws(SystemError) in try FileWatch(paths: locations.watched) }
    }

    // MARK: Reloads

    /// Begins to read all hooks again, and returns a descriptor that is readable when `takeReloaded` has an answer.
    ///
    /// - Throws: `SystemError` if no thread can be started.
    func reload(isAsked: Bool) throws(SystemError) -> Int32 {
        let thread = try thread.begun()
        if thread.isBusy {
            isNextAsked = isAsked || isNextAsked ?? false
            return thread.answers.number
        }
        let (locations, watch) = (locations, try? watch.get())
        thread.submit {
            var fault: SystemError?
            // First, so that no change after it is missed.
            do throws(SystemError) { try watch?.update() } catch { fault = error }
            let hooks = Result { () throws(ConfigurationError) in try LoadedHooks(locations) }
            let lacks = (try? hooks.get())?.lacks(.own) ?? []
            return Reloaded(hooks: hooks, lacks: lacks, fault: fault, isAsked: isAsked)
        }
        return thread.answers.number
    }

    var isReloading: Bool { thread?.isBusy ?? false }

    func takeReloaded() -> [Reloaded] {
        let reloaded = thread?.takeAnswers() ?? []
        if let isAsked = isNextAsked, thread?.isBusy == false {
            isNextAsked = nil
            _ = try? reload(isAsked: isAsked)
        }
        return reloaded
    }

    // MARK: Changes

    /// When to call `isReloadDue`: 100 ms after the last change of a series, and at most 1 s after its first; nil if no
    /// file has changed.
    var reloadTime: Duration? { changes.map { min($0.last + Self.quiet, $0.first + Self.longest) } }

    /// Reads events from the descriptor.
    func readChanges(at moment: Duration) {
        if (try? watch.get())?.read() == true { changes = (changes?.first ?? moment, moment) }
    }

    /// Whether files have changed and no event has arrived for a while; true once for each series of events.
    func isReloadDue(at moment: Duration) -> Bool {
        guard let reloadTime, reloadTime <= moment else { return false }
        changes = nil
        return true
    }
}
