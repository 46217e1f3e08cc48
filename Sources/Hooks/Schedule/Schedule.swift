import PhaseWatch

/// Decides what runs when: delays, vetoes, queues and pairs.
///
/// It is a pure value: it gets changes, ends of runs and moments, and returns steps. Moments are a `Duration` since any
/// fixed one, and never run backwards.
public struct Schedule: Sendable {
    struct Running: Sendable {
        var id: RunID
        var job: Job
        var isCheck: Bool
        var isStopped = false
    }

    struct Waiting: Sendable {
        var job: Job
        var due: Duration
        /// The order of those that are due at one moment.
        var number: Int
    }

    /// A `leave` that could not be started, at the head of its lane.
    struct Retry: Sendable {
        var key: Job.Key
        var delay: Duration
        /// When it is tried again; nil once that moment has come.
        var due: Duration?
    }

    /// After how long a `leave` is tried again: at first, and, since each failure doubles it, at most.
    private static let retryDelays = Duration.seconds(1)...Duration.seconds(300)

    /// The least time after which exceptions of a pair are asked for again.
    static let shortestException = Duration.seconds(10)

    /// How many programs run at once.
    private let limit: Int
    /// How many runs wait, for their time or their turn.
    let bound: Int
    public internal(set) var hooks: [Hook]
    /// Jobs whose `after` has not passed.
    var waiting: [Job.Key: Waiting] = [:]
    /// Jobs that may start as soon as their lane and one of the `limit` places are free.
    var queue = JobQueue()
    var running: [Job.Lane: Running] = [:]
    /// Nothing starts in these lanes until the `leave` at their head has been tried again.
    var retries: [Job.Lane: Retry] = [:]
    /// The `enter` jobs that ran and whose `leave` has not ended.
    var owed: [Job.Key: Job] = [:]
    /// The names of hooks that react to nothing for now, and what they would be entered for.
    var suspended: Set<String> = []
    var parked: [Job.Key: Waiting] = [:]
    /// What hooks that follow facts were for, by phase and facts, at the last change.
    var inside: Set<Job.Key> = []
    var isStopping = false
    var isOverflowing = false
    private var lastID = 0
    var lastWait = 0
    private var steps: [Step] = []

    public init(hooks: [Hook], limit: Int = 16, bound: Int = 4096) {
        self.hooks = hooks
        self.limit = limit
        self.bound = bound
    }

    /// When to call `advance` though nothing happened; nil for never.
    public var next: Duration? {
        [waiting.values.map(\.due).min(), retries.values.compactMap(\.due).min()].compactMap(\.self).min()
    }

    /// Nothing runs or waits for its turn.
    public var isIdle: Bool { running.isEmpty && queue.isEmpty }

    /// The `enter` jobs whose `leave` is still to come.
    public var owedJobs: [Job] { Array(owed.values) }

    /// Whether what a job entered is to stay: nothing has asked for its `leave` yet.
    func isStillEntered(_ job: Job) -> Bool {
        var leaving = job
        leaving.part = .leave
        let isLeaving = running[job.lane].map { $0.job.key == job.key && $0.job.part == .leave } ?? false
        return !isStopping && owed[job.key]?.hook == job.hook && !isLeaving && !queue.contains(leaving)
    }

    /// The steps since the last call.
    public mutating func takeSteps() -> [Step] {
        defer { steps = [] }
        return steps
    }

    /// Decides what runs because of changes that came at one time.
    ///
    /// - Parameter isWanted: Which hooks may react; all of them if left out.
    public mutating func react(
        to triggers: [HookTrigger], at now: Duration, with isWanted: (Hook) -> Bool = { _ in true }
    ) {
        guard !isStopping else { return }
        for trigger in triggers {
            for hook in hooks
            where hook.condition.level == trigger.change.level && isWanted(hook)
                && trigger.change.isOf(hook)
            {
                apply(trigger, to: hook, at: now)
            }
            // Before the next change, which would otherwise take this job out of the queue. Pairs wait for all changes:
            // an application that closes is not entered for its last moment in the background.
            startQueued { $0 == .run }
        }
        startQueued()
    }

    /// Starts what is due.
    public mutating func advance(at now: Duration) {
        let due = waiting.values.filter { $0.due <= now }.sorted {
            ($0.due, $0.number) < ($1.due, $1.number)
        }
        for wait in due {
            waiting[wait.job.key] = nil
            queue.append(wait.job)
        }
        for (lane, retry) in retries where retry.due.map({ $0 <= now }) ?? false { retries[lane]?.due = nil }
        startQueued()
    }

    /// Goes on with what waited for the end of a run.
    public mutating func ended(_ id: RunID, _ outcome: Outcome, at now: Duration) {
        guard let (lane, run) = running.first(where: { $0.value.id == id }) else { return }
        running[lane] = nil
        if run.isCheck {
            if !run.isStopped { decide(run.job, after: outcome, at: now) }
        } else {
            finish(run.job, after: outcome, at: now)
        }
        startQueued()
    }

    private mutating func decide(_ job: Job, after outcome: Outcome, at now: Duration) {
        switch outcome {
        case .exited(0): add(.remark(.vetoed(job)))
        case .excepted(let what):
            var job = job
            if job.exception != what { add(.remark(.excepted(job, what))) }
            job.exception = what
            wait(for: job, until: now + max(job.hook.after, Self.shortestException))
        default: begin(job, isCheck: false)
        }
    }

    private mutating func finish(_ job: Job, after outcome: Outcome, at now: Duration) {
        switch (job.part, outcome) {
        case (.leave, .postponed): retry(job, at: now)
        case (.leave, _):
            release(job)
            retries[job.lane] = nil
        case (.enter, .excepted):
            // It has come about since it was asked.
            release(job)
            decide(job, after: outcome, at: now)
        case (.enter, .notStarted), (.enter, .postponed):
            // What did not begin needs no end.
            release(job)
            dropQueued(job, .leave)
        default: break
        }
    }

    private mutating func release(_ job: Job) {
        if owed.removeValue(forKey: job.key) != nil { add(.release(job)) }
    }

    private mutating func retry(_ job: Job, at now: Duration) {
        let range = Self.retryDelays
        let delay = min(retries[job.lane].map { $0.delay * 2 } ?? range.lowerBound, range.upperBound)
        retries[job.lane] = Retry(key: job.key, delay: delay, due: now + delay)
        queue.prepend(job)
        add(.remark(.retry(job, in: delay)))
    }

    /// Starts, in order, what is queued and whose lane is free.
    mutating func startQueued(_ isWanted: (Job.Part) -> Bool = { _ in true }) {
        while running.count < limit,
            let job = queue.takeNext(
                of: isWanted, where: { [running, retries] in running[$0] == nil && retries[$0]?.due == nil })
        {
            begin(job, isCheck: job.hook.isChecked && job.part != .leave)
        }
        if waiting.count + queue.count < bound / 2 { isOverflowing = false }
    }

    /// Takes the part of a pair that an earlier process has started for its own.
    mutating func follow(_ job: Job) {
        guard running[job.lane] == nil else { return }
        lastID += 1
        running[job.lane] = Running(id: lastID, job: job, isCheck: false)
        add(.follow(lastID, job))
    }

    private mutating func begin(_ job: Job, isCheck: Bool) {
        lastID += 1
        running[job.lane] = Running(id: lastID, job: job, isCheck: isCheck)
        if job.part == .enter && !isCheck { owed[job.key] = job }
        add(.start(lastID, job, isCheck: isCheck))
    }

    mutating func add(_ step: Step) {
        steps.append(step)
    }
}

extension Change {
    /// Whether it can bring about anything for a hook of its level.
    fileprivate func isOf(_ hook: Hook) -> Bool {
        switch kind {
        case .title: hook.followsTitles
        case .facts: hook.followsFacts
        default: true
        }
    }

    /// Whether it leaves the phase as it is.
    var keepsPhase: Bool { kind == .title || kind == .facts }
}
