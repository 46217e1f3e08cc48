import Console
import PhaseWatch
import Service
import System

/// The phases on a display, for a command: those that the service reports, or if none serves the display those that are
/// read under the same configuration.
enum DisplayPhases {
    case served(ServedPhases)
    case read(PhaseWatcher)

    /// - Parameters:
    ///   - display: nil for the one in the environment, or the only one that is served.
    ///   - time: The time limit for opening the display.
    ///   - asksService: Whether to ask a service.
    /// - Throws: `ServiceError`, `MonitorFailure`, `ConfigurationError`.
    private init(
        on display: String?, _ io: CommandIO, within time: Duration? = nil, asksService: Bool = true
    ) throws {
        let name = try io.knownDisplay(display)
        if asksService, let name,
            let phases = try io.unlessAbsent({
                try ServedPhases(display: name, environment: io.environment)
            })
        {
            self = .served(phases)
        } else {
            self = .read(try OpenDisplay.watcher(io.options(on: name), io, within: time))
        }
    }

    /// nil if a service is asked.
    var watcher: PhaseWatcher? { if case .read(let watcher) = self { watcher } else { nil } }

    var displayName: String {
        switch self {
        case .served(let phases): phases.displayName
        case .read(let watcher): watcher.displayName
        }
    }

    /// Returns everything that is present, as changes of the kind `initial`.
    func present(_ details: PhaseWatcher.Details = []) throws -> [Event] {
        switch self {
        case .served(let phases): return try phases.present()
        case .read(let watcher):
            watcher.details = details
            return try watcher.update()
        }
    }

    /// Returns the scene with the focus; nil if there is none.
    func activeScene() throws -> Change? {
        switch self {
        case .served(let phases): return try phases.activeScene()
        case .read(let watcher):
            watcher.details = [.titles, .locations]
            _ = try watcher.update()
            return watcher.activeScene()
        }
    }

    /// Passes the present state, and then all changes, to members of a watch.
    ///
    /// - Parameters:
    ///   - members: They receive groups and applications.
    ///   - withScenes: Whether they need scenes, too.
    /// - Returns: The signal that ended the watch; nil if a member is done, or the reader of the output is gone.
    func run(into members: [any WatchMember], withScenes: Bool) throws -> Int32? {
        switch self {
        case .served(let phases): try phases.run(into: members, withScenes: withScenes)
        case .read(let watcher): try watcher.watch(into: members)
        }
    }

    /// Passes the phases on a display to `use`. If the service ends meanwhile, passes once more those that are read.
    static func use<Result>(
        on display: String?, _ io: CommandIO, within time: Duration? = nil, _ use: (Self) throws -> Result
    ) throws -> Result {
        do {
            return try use(Self(on: display, io, within: time))
        } catch let failure as ServiceError where failure.mayPass {
            return try use(Self(on: display, io, within: time, asksService: false))
        }
    }
}
