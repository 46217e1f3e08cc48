import System

/// What one application is going through.
struct Application: Sendable {
    enum Step: Hashable, Sendable {
        /// Nothing is under way.
        case settled
        /// The exceptions and what undoes the reactions are asked for.
        case asking(RunID)
        /// What undoes the reactions is being written.
        case recording(WriteID)
        /// Processes are being stopped.
        case freezing(RunID)
        case applying(RunID)
        case undoing(RunID)
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

    /// Why it is not frozen although hooks want that.
    enum Rest: Hashable, Sendable {
        /// It is wanted, spoken to, or awake for a while.
        case until(Duration, because: String, isQuiet: Bool)
        /// It answers a call that only reads.
        case glance(since: Duration)
        /// The user has thawed it. It stays thawed until its phase begins anew.
        case forbidden

        /// Whether the thaw and the next freeze are not reported.
        var isQuiet: Bool {
            switch self {
            case .until(_, _, let isQuiet): isQuiet
            case .glance: true
            case .forbidden: false
            }
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
    /// What the last question was about, and what it has found nothing for.
    var asked: Set<BuiltIn> = []
    var lacking: Set<BuiltIn> = []
    /// What is being undone.
    var undoing: [Hold] = []
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

    /// The job that a report about these reactions names.
    func job(for builtIns: Set<BuiltIn>) -> Job? {
        BuiltIn.allCases.lazy.filter(builtIns.contains).compactMap { jobs[$0] }.first ?? job
    }

    /// Whether nothing is known about it that must be kept.
    var isForgettable: Bool { held == Held() && step == .settled && thaw == nil }
}

extension Application.Step {
    /// Whether no write or answer is awaited that names what is held.
    var mayForget: Bool {
        switch self {
        case .settled, .asking: true
        case .recording, .freezing, .applying, .undoing: false
        }
    }
}

/// A call on a message bus that waits for its answer.
public struct BusCall: Hashable, Sendable {
    public var sender: String
    public var serial: UInt32

    public init(sender: String, serial: UInt32) { (self.sender, self.serial) = (sender, serial) }
}
