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
    var applications = Applications()
    private var unsent: [ApplicationInput] = []
    /// The applications that the user freezes by hand.
    var hands: [String: HandFreeze] = [:]
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
    public var isIdle: Bool { busy.isEmpty && queue.isEmpty && applications.isIdle }

    /// Returns whether a hook still has pairs to leave.
    public func owes(_ hook: String) -> Bool {
        pairs.contains { $0.key.hook == hook && $0.value.state.begun != nil } || applications.owes(hook)
    }

    /// Handles an input and returns the resulting effects in order.
    public mutating func handle(_ input: HookInput, at moment: Moment) -> [HookEffect] {
        self.moment = moment
        switch input {
        case .changes(let triggers, let names): react(to: triggers, only: names)
        case .timer: advance()
        case .started(let id, let process): started(id, process)
        case .ended(let id, let outcome, let time): ended(id, outcome, after: time)
        case .application(let input): pass(input)
        case .lacks(let job, let lack):
            keep(.failed, of: job, lack)
            say(.once(lack))
        case .identified(let job, let processes): pairs[job.key]?.state.entry?.processes = processes
        case .recorded(let id, let failure): recorded(id, failure)
        case .restored(let pairs): restore(pairs)
        case .notRestored(let reason):
            memory = .failed(reason)
            for name in hands.keys.sorted() { endHand(name, because: "is not frozen: \(reason)") }
        case .reload(let hooks): reload(hooks)
        case .suspend(let names): suspend(names)
        case .thaw(let names): thawForUser(names)
        case .freeze(let trigger, let hook, let time): freezeByHand(trigger, hook, for: time)
        case .stop: stop()
        case .close: isClosed = true
        }
        startQueued()
        hands = hands.filter { $0.value.end.map { $0 > moment.sinceBoot } ?? true }
        sendAll()
        if reportHands() { sendAll() }
        forgetPairs()
        if isChanged {
            lastWrite = nextWrite
            // None of the current effects depends on this write.
            if isRecorded {
                effects.append(.record(lastWrite, identify: entering))
            } else {
                send(.recorded(lastWrite, failure: nil))
                sendAll()
            }
        }
        (isChanged, entering) = (false, [])
        next = nextMoment()
        defer { effects = [] }
        return effects
    }

    /// What the hooks and the user want of applications.
    var votes: [Vote] {
        if isStopping || isClosed { return [] }
        let voting = keys { key, pair in
            if case .voting = pair.state { !suspended.contains(key.hook) } else { false }
        }
        // Before the record of an earlier process is read, nothing can be recorded.
        let hands = if case .read = memory { hands } else { [:] as [String: HandFreeze] }
        return voting.compactMap { pairs[$0]?.state.begun }.map { Vote(job: $0) }
            + hands.values.sorted { $0.job.subject.application < $1.job.subject.application }
            .map { Vote(job: $0.job, isByHand: true) }
    }

    /// Keeps an input for the machine of applications, which gets it together with the votes of this moment.
    mutating func send(_ input: ApplicationInput) { unsent.append(input) }

    private mutating func sendAll() {
        for effect in applications.handle(unsent + [.votes(votes)], at: moment, write: nextWrite) {
            if case .say(let remark) = effect { say(remark) } else { effects.append(.application(effect)) }
        }
        isChanged = isChanged || applications.isChanged
        unsent = []
    }

    /// Passes on an input of the performer. A sign ends a freeze by hand, but what only shows the application does not.
    mutating func pass(_ input: ApplicationInput) {
        switch input {
        case .wanted(let names, because: .wanted):
            return send(.wanted(names.subtracting(hands.keys), because: .wanted))
        case .wanted(let names, let reason):
            for name in names.sorted() { endHand(name, because: reason.words) }
        case .sessionMayEnd:
            for name in hands.keys.sorted() { endHand(name, because: ThawReason.sessionMayEnd.words) }
        default: break
        }
        send(input)
    }

    /// The applications that are frozen now.
    public var frozenApplications: Set<String> { applications.frozen }

    /// The applications with something that stops them, or is about to.
    public var heldApplications: Set<String> {
        Set(applications.all.filter { !$0.value.held.freeze.isEmpty }.keys)
    }

    /// The applications that are thawed for a while, and are frozen again later.
    public var awakeApplications: Set<String> {
        Set(applications.all.filter { if case .until = $0.value.rest { true } else { false } }.keys)
    }

    /// Returns the holds that freeze an application, or are about to.
    public func freeze(of application: String) -> [Hold] { applications.all[application]?.held.freeze ?? [] }

    public var frozenProcesses: Set<ProcessIdentity> {
        Set(frozenApplications.flatMap(freeze).flatMap(\.stopped))
    }

    var nextWrite: WriteID { lastWrite + 1 }

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
        }
        for hand in hands.values { consider(hand.end.map { moment + ($0 - moment.sinceBoot) }) }
        consider(applications.next)
        return next
    }

    /// Returns the keys of the pairs that match, in the order in which the pairs were first seen.
    func keys(where isMeant: (Job.Key, Pair) -> Bool) -> [Job.Key] {
        pairs.filter(isMeant).sorted { $0.value.number < $1.value.number }.map(\.key)
    }

    // MARK: Remarks

    /// Reports a remark, and keeps the reason that 'hooks why' and 'hooks status' print.
    mutating func say(_ remark: Remark) {
        if let (kind, job, reason) = remark.event { keep(kind, of: job, reason) }
        effects.append(.say(remark))
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

    /// The pairs that are still to be left, in the order in which the pairs were first seen, and what is held of
    /// applications.
    public var owed: [RecordedPair] {
        let entered = keys { $1.state.entry != nil }.compactMap { pairs[$0]?.state.entry }.map {
            RecordedPair(entry: PairEntry($0.job, $0.processes), started: $0.started)
        }
        return entered
            + applications.held.map { RecordedPair(entry: PairEntry($0.job, []), holds: $0.holds) }
    }
}

/// A freeze that the user requests.
struct HandFreeze: Sendable {
    let job: Job
    let since: Timestamp
    /// How long the application stays frozen at most; nil for no limit.
    let time: Duration?
    /// When the freeze ends by itself, since the boot; nil before the application is frozen.
    var end: Duration?
    var isReported = false
}

/// Freezes by hand.
extension HookEngine {
    mutating func freezeByHand(_ trigger: HookTrigger, _ hook: Hook, for time: Duration?) {
        let job = Job(hook: hook, part: .enter, trigger: trigger)
        if case .failed(let reason) = memory {
            return effects.append(.byHand(job.subject.application, failure: "is not frozen: \(reason)"))
        }
        hands[job.subject.application] = HandFreeze(job: job, since: moment.time, time: time)
    }

    /// Ends a freeze by hand, and reports it if the application is not frozen yet.
    mutating func endHand(_ name: String, because reason: String) {
        guard let hand = hands.removeValue(forKey: name), !hand.isReported else { return }
        effects.append(.byHand(name, failure: reason))
    }

    /// Reports what has become of the freezes by hand, and ends those that failed.
    ///
    /// - Returns: Whether any has ended.
    private mutating func reportHands() -> Bool {
        let count = hands.count
        for (name, hand) in hands where !hand.isReported {
            guard let application = applications.all[name] else { continue }
            if application.held.isFrozen && application.rounds == 0 {
                hands[name]?.isReported = true
                hands[name]?.end = hand.time.map { moment.sinceBoot + $0 }
                effects.append(.byHand(name, failure: nil))
            } else if let reason = applications.hindrance(of: hand.job) {
                endHand(name, because: reason)
            }
        }
        return hands.count < count
    }

    /// Ends a freeze by hand when the application is activated again, other than by a switch to its desktop, and what
    /// concerns one without windows.
    mutating func followHand(_ change: Change) {
        if change.to == .active, let from = change.from, from != .active, change.cause != .desktop {
            if hands[change.application] != nil { send(.wanted([change.application], because: .wanted)) }
            endHand(change.application, because: ThawReason.wanted.words)
        }
        if change.to == .active || change.to == nil { send(.shown(change.application)) }
        if change.kind != .closed || change.cause == .regroup { return }
        endHand(change.application, because: "it has no window")
        send(.closed(change.application))
    }
}
