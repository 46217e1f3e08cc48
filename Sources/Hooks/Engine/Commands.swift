import PhaseWatch
import System

/// The commands of all hooks and subjects, and the jobs that wait for their time or their turn.
struct Commands: Sendable {
    /// The largest number of programs that run at once.
    let limit: Int
    /// The largest number of runs that wait for their time or their turn.
    let bound: Int
    private(set) var all: [Job.Key: Command] = [:]
    private(set) var turns: [Turn] = []
    /// The hooks that do not react now.
    private(set) var suspended: Set<String> = []
    /// Whether the power supply is known. Until then, the jobs of hooks that depend on it keep their turns.
    var knowsPower = false
    /// Whether no job begins any longer.
    var isClosed = false
    private var isOverflowing = false
    private var lastNumber = 0

    init(limit: Int, bound: Int) { (self.limit, self.bound) = (limit, bound) }

    subscript(key: Job.Key) -> Command? { all[key] }

    /// The keys of all commands, in the order in which hooks and subjects were first seen.
    var keys: [Job.Key] { all.sorted { $0.value.number < $1.value.number }.map(\.key) }

    /// The pairs with programs that are not left yet, in that order.
    var entries: [Entry] { keys.compactMap { all[$0]?.state.entry } }

    /// The votes of the hooks that react now.
    var votes: [Job] {
        if isClosed { return [] }
        return keys.compactMap { all[$0]?.state.vote }.filter { !suspended.contains($0.hook.name) }
    }

    /// The lanes in which something runs or is written, one for each command.
    private var busyLanes: [Job.Lane] { all.values.filter(\.state.isBusy).compactMap(\.state.job?.lane) }

    /// Returns whether nothing runs, waits for its turn or is owed.
    func isIdle(at now: Duration) -> Bool {
        !all.values.contains(where: \.state.isBusy)
            && !turns.contains { turn in
                turn.job.part == .leave || turn.due <= now && !suspended.contains(turn.job.hook.name)
            }
    }

    private mutating func update(_ key: Job.Key, _ change: (inout Command) -> Void) {
        if all[key] == nil { lastNumber += 1 }
        change(&all[key, default: Command(number: lastNumber)])
    }

    private mutating func set(_ state: Command.State, of job: Job) { update(job.key) { $0.state = state } }

    /// Records whether a hook matches its subject now.
    ///
    /// - Returns: Whether it matched before.
    mutating func setInside(_ key: Job.Key, _ isInside: Bool) -> Bool {
        let wasInside = all[key]?.isInside ?? false
        if isInside || all[key] != nil { update(key) { $0.isInside = isInside } }
        return wasInside
    }

    /// Forgets commands about which nothing must be known.
    mutating func forgetIdle(_ hooks: [Hook], at now: Duration) {
        for (key, command) in all where command.isIdle {
            let hook = hooks.first { $0.name == key.hook }
            if rest(of: key, hook, at: now) == nil { all[key] = nil }
        }
    }

    /// Returns the time from one run to the next of a hook that does not run again yet; nil if it may run.
    private func rest(of key: Job.Key, _ hook: Hook?, at now: Duration) -> Duration? {
        guard let ran = all[key]?.ran, let every = hook?.every, now < ran + every else { return nil }
        return every
    }

    // MARK: Turns

    /// Gives the job a turn, after its delay if there is one.
    mutating func enqueue(_ job: Job, _ out: inout Output) {
        if job.part != .run { turns.removeAll { $0.job.key == job.key && $0.job.part == job.part } }
        // Those of suspended hooks have a bound of their own: they must not keep others from running.
        let isSuspended = suspended.contains(job.hook.name)
        let waiting = turns.count { suspended.contains($0.job.hook.name) == isSuspended }
        if waiting >= bound {
            if !isOverflowing {
                out.request(
                    .say(
                        "\(bound) runs of hooks are waiting; further runs are dropped until there are fewer",
                        as: .notice))
            }
            isOverflowing = true
        } else {
            turns.append(Turn(job: job, due: out.moment + job.hook.after))
        }
    }

    /// Drops the turns of a part after a change, and reports which condition did not last. A run whose time has come keeps
    /// its turn when the application closes, since it may clean up after it.
    mutating func drop(_ part: Job.Part, of key: Job.Key, isClosed: Bool, _ out: inout Output) {
        let now = out.now
        func isMeant(_ turn: Turn) -> Bool {
            turn.job.key == key && turn.job.part == part && (part != .run || !isClosed || turn.due > now)
        }
        let dropped = turns.filter(isMeant)
        turns.removeAll(where: isMeant)
        for turn in dropped where !suspended.contains(key.hook) {
            out.report(turn.due <= now ? .replaced : isClosed ? .closed : .left, of: turn.job)
        }
    }

    /// The pair stays entered: drops what waits for its end, and behind that.
    mutating func stay(_ key: Job.Key) {
        turns.removeAll { $0.job.key == key }
        all[key]?.state.entry?.retry = nil
    }

    /// Ends a vote, or gives the `leave` of an entered pair a turn, unless the pair is being left already.
    mutating func leave(_ key: Job.Key, on trigger: HookTrigger, at now: Duration) {
        switch all[key]?.state {
        case .voting(let job, _): set(.idle, of: job)
        case .entered(let entry) where !entry.isLeaving && !isOwed(key):
            turns.append(Turn(job: Job(hook: entry.job.hook, part: .leave, trigger: trigger), due: now))
        default: break
        }
    }

    /// Returns whether a `leave` waits for its turn.
    func isOwed(_ key: Job.Key) -> Bool { turns.contains { $0.job.key == key && $0.job.part == .leave } }

    /// Abandons a check: the hook does not run, whatever the answer is.
    ///
    /// - Returns: The job that the check was for.
    @discardableResult
    mutating func stopCheck(_ key: Job.Key, _ out: inout Output) -> Job? {
        guard case .checking(let id, let job, isAbandoned: false) = all[key]?.state else { return nil }
        all[key]?.state = .checking(id, job, isAbandoned: true)
        out.request(.end(id))
        return job
    }

    /// Begins the jobs whose time and turn have come, in order.
    ///
    /// - Parameter part: The only part to begin; nil for all.
    mutating func startDue(only part: Job.Part? = nil, _ out: inout Output) {
        if isClosed { return }
        if case .unread = out.record.earlier { return }
        while let index = nextTurn(only: part, at: out.now) {
            let job = turns.remove(at: index).job
            if job.part == .leave {
                beginLeave(job, &out)
            } else if let every = rest(of: job.key, job.hook, at: out.now) {
                out.report(.repeated(every), of: job)
            } else if job.hook.unless == nil || refusal(of: job, out) != nil {
                // Before any check: the record may be read before the answer arrives, and may contain this pair.
                begin(job, &out)
            } else {
                let id = out.newRun()
                set(.checking(id, job, isAbandoned: false), of: job)
                out.request(.run(id, job, isCheck: true, processes: nil))
            }
        }
        if isOverflowing, turns.count < bound / 2 { isOverflowing = false }
    }

    private func nextTurn(only part: Job.Part?, at now: Duration) -> Int? {
        if turns.isEmpty { return nil }
        let busy = busyLanes
        if busy.count >= limit { return nil }
        return turns.indices.filter { index in
            let (job, due) = (turns[index].job, turns[index].due)
            return due <= now && part ?? job.part == job.part && !busy.contains(job.lane)
                && (all[job.key]?.state ?? .idle).mayBegin(job.part)
                && (job.part == .leave || !suspended.contains(job.hook.name) && !awaitsPower(job))
        }.min { (turns[$0].due, $0) < (turns[$1].due, $1) }
    }

    /// Returns whether a job waits until the power supply is known.
    func awaitsPower(_ job: Job) -> Bool { !knowsPower && job.hook.power != nil }

    private func refusal(of job: Job, _ out: Output) -> String? {
        job.part == .enter ? out.record.failure : nil
    }

    /// Begins a job that `unless` does not veto.
    private mutating func begin(_ job: Job, _ out: inout Output) {
        if isClosed {
            set(.idle, of: job)
        } else if let reason = refusal(of: job, out) {
            refuse(job, reason, &out)
        } else if !job.hook.builtIns.isEmpty {
            set(.voting(job, since: out.moment.time), of: job)
        } else if job.part == .run {
            set(.running(run(job, &out), job), of: job)
            all[job.key]?.ran = out.now
        } else {
            let step = Entry.Step.recording(out.record.next)
            set(.entered(Entry(job: job, step: step, since: out.moment.time)), of: job)
            out.record.isChanged = true
        }
    }

    private mutating func refuse(_ job: Job, _ reason: String, _ out: inout Output) {
        forget(job)
        let outcome = Outcome.notStarted("not run, since its 'leave' cannot be recorded: \(reason)")
        out.report(.ended(outcome, isCheck: false, after: .zero), of: job)
    }

    private func run(
        _ job: Job, processes: [ProcessIdentity]? = nil, _ out: inout Output
    ) -> RunID {
        let id = out.newRun()
        out.request(.run(id, job, isCheck: false, processes: processes))
        out.report(.started, of: job)
        return id
    }

    private mutating func beginLeave(_ job: Job, _ out: inout Output) {
        guard var entry = all[job.key]?.state.entry else { return }
        entry.since = out.moment.time
        entry.step = .leaving(run(job, processes: entry.processes, &out), job)
        set(.entered(entry), of: job)
    }

    /// Forgets the entry of a pair that owes nothing any longer.
    private mutating func release(_ job: Job, _ out: inout Output) {
        forget(job)
        out.record.isChanged = true
    }

    private mutating func forget(_ job: Job) {
        set(.idle, of: job)
        turns.removeAll { $0.job.key == job.key && $0.job.part == .leave }
    }

    // MARK: Answers

    mutating func identified(_ job: Job, _ processes: [ProcessIdentity]) {
        all[job.key]?.state.entry?.processes = processes
    }

    mutating func started(_ id: RunID, _ process: ProcessIdentity, _ out: inout Output) {
        guard let (key, command) = all.first(where: { $0.value.state.run == id }),
            let entry = command.state.entry
        else { return }
        let part = entry.isLeaving ? Job.Part.leave : .enter
        all[key]?.state.entry?.started = UndoRecordEntry.StartedPart(part: part, process: process)
        out.record.isChanged = true
    }

    mutating func ended(_ id: RunID, _ outcome: Outcome, after time: Duration, _ out: inout Output) {
        guard let state = all.values.first(where: { $0.state.run == id })?.state, let job = state.job
        else { return }
        let isCheck = if case .checking = state { true } else { false }
        out.report(.ended(outcome, isCheck: isCheck, after: time), of: job)
        switch state {
        case .checking(_, _, isAbandoned: false) where outcome != .exited(0):
            begin(job, &out)
        case .checking(_, _, let isAbandoned):
            set(.idle, of: job)
            if !isAbandoned { out.report(.vetoed, of: job) }
        case .entered(let entry):
            if entry.isLeaving, case .postponed = outcome {
                let retry = Retry(after: entry.retry, at: out.now)
                all[job.key]?.state.entry?.retry = retry
                all[job.key]?.state.entry?.step = .held
                turns.append(Turn(job: job, due: retry.due))
                out.report(.retried(retry.delay), of: job)
            } else if entry.isLeaving || !outcome.hasStarted {
                // An `enter` that did not start needs no `leave`.
                release(job, &out)
            } else {
                all[job.key]?.state.entry?.step = .held
            }
        case .running, .voting, .idle:
            set(.idle, of: job)
            // What did not start does not count.
            if !outcome.hasStarted { all[job.key]?.ran = nil }
        }
    }

    /// Begins each `enter` that waits for a write, or refuses it.
    ///
    /// - Returns: Whether any has waited.
    mutating func recorded(_ id: WriteID, _ failure: String?, _ out: inout Output) -> Bool {
        var isAwaited = false
        for key in keys {
            guard let entry = all[key]?.state.entry, case .recording(let own) = entry.step, own <= id
            else { continue }
            isAwaited = true
            if let failure {
                refuse(entry.job, failure, &out)
            } else {
                let id = run(entry.job, &out)
                all[key]?.state.entry?.step = .entering(id)
            }
        }
        return isAwaited
    }

    // MARK: The life cycle

    /// Adds a pair that an earlier process has entered, and leaves it.
    ///
    /// - Parameter started: The part that still runs.
    mutating func restore(
        _ job: Job, processes: [ProcessIdentity], started: UndoRecordEntry.StartedPart?,
        _ out: inout Output
    ) {
        var entry = Entry(job: job, step: .held, since: out.moment.time, processes: processes)
        // A `leave` that still runs must not run again, even if something else of its lane runs by now.
        if let started, started.part == .leave || !busyLanes.contains(job.lane) {
            let running = Job(hook: job.hook, part: started.part, trigger: job.trigger)
            let id = out.newRun()
            entry.started = started
            entry.step = started.part == .leave ? .leaving(id, running) : .entering(id)
            out.request(.follow(id, running, started.process))
            out.report(.followed, of: running)
        }
        set(.entered(entry), of: job)
        leave(job.key, on: job.trigger.abandoned(at: out.moment.time), at: out.now)
    }

    /// The hooks that a reload has changed match nothing yet.
    mutating func forgetMatches(ofOthersThan unchanged: Set<String>) {
        for key in all.keys where !unchanged.contains(key.hook) { all[key]?.isInside = false }
    }

    /// Begins the end: what waits to be left is left now, and an `enter` that waits for the disk is not run.
    mutating func hurry(_ out: inout Output) {
        for index in turns.indices where turns[index].job.part == .leave {
            turns[index].due = min(turns[index].due, out.now)
        }
        for entry in entries {
            if case .recording = entry.step { release(entry.job, &out) }
        }
    }

    /// Gives up what is done for some hooks.
    mutating func giveUp(_ isMeant: (Hook) -> Bool, _ out: inout Output) {
        turns.removeAll { $0.job.part != .leave && isMeant($0.job.hook) }
        for key in keys where all[key]?.state.job.map({ isMeant($0.hook) }) ?? false {
            stopCheck(key, &out)
            guard let job = all[key]?.state.entered else { continue }
            leave(key, on: job.trigger.abandoned(at: out.moment.time), at: out.now)
        }
    }

    /// Leaves the pairs of the hooks that are suspended now, but for votes, which do not count. Jobs of `enter` keep their
    /// turns: if a phase still lasts when the hook reacts again, the pair is entered once `after` has passed since the phase
    /// began.
    ///
    /// - Parameter mayLeave: Whether nothing is being left for another reason.
    mutating func suspend(_ names: Set<String>, mayLeave: Bool, _ out: inout Output) {
        let new = names.subtracting(suspended)
        suspended = names
        turns.removeAll { $0.job.part == .run && new.contains($0.job.hook.name) }
        for key in keys where new.contains(key.hook) {
            if let job = stopCheck(key, &out), job.part == .enter {
                turns.append(Turn(job: job, due: out.now))
            }
            guard let entry = all[key]?.state.entry, mayLeave, !entry.isLeaving, !isOwed(key) else {
                continue
            }
            leave(key, on: entry.job.trigger.abandoned(at: out.moment.time), at: out.now)
            turns.append(Turn(job: entry.job, due: out.now))
        }
    }

    /// Gives up the jobs that would freeze these applications; nil for all.
    mutating func thaw(_ names: Set<String>?, _ out: inout Output) {
        let suspended = suspended
        func isMeant(_ job: Job) -> Bool {
            job.part != .leave && job.wantsFreeze && !suspended.contains(job.hook.name)
                && names?.contains(job.application) ?? true
        }
        var given = turns.map(\.job).filter(isMeant)
        turns.removeAll { isMeant($0.job) }
        for key in keys where all[key]?.state.job.map(isMeant) ?? false {
            if let job = stopCheck(key, &out) { given.append(job) }
        }
        for job in given { out.note(.excepted(because: Hindrance(.thawedByUser).words), of: job) }
    }
}
