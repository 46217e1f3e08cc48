import PhaseWatch
import System

/// A state machine that decides what hooks do and when: delays, vetoes, turns, pairs, reactions and their undoing.
///
/// The engine is a value without side effects: it takes inputs and returns effects. The answer to an effect is another
/// input.
public struct HookEngine: Sendable {
    /// Whether the record of an earlier process was read, or why not.
    enum Memory: Sendable {
        case unread
        case failed(String)
        case read
    }

    /// A `leave` that could not be started, at the head of its lane.
    struct Retry: Sendable {
        var key: Job.Key
        var delay: Duration
        /// The time of the next try; nil once that time has come.
        var due: Duration?
    }

    /// The first and the longest delay before a `leave` is tried again. Each failure doubles the delay.
    static let retryDelays = Duration.seconds(1)...Duration.seconds(300)
    /// The shortest time before the exceptions of a pair are checked again, and for which a sign counts.
    static let shortestThaw = Duration.seconds(10)
    static let shortestFocus = Duration.seconds(1)
    /// The time after the last sign of a session end during which the user may be looking at a dialog.
    static let sessionPatience = Duration.seconds(60)
    /// The largest number of notes about pairs. The applications of these pairs may no longer exist.
    static let mostNotes = 256

    public internal(set) var hooks: [Hook]
    /// The largest number of programs that run at once.
    let limit: Int
    /// The largest number of runs that wait for their time or their turn.
    let bound: Int
    /// Whether a pair is entered only after its record is on disk.
    let isRecorded: Bool
    var pairs: [Job.Key: Pair] = [:]
    var queue = JobQueue()
    /// The pairs whose jobs run, by lane.
    var busy: [Job.Lane: Job.Key] = [:]
    var retries: [Job.Lane: Retry] = [:]
    /// The pairs of the current runs.
    var runs: [RunID: Job.Key] = [:]
    var holdings = Holdings()
    /// The applications that share a process with a frozen one, which stays frozen while its hook holds all of them.
    var companions: [Job.Key: Set<String>] = [:]
    /// The last sign that each application is wanted.
    var signs: [String: (moment: Duration, reason: ThawReason)] = [:]
    /// The time until which nothing is frozen, since the session is about to end.
    var sessionEnd = Duration.zero
    public internal(set) var suspended: Set<String> = []
    public internal(set) var history = HookHistory()
    /// Whether a program failed, or could not be started.
    public internal(set) var hasFailures = false
    var memory: Memory
    var isStopping = false
    public internal(set) var isClosed = false
    var isOverflowing = false
    var lastRun: RunID = 0
    var lastNumber = 0
    var lastWrite: WriteID = 0
    /// Whether `owed` has changed, and the record must be written.
    var isChanged = false
    var hasWriteFailed = false
    var entering: [Job] = []
    /// The applications that the current effects thaw. The results are not known yet.
    var justThawed: Set<String> = []
    var moment = Moment(now: .zero, time: Timestamp(seconds: 0, nanoseconds: 0))
    var effects: [HookEffect] = []
    /// The time at which an input `timer` is due; nil for never.
    public internal(set) var next: Duration?

    public init(
        hooks: [Hook], isRecorded: Bool, limit: Int = 16, bound: Int = 4096
    ) {
        self.hooks = hooks
        self.isRecorded = isRecorded
        (self.limit, self.bound) = (limit, bound)
        memory = isRecorded ? .unread : .read
    }

    /// Whether nothing runs or waits for its turn.
    public var isIdle: Bool { busy.isEmpty && queue.isEmpty }

    /// Returns whether a hook still has pairs to leave.
    public func owes(_ hook: String) -> Bool {
        pairs.contains { $0.key.hook == hook && $0.value.state.entry != nil }
    }

    /// Handles an input and returns the resulting effects in order.
    public mutating func handle(_ input: HookInput, at moment: Moment) -> [HookEffect] {
        self.moment = moment
        switch input {
        case .changes(let triggers, let names): react(to: triggers, only: names)
        case .wanted(let applications, let reason): thaw(applications, because: reason)
        case .sessionMayEnd: expectSessionEnd()
        case .timer: advance()
        case .started(let id, let process): started(id, process)
        case .ended(let id, let outcome, let time): ended(id, outcome, after: time)
        case .answered(let id, let answer, let failure): answered(id, answer, failure)
        case .refused(let id, let reason, let other): refused(id, reason, sharing: other)
        case .lacks(let job, let lack):
            keep(.failed, of: job, lack)
            say(.once(lack))
        case .aimed(let id, let hold, let companions): aimed(id, hold, sharedWith: companions)
        case .froze(let id, let result): froze(id, result)
        case .notThawed(let application, let holds): notThawed(application, holds)
        case .identified(let job, let processes): pairs[job.key]?.state.entry?.processes = processes
        case .recorded(let id, let failure): recorded(id, failure)
        case .restored(let pairs): restore(pairs)
        case .notRestored(let reason): memory = .failed(reason)
        case .reload(let hooks): reload(hooks)
        case .suspend(let names): suspend(names)
        case .thaw(let applications): thawForUser(applications)
        case .stop: stop()
        case .close: isClosed = true
        }
        thawLeft()
        startQueued()
        let isIdleChange = if case .changes = input { effects.isEmpty && !isChanged } else { false }
        if !isIdleChange {
            forgetPairs()
            next = nextMoment()
        }
        if isChanged && isRecorded {
            lastWrite = nextWrite
            // None of the current effects depends on this write.
            effects.append(.record(lastWrite, identify: entering))
            entering = []
        }
        isChanged = false
        justThawed = []
        defer { effects = [] }
        return effects
    }

    var nextWrite: WriteID { lastWrite + 1 }

    mutating func add(_ effect: HookEffect) {
        if case .thaw(let jobs, _, _, _) = effect { justThawed.formUnion(jobs.map(\.subject.application)) }
        effects.append(effect)
    }

    mutating func newRun(of key: Job.Key) -> RunID {
        lastRun += 1
        runs[lastRun] = key
        return lastRun
    }

    /// Removes a run and returns the key of its pair.
    mutating func take(_ id: RunID) -> Job.Key? { runs.removeValue(forKey: id) }

    private func nextMoment() -> Duration? {
        var next = retries.values.compactMap(\.due).min()
        func consider(_ moment: Duration?) {
            if let moment, next.map({ moment < $0 }) ?? true { next = moment }
        }
        for pair in pairs.values {
            if let waiting = pair.waiting, !waiting.isParked { consider(waiting.due) }
            guard case .held(let entry) = pair.state else { continue }
            consider(entry.wakeAt)
            if case .thawed(let end, _, _) = entry.freeze { consider(end) }
        }
        return next
    }

    /// Returns the keys of the pairs that match, in the order in which the pairs were first seen.
    func keys(where isMeant: (Job.Key, Pair) -> Bool) -> [Job.Key] {
        pairs.filter(isMeant).sorted { $0.value.number < $1.value.number }.map(\.key)
    }

    /// Returns the other applications that the hook of a job holds.
    public func fellows(of job: Job) -> Set<String> {
        if !job.hook.sharesProcesses { return [] }
        let keys = keys { key, pair in
            let entry = pair.state.entry.flatMap { $0.isRestored || $0.freeze == .forbidden ? nil : $0 }
            return entry?.job.hook == job.hook && key != job.key && isStillEntered(key)
        }
        return Set(keys.map(\.subject.application))
    }

    /// Returns the application of a job and those that are frozen with it.
    public func applications(sharedBy job: Job) -> Set<String> {
        (companions[job.key] ?? []).union([job.subject.application])
    }

    // MARK: Remarks

    /// Reports a remark, and keeps the reason that 'hooks why' and 'hooks status' print.
    mutating func say(_ remark: Remark) {
        if let (kind, job, reason) = remark.event { keep(kind, of: job, reason) }
        add(.say(remark))
    }

    mutating func keep(_ kind: HookEvent.Kind, of job: Job, _ reason: String) {
        let time = kind == .matched ? job.trigger.time : moment.time
        history.note(HookEvent(kind, of: job, reason, at: time))
        switch kind {
        case .excepted: note(.excepted, of: job, reason)
        case .vetoed: note(.excepted, of: job, "'unless' vetoes it")
        case .failed, .timedOut: note(.failed, of: job, reason)
        case .matched, .ran, .collapsed, .leftTooEarly: break
        }
    }

    mutating func note(_ state: HookStatus.State, of job: Job, _ reason: String) {
        let note = PairNote(state: state, job: job, reason: reason, time: moment.time)
        update(job.key) { $0.note = note }
    }

    /// Removes the notes about a closed subject.
    mutating func dropNotes(of subject: SubjectID) {
        for key in pairs.keys where key.subject == subject { pairs[key]?.note = nil }
    }

    // MARK: The record

    /// The pairs that are still to be left, with their holds, in the order in which the pairs were first seen.
    public var owed: [RecordedPair] {
        keys { $1.state.entry != nil }.compactMap { key in
            guard let entry = pairs[key]?.state.entry else { return nil }
            let freeze =
                entry.job.hook.builtIns.contains(.freeze)
                ? holdings.freeze(of: key.subject.application) : []
            return RecordedPair(
                entry: PairEntry(entry.job, entry.processes), started: entry.started,
                holds: freeze + holdings.holds(of: key))
        }
    }
}
