import Console
import PhaseWatch
import System

/// A state machine that decides what hooks do and when: delays, vetoes, turns, pairs, reactions and their undoing.
///
/// The engine is a value without side effects: it takes inputs and returns effects. The answer to an effect is another
/// input. Its parts have rules of their own: `Commands` runs programs and begins votes in turns, `Applications` compares
/// what the votes want of applications with what is done, and `Output` numbers and reports.
public struct HookEngine: Sendable {
    public private(set) var hooks: [Hook]
    private(set) var commands: Commands
    private(set) var applications = Applications()
    private(set) var whole = Whole()
    private(set) var out = Output()
    /// The time after a sign of a session end during which the user may be looking at a dialog.
    private static let sessionPatience = Duration.seconds(60)
    /// The hooks that the user has paused.
    public private(set) var pauses = Pauses()
    /// The power supply of the machine; nil while it is not known.
    private var power: Power?
    private var isStopping = false

    public init(hooks: [Hook], limit: Int = 16, bound: Int = 4096) {
        self.hooks = hooks
        commands = Commands(limit: limit, bound: bound)
    }

    /// Handles an input and returns the resulting effects in order.
    public mutating func handle(_ input: HookInput, at moment: Moment) -> [HookEffect] {
        out.moment = moment
        applications.endHands(by: input, &out)
        take(input)
        let ended = pauses.expire(at: moment.sinceBoot).joined(separator: ", ")
        if !ended.isEmpty { out.request(.say("hooks: the pause of \(ended) has ended", as: .line)) }
        suspend()
        commands.startDue(&out)
        advanceApplications()
        let lack = out.record.failure.map { "is not frozen: \($0)" }
        let failure = isStopping ? ThawReason.stopped.words : lack
        if applications.reportHands(failure, &out) { advanceApplications() }
        commands.forgetIdle(hooks, at: moment.now)
        if let write = out.record.takeRequest() {
            // None of the current effects depends on this write.
            let entering = commands.entries.filter { $0.step == .recording(write) }
            out.request(.record(write, identify: entering.map(\.job)))
        }
        return out.takeEffects()
    }

    /// Returns the monotonic time at which an input `timer` is due; nil for never. The time since the boot goes on while
    /// the machine sleeps.
    public func next(at now: Duration, sinceBoot: Duration) -> Duration? {
        let times = commands.turns.map(\.due) + applications.times
        let hands = applications.all.values.compactMap { $0.hand?.end }
        let ends = hands + [pauses.next].compactMap(\.self)
        // What was due at the last input has been done, or waits for something else, such as an answer.
        let due = times.filter { $0 > moment.now }.min()
        let end = ends.filter { $0 > moment.sinceBoot }.min()
        return [due, end.map { now + ($0 - sinceBoot) }].compactMap(\.self).min()
    }

    private mutating func take(_ input: HookInput) {
        switch input {
        case .changes(let triggers, let names): react(to: triggers, only: names)
        case .fire(let job): commands.enqueue(job, &out)
        case .timer: break
        case .started(let id, let process): commands.started(id, process, &out)
        case .ended(let id, let outcome, let time): commands.ended(id, outcome, after: time, &out)
        case .identified(let job, let processes): commands.identified(job, processes)
        case .recorded(let id, let failure): recorded(id, failure)
        case .restored(let entries, let running): restore(entries, running)
        case .notRestored(let reason): out.record.earlier = .failed(reason)
        case .asked(let id, _), .froze(let id, _), .applied(let id, _), .undone(let id, _, _):
            applications.take(input, of: id, &out)
        case .notThawed(let job, let holds): applications.notThawed(job, holds, &out)
        case .sign(let names, let reason): applications.noteSign(names, reason, at: out.now)
        case .called(let name, let call): applications.take(call, for: name)
        case .answered(let name, let call): applications.forget(call, for: name)
        case .sessionMayEnd: applications.sessionEnd = moment + Self.sessionPatience
        case .reload(let hooks): reload(hooks)
        case .pauses(let pauses): self.pauses = pauses
        case .power(let power):
            self.power = power
            commands.knowsPower = power != nil
        case .thaw(let names):
            commands.thaw(names, &out)
            applications.thaw(names)
        case .freeze(let trigger, let hook, let time):
            let job = Job(hook: hook, part: .enter, trigger: trigger)
            applications.begin(HandFreeze(job: job, time: time), &out)
        case .stop: stop()
        case .close: commands.isClosed = true
        }
    }

    // MARK: Changes

    private mutating func react(to triggers: [HookTrigger], only names: Set<String>?) {
        guard !isStopping else { return }
        whole.take(triggers)
        for trigger in triggers {
            guard let change = trigger.change else { continue }
            if change.kind == .closed { out.history.close(change.subjectID) }
            applications.noteWindows(change)
            // Most hooks are about other applications. To copy a hook takes longer than to check that.
            for index in hooks.indices
            where !hooks[index].condition.isOfWhole && hooks[index].condition.changes == change.level
                && change.isOf(hooks[index]) && names?.contains(hooks[index].name) ?? true
            {
                let isConcerned = hooks[index].condition.concerns(change)
                if !isConcerned && commands.all.isEmpty { continue }
                let key = Job.Key(hooks[index], change.subjectID)
                if isConcerned || commands[key] != nil { decide(hooks[index], trigger) }
            }
            // Start the job before the next change, which would remove it. Pairs wait for all changes: an application
            // that closes enters no pair for its last moment in the background.
            commands.startDue(only: .run, &out)
        }
        decideWhole(hooks.filter { names?.contains($0.name) ?? true }, triggers)
    }

    /// Decides for hooks with one subject, after all simultaneous changes.
    private mutating func decideWhole(_ hooks: [Hook], _ triggers: [HookTrigger]) {
        for hook in hooks where hook.condition.isOfWhole {
            let wasInside = commands[Job.Key(hook, Job.Key.whole)]?.isInside ?? false
            if let step = whole.step(of: hook, among: triggers, wasInside) { decide(hook, step) }
        }
    }

    /// Begins and ends what a hook does for a subject.
    private mutating func decide(_ hook: Hook, _ trigger: HookTrigger) {
        let job = Job(hook: hook, part: hook.pair == nil ? .run : .enter, trigger: trigger)
        let match = match(job)
        if job.part == .enter { decidePair(job, match) } else { decideRun(job, match) }
    }

    /// Returns whether a hook matches its subject before a trigger and after it. A change names the phase before it, but
    /// not the facts, so whether these matched is remembered.
    private mutating func match(_ job: Job) -> (before: Bool, after: Bool) {
        let hook = job.hook
        guard let change = job.trigger.change else {
            let begins = job.trigger.session?.begins ?? false
            return (commands.setInside(job.key, begins), begins)
        }
        func isInside(_ phase: ScenePhase) -> Bool { hook.phases?.contains(phase) ?? true }
        let followsFacts = hook.followsFacts && hook.condition.level != .all
        var after = change.to.map(isInside) ?? (job.trigger.isSurvived && hook.lastsClosed)
        if followsFacts { after = after && hook.condition.concerns(change) }
        let before = change.from.map(isInside) ?? false
        // What runs at a change of the phase alone needs no memory.
        if job.part == .run && !followsFacts { return (before, after) }
        let known = commands.setInside(job.key, after)
        return (followsFacts ? known : before, after)
    }

    private mutating func decideRun(_ job: Job, _ match: (before: Bool, after: Bool)) {
        if job.trigger.change?.keepsPhase ?? false {
            // A subject that still matches triggers no further run.
            if match.before == match.after { return }
            // Phases and titles trigger runs; a desktop or a process only filters them.
            if match.after, !job.hook.followsTitles { return }
        }
        // A job that waits for its turn runs even if the application closes, since it may clean up after it.
        commands.drop(.run, of: job.key, isClosed: job.trigger.closes, &out)
        if !job.trigger.closes { commands.stopCheck(job.key, &out) }
        if !job.hook.condition.matches(job.trigger) { return }
        out.note(.matched, of: job)
        if !commands.suspended.contains(job.hook.name) { commands.enqueue(job, &out) }
    }

    private mutating func decidePair(_ job: Job, _ match: (before: Bool, after: Bool)) {
        guard match.after else {
            commands.drop(.enter, of: job.key, isClosed: job.trigger.closes, &out)
            commands.stopCheck(job.key, &out)
            return commands.leave(job.key, on: job.trigger, at: out.now)
        }
        enter(job, isNew: !match.before && job.hook.condition.matches(job.trigger))
    }

    /// Enters a pair that is to be entered anew, or keeps one that is entered, or about to be.
    private mutating func enter(_ job: Job, isNew: Bool) {
        if isNew { out.note(.matched, of: job) }
        switch commands[job.key]?.state {
        // What closed and opened again is still inside, and the check goes on.
        case .checking(_, let checked, isAbandoned: false) where checked.hook == job.hook: break
        // A suspended hook keeps its vote, which does not count.
        case .voting(let vote, _) where vote.hook == job.hook: commands.stay(job.key)
        // An `enter` may wait behind a `leave`. If the hook has changed since, the `leave` of its old version continues.
        case .entered(let entry)
        where entry.job.hook == job.hook && !entry.isLeaving && !commands.suspended.contains(job.hook.name):
            commands.stay(job.key)
        default: if isNew { commands.enqueue(job, &out) }
        }
    }

    // MARK: Votes and the record

    /// Counts the votes. Before the record of an earlier process is read, nothing can be recorded, so the user's do not
    /// count.
    private mutating func advanceApplications() {
        let countsHands = out.record.isRead && !isStopping && !commands.isClosed
        applications.advance(commands.votes, countsHands: countsHands, &out)
    }

    private mutating func recorded(_ id: WriteID, _ failure: String?) {
        let hadFailed = out.record.hasWriteFailed
        out.record.hasWriteFailed = failure != nil
        let isEntering = commands.recorded(id, failure, &out)
        let isHolding = applications.recorded(id, failure, &out)
        if let failure, !isEntering, !isHolding, !hadFailed {
            out.request(.say("hooks: \(failure)", as: .line))
        }
    }

    // MARK: The life cycle: the start after a crash, reloads, pauses and the end

    private mutating func restore(_ entries: [UndoRecordEntry], _ running: Set<ProcessIdentity>) {
        out.record.earlier = .read
        // The whole record is written again.
        out.record.isChanged = true
        for entry in entries {
            let job = entry.job(at: out.moment.time)
            let started = entry.started.flatMap { running.contains($0.process) ? $0 : nil }
            // The `leave` has run and must not run twice.
            if entry.started?.part == .leave && started == nil { continue }
            if job.program == nil {
                applications.restore(entry.holds, job)
            } else {
                commands.restore(job, processes: entry.processes, started: started, &out)
            }
        }
    }

    private mutating func reload(_ hooks: [Hook]) {
        let kept = Set(hooks)
        let unchanged = Set(self.hooks.filter(kept.contains).map(\.name))
        self.hooks = hooks
        out.history.keep(hooks.map(\.name))
        pauses.keep(hooks.map(\.name))
        whole.forgetMembers(ofOthersThan: unchanged)
        commands.forgetMatches(ofOthersThan: unchanged)
        giveUp(because: "its hook has changed") { !kept.contains($0) }
        if !isStopping { decideWhole(hooks.filter { !unchanged.contains($0.name) }, whole.found) }
    }

    /// Suspends the hooks that do not react now, and no others.
    private mutating func suspend() {
        let names = Set(hooks.filter { idleRow(of: $0) != nil }.map(\.name))
        if names == commands.suspended { return }
        let votes = commands.votes.filter { names.contains($0.hook.name) }
        applications.explainEnd(of: votes, because: "its hook no longer reacts")
        commands.suspend(names, mayLeave: !isStopping && !commands.isClosed, &out)
    }

    private mutating func stop() {
        isStopping = true
        // There may be no further change to trigger a write.
        if out.record.hasWriteFailed { out.record.isChanged = true }
        commands.hurry(&out)
        applications.hurry()
        giveUp(because: ThawReason.stopped.words) { _ in true }
    }

    private mutating func giveUp(because reason: String, _ isMeant: (Hook) -> Bool) {
        applications.explainEnd(of: commands.votes.filter { isMeant($0.hook) }, because: reason)
        commands.giveUp(isMeant, &out)
    }

    // MARK: What others ask

    public var isClosed: Bool { commands.isClosed }
    public var history: HookHistory { out.history }
    var moment: Moment { out.moment }

    /// Whether nothing is done to any application, nor asked about it.
    public var holdsNothing: Bool { applications.all.values.allSatisfy(\.isIdle) }

    /// Whether nothing runs, waits for its turn or is owed.
    public var isIdle: Bool { holdsNothing && commands.isIdle(at: out.now) }

    /// Whether the history has a failure of a program or of a reaction.
    public var hasFailures: Bool {
        history.pasts.values.contains { $0.events.contains { $0.kind.state == .failed } }
    }

    /// Returns the row of a hook that does not react; nil if it reacts.
    func idleRow(of hook: Hook) -> HookStatus? {
        if hook.condition.chosen != nil { return nil }
        if let pause = pauses[hook.name] {
            var row = HookStatus(hook.name, .paused)
            row.until = pause.end.map { UTCTime(moment.time(sinceBoot: $0)) }
            return row
        }
        guard let required = hook.power, let power, required != power else { return nil }
        var row = HookStatus(hook.name, .unpowered)
        row.reason = "the machine is on \(power.rawValue), but power = \"\(required.rawValue)\""
        return row
    }

    /// Returns whether a hook still has pairs to leave, or reactions to undo.
    public func owes(_ hook: String) -> Bool {
        commands.entries.contains { $0.job.hook.name == hook }
            || applications.all.values.contains { it in
                it.held.holds.contains { it.votes.job(for: [$0.builtIn])?.hook.name == hook }
            }
    }

    /// The pairs that are still to be left, in the order in which the pairs were first seen, and what is held of
    /// applications.
    public var owed: [UndoRecordEntry] {
        commands.entries.map { UndoRecordEntry($0.job, processes: $0.processes, started: $0.started) }
            + applications.owed
    }

    /// The applications that are frozen now, or about to be.
    public var frozenApplications: Set<String> { applications.frozen }

    /// The applications with something that stops them, or is about to.
    public var heldApplications: Set<String> {
        Set(applications.all.filter { !$0.value.held.standing.isFree }.keys)
    }

    /// The applications that are thawed for a while, and are frozen later.
    public var awakeApplications: Set<String> {
        let awake = applications.all.filter { _, it in
            it.hand != nil
                || it.hindrances.all.contains { $0.until != nil && $0.has(.rest, at: out.now) }
        }
        return Set(awake.keys)
    }

    /// The applications that the user has frozen by hand, or is about to freeze.
    public var applicationsByHand: Set<String> {
        Set(applications.all.filter { $0.value.hand != nil }.keys)
    }

    public var frozenProcesses: Set<ProcessIdentity> {
        Set(frozenApplications.flatMap(freeze).flatMap(\.stopped))
    }

    /// Returns whether a freeze is still needed: a sign may have ended it before it began.
    public func isFreezing(_ id: RunID) -> Bool {
        applications.all.values.contains { $0.step == .freezing(id) }
    }

    /// Returns the job that freezes an application by hand; nil if it is not frozen by hand.
    public func freezeByHand(of application: String) -> Job? {
        guard let hand = applications[application]?.hand, case .frozen = hand.progress else { return nil }
        return hand.job
    }

    /// Returns when a freeze by hand ends by itself; nil if none does.
    public func endOfFreezeByHand(of application: String) -> Timestamp? {
        applications[application]?.hand?.end.map { out.moment.time(sinceBoot: $0) }
    }

    /// Returns the holds that freeze an application, or are about to.
    public func freeze(of application: String) -> [Hold] {
        applications[application]?.held.standing.holds ?? []
    }

    /// Returns whether a program that an application has just started may postpone its freeze.
    public func mayPostpone(_ application: String) -> Bool {
        applications[application]?.hindrances.mayPostpone(at: out.now) ?? true
    }
}

extension Change {
    /// Returns whether the change can affect a hook of its level.
    fileprivate func isOf(_ hook: Hook) -> Bool {
        switch kind {
        case .title: hook.followsTitles
        case .facts: hook.followsFacts
        default: true
        }
    }

    /// Whether the change keeps the phase.
    var keepsPhase: Bool { kind == .title || kind == .facts }
}
