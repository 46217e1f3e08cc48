import ArgumentParser
import Console
import Loop
import PhaseWatch

struct Wait: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until an application is in a phase.",
        usage: "xphase wait <application> <phase>[,<phase>] [options]",
        discussion: """
            It ends at once where that is already so. It exits 1 where no such application is there, or when it \
            closes first, and 124 when the time is over.

            EXAMPLES
              xphase wait mpv background --timeout 10m && systemctl suspend
              xphase wait firefox active,inactive
            """
    )

    @OptionGroup var awaited: PhaseArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to wait: 250ms, 30s, 5m, 1h.", valueName: "duration"),
        transform: Duration.argument)
    var timeout: Duration?

    @OptionGroup var options: DisplayOptions

    func run() throws {
        let application = awaited.application
        let awaiting = Awaiting(application, awaited.phases.phases, timeout: timeout)
        let end = try OpenDisplay.watcher(options.watchOptions).run(into: NoSink(), reactor: awaiting)
        switch awaiting.result {
        case .reached: return
        case .absent(let events): throw NotFound.application(application, among: events)
        case .closed:
            throw NotFound("'\(application.escapedForTerminal)' closed before it was \(awaited.phases.words)")
        case .timedOut:
            let phase = awaiting.phase?.rawValue ?? "gone"
            Diagnostics.say("'\(application)' is still \(phase): the time is over")
            throw ExitCode(Exit.timedOut)
        case nil:
            // A signal: what was waited for did not come.
            if case .signal(let number) = end { throw ExitCode(128 + number) }
        }
    }
}

/// Sees whether applications come to a phase.
private final class Awaiting: Reactor {
    enum Result {
        case reached, closed, timedOut
        /// None of them was there; with all that was.
        case absent([Event])
    }

    let signals: [Int32] = []
    let usesTitles = false
    private(set) var result: Result?
    private let phases: Set<ScenePhase>
    private let end: Duration?
    private var matched: Matched

    init(_ application: String, _ phases: Set<ScenePhase>, timeout: Duration?) {
        self.phases = phases
        matched = Matched(application)
        end = timeout.map { Clock.now() + $0 }
    }

    var phase: ScenePhase? { matched.last }
    var isDone: Bool { result != nil }
    var next: Duration? { end }

    func take(_ events: [Event], numbers: [Int?], at time: Timestamp) {
        matched.take(events)
        guard let phase else {
            result = .absent(events)
            return
        }
        // Whoever closes comes to the background first.
        if phases.contains(phase) { result = .reached } else if !matched.isThere { result = .closed }
    }

    func wake() {
        if let end, end <= Clock.now() { result = result ?? .timedOut }
    }

    func join(_ loop: EventLoop) {}
    func takePresent(_ events: [Event], at time: Timestamp) {}
    func ready(_ descriptor: Int32) {}
    func received(_ signal: Int32) {}
    func takeNotices() -> [Notice] { [] }
    func takeRules() -> WatchRules? { nil }
}
