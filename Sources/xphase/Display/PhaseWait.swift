import Console
import PhaseWatch
import System

/// A sink that ends the watch when the subject enters one of the phases.
final class PhaseWait: WatchMember {
    private(set) var result: Result<Void, CommandFailure>?
    private let phases: PhaseSet
    private let awaitsStart: Bool
    private let end: Duration?
    /// When to give up on a server that has not reported its windows. The server gets a second, even with a shorter
    /// timeout.
    private let latestStart: Duration
    private var hasBegun = false
    private let subjects: Subjects
    /// Receives the first name that matches nothing, if another matches.
    private let say: (String) -> Void
    /// The phases of what is open and matches.
    private var open: [SubjectID: ScenePhase] = [:]
    /// The greatest of these phases, or the last one once all have closed; nil if nothing has matched.
    private var phase: ScenePhase?

    init(
        _ subjects: Subjects, _ phases: PhaseSet, awaitsStart: Bool, until end: Duration?,
        say: @escaping (String) -> Void
    ) {
        (self.subjects, self.phases, self.awaitsStart) = (subjects, phases, awaitsStart)
        (self.end, self.say) = (end, say)
        latestStart = Clock.now() + .seconds(1)
    }

    var isDone: Bool { result != nil }
    var next: Duration? { hasBegun ? end : end.map { max($0, latestStart) } }

    func take(_ events: [Event], at time: Timestamp, numbers: inout [Int?]) {
        if isDone { return }
        let isFirst = !hasBegun
        hasBegun = true
        for change in events.compactMap(\.change) {
            let id = change.subjectID
            // An application that matched by an instance name still counts after that instance closes.
            guard open[id] != nil || subjects.matches(change) else { continue }
            open[id] = change.to
            phase = open.values.max() ?? phase
        }
        if isFirst, phase != nil, !awaitsStart, let absence = subjects.absence(among: events) {
            say(absence.description)
        }
        guard let phase else {
            let failure =
                subjects.absence(among: events) ?? .notFound("no application matches '\(subjects.text)'")
            if !awaitsStart { result = .failure(failure) }
            return
        }
        if open.isEmpty {
            // An application that closes enters the background first, which does not count.
            result = .failure(.notFound("'\(subjects.text)' closed before it was \(phases.words)"))
        } else if phases.phases.contains(phase) {
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
