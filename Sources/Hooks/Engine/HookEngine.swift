import PhaseWatch
import System

/// A state machine that decides what hooks do and when: delays, vetoes, turns, pairs, reactions and their undoing.
///
/// The engine is a value without side effects: it takes inputs and returns effects. The answer to an effect is another
/// input.
public struct HookEngine: Sendable {
    /// Whether the record of an earlier process was read, or why not.
    enum EarlierRecord: Sendable {
        case unread
        case failed(String)
        case read
    }

    public internal(set) var hooks: [Hook]
    /// The largest number of programs that run at once.
    let limit: Int
    /// The largest number of runs that wait for their time or their turn.
    let bound: Int
    var commands: [Job.Key: Command] = [:]
    var turns: [Turn] = []
    /// The phases of everything that hooks of the level `all` match, by the name of the hook.
    var members: [String: [SubjectID: ScenePhase]] = [:]
    /// The states of the session that hold, and what has begun each.
    var session: [SessionLimit: HookTrigger] = [:]
    var applications: [String: Application] = [:]
    /// The applications that the user freezes by hand.
    var hands: [String: HandFreeze] = [:]
    /// Why the present input has ended votes for applications, unless their phases have ended.
    var endings: [String: String] = [:]
    /// The time until which the user may be looking at a dialog about the end of the session.
    var sessionEnd = Duration.zero
    /// Applications without windows that others may share processes with.
    var closed: Set<String> = []
    public internal(set) var suspended: Set<String> = []
    public internal(set) var history = HookHistory()
    var record = EarlierRecord.unread
    var isStopping = false
    public internal(set) var isClosed = false
    var isOverflowing = false
    private var lastRun: RunID = 0
    var lastNumber = 0
    private var lastWrite: WriteID = 0
    /// Whether `owed` has changed, and the record must be written.
    var isChanged = false
    var hasWriteFailed = false
    var moment = Moment(now: .zero, time: Timestamp(seconds: 0, nanoseconds: 0))
    var effects: [HookEffect] = []
    /// The time at which an input `timer` is due; nil for never.
    public private(set) var next: Duration?

    public init(hooks: [Hook], limit: Int = 16, bound: Int = 4096) {
        self.hooks = hooks
        self.limit = limit
        self.bound = bound
    }

    /// Whether nothing runs, waits for its turn or is owed.
    public var isIdle: Bool {
        applications.values.allSatisfy(\.isIdle) && !commands.values.contains(where: \.state.isBusy)
            && !turns.contains { turn in
                turn.job.part == .leave
                    || turn.due <= moment.now && !suspended.contains(turn.job.hook.name)
            }
    }

    /// Whether the history has a failure of a program or of a reaction.
    public var hasFailures: Bool {
        history.pasts.values.contains { $0.events.contains { $0.kind.state == .failed } }
    }

    /// Returns whether a hook still has pairs to leave, or reactions to undo.
    public func owes(_ hook: String) -> Bool {
        commands.contains { $0.key.hook == hook && $0.value.state.begun != nil }
            || applications.values.contains { application in
                application.held.holds.contains { application.job(for: [$0.builtIn])?.hook.name == hook }
            }
    }

    /// Handles an input and returns the resulting effects in order.
    public mutating func handle(_ input: HookInput, at moment: Moment) -> [HookEffect] {
        self.moment = moment
        endHands(by: input)
        take(input)
        startDue()
        advanceApplications()
        if reportHands() { advanceApplications() }
        for (key, command) in commands where command.isIdle && rest(of: key) == nil { commands[key] = nil }
        if isChanged {
            lastWrite = nextWrite
            // None of the current effects depends on this write.
            effects.append(.record(lastWrite, identify: entering(lastWrite)))
        }
        isChanged = false
        next = nextMoment()
        defer { (effects, endings) = ([], [:]) }
        return effects
    }

    private mutating func take(_ input: HookInput) {
        switch input {
        case .changes(let triggers, let names): react(to: triggers, only: names)
        case .fire(let job): enqueue(job)
        case .timer: break
        case .started(let id, let process): started(id, process)
        case .ended(let id, let outcome, let time): ended(id, outcome, after: time)
        case .identified(let job, let processes): commands[job.key]?.state.entry?.processes = processes
        case .recorded(let id, let failure): recorded(id, failure)
        case .restored(let pairs, let running): restore(pairs, running)
        case .notRestored(let reason): record = .failed(reason)
        case .asked(let id, _), .froze(let id, _), .applied(let id, _), .undone(let id, _, _):
            answered(id, input)
        case .notThawed(let job, let holds): notThawed(job, holds)
        case .sign(let names, let reason):
            // What only shows an application does not end a freeze by hand.
            for name in names where reason != .used || hands[name] == nil {
                applications[name]?.rest(because: reason, at: moment.now)
            }
        case .called(let name, let call):
            if let count = applications[name]?.calls.count, count < Application.mostCalls {
                applications[name]?.calls.insert(call)
            }
        case .answered(let name, let call): applications[name]?.calls.remove(call)
        case .sessionMayEnd: sessionEnd = moment + Self.sessionPatience
        case .reload(let hooks): reload(hooks)
        case .suspend(let names): suspend(names)
        case .thaw(let names): thawForUser(names)
        case .freeze(let trigger, let hook, let time):
            let job = Job(hook: hook, part: .enter, trigger: trigger)
            hands[job.application] = HandFreeze(job: job, time: time)
        case .stop: stop()
        case .close: isClosed = true
        }
    }

    /// What the hooks and the user want of applications.
    var votes: [Job] {
        if isStopping || isClosed { return [] }
        let voting = keys.filter { !suspended.contains($0.hook) }.compactMap { key in
            if case .voting(let job, _) = commands[key]?.state { job } else { nil }
        }
        // Before the record of an earlier process is read, nothing can be recorded.
        let hands = if case .read = record { hands } else { [:] as [String: HandFreeze] }
        return voting + hands.values.map(\.job)
    }

    /// The applications that are frozen now, or about to be.
    public var frozenApplications: Set<String> {
        let frozen = applications.filter { _, it in
            if case .freezing = it.step { true } else { it.held.standing.isStopped }
        }
        return Set(frozen.keys)
    }

    /// Returns whether a freeze is still wanted: a sign may have ended it before it began.
    public func isFreezing(_ id: RunID) -> Bool { applications.values.contains { $0.step == .freezing(id) } }

    /// Whether nothing is done to any application, nor asked about it.
    public var holdsNothing: Bool { applications.values.allSatisfy(\.isIdle) }

    /// The applications with something that stops them, or is about to.
    public var heldApplications: Set<String> {
        Set(applications.filter { $0.value.held.standing != .free }.keys)
    }

    /// The applications that are thawed for a while, and are frozen again later.
    public var awakeApplications: Set<String> {
        Set(
            applications.values.filter { it in
                it.hindrances.contains { !$0.has(.glance) && $0.until != nil && $0.has(.rest, at: moment.now) }
            }.map(\.name))
    }

    /// Returns the holds that freeze an application, or are about to.
    public func freeze(of application: String) -> [Hold] {
        applications[application]?.held.standing.holds ?? []
    }

    /// Returns whether a program that an application has just started may postpone its freeze.
    public func mayPostpone(_ application: String) -> Bool {
        applications[application]?.mayPostpone(at: moment.now) ?? true
    }

    public var frozenProcesses: Set<ProcessIdentity> {
        Set(frozenApplications.flatMap(freeze).flatMap(\.stopped))
    }

    var nextWrite: WriteID { lastWrite + 1 }

    mutating func newRun() -> RunID {
        lastRun += 1
        return lastRun
    }

    /// What is due already has been done, or waits for something else, such as an answer.
    private func nextMoment() -> Duration? {
        let ends = hands.values.compactMap { $0.end.map { moment + ($0 - moment.sinceBoot) } }
        let session = applications.values.contains { !$0.votes.isEmpty } ? [sessionEnd] : []
        return (ends + session + turns.map(\.due) + applications.values.flatMap(\.times))
            .filter { $0 > moment.now }.min()
    }

    mutating func update(_ key: Job.Key, _ change: (inout Command) -> Void) {
        if commands[key] == nil { lastNumber += 1 }
        change(&commands[key, default: Command(number: lastNumber)])
    }

    /// The keys of all commands, in the order in which hooks and subjects were first seen.
    var keys: [Job.Key] { commands.sorted { $0.value.number < $1.value.number }.map(\.key) }

    /// The entries that are still to be left, in that order.
    private var entries: [Entry] { keys.compactMap { commands[$0]?.state.entry } }

    /// The lanes in which something runs or is written, one for each command.
    var busyLanes: [Job.Lane] { commands.values.filter(\.state.isBusy).compactMap(\.state.job?.lane) }

    /// Logs a line about a job. 'hooks why' and 'hooks status' print the reason of its event, by default the line's text.
    mutating func say(
        _ job: Job, _ text: String, _ kind: HookEvent.Kind? = nil, because reason: String? = nil
    ) {
        let event = kind.map { history.note($0, of: job, reason ?? text, at: moment.time) }
        effects.append(.say(Remark(job: job, line: RunWords.about(job, text), event: event)))
    }

    mutating func say(_ form: Remark.Form, _ line: String) {
        effects.append(.say(Remark(line: line, form: form)))
    }

    // MARK: The record

    /// The pairs that are still to be left, in the order in which the pairs were first seen, and what is held of
    /// applications.
    public var owed: [UndoRecordEntry] {
        let entered = entries.map {
            UndoRecordEntry($0.job, processes: $0.processes, started: $0.started)
        }
        let held = applications.values.filter { !$0.held.holds.isEmpty }.sorted { $0.name < $1.name }
        return entered + held.compactMap { it in it.job.map { UndoRecordEntry($0, holds: it.held.holds) } }
    }

    /// The jobs of `enter` that wait for this write.
    private func entering(_ id: WriteID) -> [Job] {
        entries.filter { $0.step == .recording(id) }.map(\.job)
    }
}
