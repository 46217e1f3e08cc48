import ArgumentParser
import Console
import PhaseWatch
import Service
import System

struct Wait: Command {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until an application is in a phase or closed.",
        usage: """
            xphase wait <app>[,<app>] <phase>[,<phase>] [options]
            xphase wait --sync [options]
            """,
        discussion: """
            Returns at once if the application is in one of the phases, or for closed if it has no window. Waits \
            for one that is not running yet. Exits 1 if it closes first, and 124 after --timeout.

            With --sync, waits until 'xphase run' has reported every change so far. Exits 69 if none serves the \
            display.

            EXAMPLES
              xphase wait mpv background --timeout 10m && systemctl suspend
              xphase wait firefox active,inactive
              xphase wait steam active && xphase wait steam closed && systemctl poweroff
              wmctrl -a firefox; xphase wait --sync; xphase hooks status
            """
    )

    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var app: [Pattern]?

    @Argument(help: .phases, completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet?

    @Flag(help: "Wait until 'xphase run' has reported every change so far.")
    var sync = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait, e.g. 250ms, 30s, 5m. (default: forever)", valueName: "duration"),
        transform: Duration.argument)
    var timeout: Duration?

    @Option(help: .display)
    var display: String?

    func validate() throws {
        if sync && app != nil { throw ValidationError("--sync takes no application") }
        if !sync && phases == nil {
            let missing = app == nil ? "<app>" : "<phase,…>"
            throw ValidationError("Missing expected argument '\(missing)'")
        }
    }

    func run(_ io: CommandIO) throws {
        if sync {
            // A service that answers nothing is not one that has much to report.
            _ = try io.ask(display) { try $0.status() }
            do {
                return try io.ask(display, patience: timeout ?? .seconds(60)) { try $0.sync() }
            } catch ServiceError.silent {
                throw CommandFailure(Exit.timedOut, "timed out: not every change has been reported")
            }
        }
        guard let app, let phases else { return }
        try io.logging { try wait(for: app, phases, $0, $1) }
    }

    private func wait(for app: [Pattern], _ phases: PhaseSet, _ io: CommandIO, _ log: Log) throws {
        let limit = timeout.map { Clock.now() + $0 }
        let (result, signal) = try DisplayPhases.use(on: display, io, within: timeout) { display in
            let subjects = try Subjects(app, on: display.displayName)
            let wait = PhaseWait(subjects, phases, until: limit, say: io.say)
            let signal = try display.run(into: [wait, log], withScenes: subjects.levels.contains(.scene))
            return (wait.result, signal)
        }
        if let result { return try result.get() }
        // A signal arrived before the phase.
        if let signal { throw CommandFailure(128 + signal) }
    }
}

extension Change {
    /// Whether its subject goes on under another name.
    fileprivate var isRenamed: Bool { kind == .closed && cause == .regroup }
}

/// A sink that ends the watch when the subject enters one of the phases.
private final class PhaseWait: WatchMember {
    private(set) var result: Result<Void, CommandFailure>?
    private let phases: PhaseSet
    private let end: Duration?
    /// When to give up on a server that has not reported its windows. The server gets a second, even with a shorter
    /// timeout.
    private let latestStart: Duration
    private var hasBegun = false
    private let subjects: Subjects
    /// Receives the first name that matches nothing.
    private let say: (String) -> Void
    /// The phases of what is open and matches.
    private var open: [SubjectID: ScenePhase] = [:]
    /// The greatest of these phases, or the last one once all have closed; nil if nothing has matched.
    private var phase: ScenePhase?

    init(
        _ subjects: Subjects, _ phases: PhaseSet, until end: Duration?, say: @escaping (String) -> Void
    ) {
        (self.subjects, self.phases, self.end, self.say) = (subjects, phases, end, say)
        latestStart = Clock.now() + .seconds(1)
    }

    var isDone: Bool { result != nil }
    var next: Duration? { hasBegun ? end : end.map { max($0, latestStart) } }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        if isDone { return }
        let isFirst = !hasBegun
        hasBegun = true
        let changes = events.compactMap(\.change)
        // What only changes its class name has not closed: it opens as another one.
        let renamed = Set(changes.filter { $0.isRenamed && open[$0.subjectID] != nil }.map(\.level))
        let followsNames = phases.contains(nil)
        for change in changes {
            let id = change.subjectID
            let follows =
                followsNames && change.kind == .opened && change.cause == .regroup
                && renamed.contains(change.level)
            // An application that matched by an instance name still counts after that instance closes.
            guard open[id] != nil || follows || subjects.matches(change) else { continue }
            open[id] = change.to
            phase = open.values.max() ?? phase
        }
        if open.isEmpty && phases.contains(nil) {
            // It may be a misspelt name.
            if isFirst, let absence = subjects.absence(among: events) { say(absence.countedAsClosed) }
            result = .success(())
            return
        }
        if isFirst, let absence = subjects.absence(among: events) {
            // The ID of a window that is gone may be that of any window later.
            if phase == nil, subjects.levels.contains(.scene) { result = .failure(absence) }
            if result == nil { say(phase == nil ? absence.awaited : absence.description) }
        }
        guard let phase else { return }
        if open.isEmpty {
            // An application that closes enters the background first, which does not count.
            result = .failure(.notFound("'\(subjects.text)' closed before it was \(phases.words)"))
        } else if phases.contains(phase) {
            result = .success(())
        }
    }

    func wake() {
        guard let next, next <= Clock.now(), result == nil else { return }
        let state =
            hasBegun ? phase.map { "is still \($0.rawValue)" } ?? "has not appeared" : "is not known yet"
        result = .failure(CommandFailure(Exit.timedOut, "timed out: '\(subjects.text)' \(state)"))
    }
}
