import System

/// What one application is going through.
struct Application: Sendable {
    enum Step: Hashable, Sendable {
        /// Nothing is under way.
        case settled
        /// The exceptions and what undoes these reactions are asked for.
        case asking(RunID, Set<BuiltIn>)
        /// What undoes the reactions is being written.
        case recording(WriteID)
        /// Processes are being stopped.
        case freezing(RunID)
        case applying(RunID)
        case undoing(RunID, [Hold])
    }

    /// Something that could not be undone, and is tried again.
    struct Retry: Hashable, Sendable {
        var due: Duration
        /// The delay before that.
        var delay: Duration

        init(after former: Retry?, at now: Duration) {
            delay = Self.delay(after: former?.delay)
            due = now + delay
        }

        /// Returns the delay after a failure, from 1 s to 5 min: each failure doubles it.
        static func delay(after former: Duration?) -> Duration {
            min(former.map { $0 * 2 } ?? .seconds(1), .seconds(300))
        }
    }

    /// The exceptions that held at the last question.
    struct Excepted: Hashable, Sendable {
        var found: [Exception?: String]
        /// When to ask again, and after which time.
        var again: Duration
        var wait: Duration

        /// Returns what prevents a vote; nil if nothing does.
        func text(for vote: Vote) -> String? {
            let own = vote.job.hook.except.sorted { $0.rawValue < $1.rawValue }.lazy.compactMap { found[$0] }
            return own.first ?? (vote.wantsFreeze ? found[nil] : nil)
        }
    }

    let name: String
    var held = Held()
    var step = Step.settled
    var rest: Rest?
    var excepted: Excepted?
    /// The reason why it must not be touched, until a vote begins.
    var refusal: String?
    /// The applications with windows of its processes. They are frozen together or not at all.
    var companions: Set<String> = []
    /// The last job that has begun, and the last of each reaction. Reports are about these.
    var job: Job?
    var jobs: [BuiltIn: Job] = [:]
    /// Whether what is held is that of an earlier process.
    var isRestored = false
    /// The number of times that further processes were found while others were stopped.
    var rounds = 0
    /// The reactions for which the last question has found nothing to do.
    var lacking: Set<BuiltIn> = []
    /// When it is thawed again, and when its limits are undone again.
    var thaw: Retry?
    var undo: Retry?
    /// Whether the next freeze is not reported.
    var isQuiet = false
    /// When it is woken.
    var wake: Duration?
    /// The calls that wait for an answer, and the time before which it is not thawed for them.
    var calls: Set<BusCall> = []
    var nextGlance = Duration.zero

    init(_ name: String) { self.name = name }

    /// The job that a report about these reactions names.
    func job(for builtIns: Set<BuiltIn>) -> Job? {
        BuiltIn.allCases.lazy.filter(builtIns.contains).compactMap { jobs[$0] }.first ?? job
    }

    /// Whether nothing is held, and nothing under way.
    var isIdle: Bool { held == Held() && step == .settled && thaw == nil }

    /// Whether nothing is known about it that must be kept. A sign lasts longer than the freeze by hand that it ends.
    var isForgettable: Bool { if case .until = rest { false } else { isIdle } }
}

extension Application.Step {
    var run: RunID? {
        switch self {
        case .asking(let id, _), .freezing(let id), .applying(let id), .undoing(let id, _): id
        case .settled, .recording: nil
        }
    }
}
