import Console
import PhaseWatch
import System

/// The reactions of a pair, which are performed after `enter` and undone before `leave`.
///
///     prepare → aim → record → freeze → perform → conclude
///
/// A pair that was thawed for a while takes only some of these steps, outside its lane: ask → aim → record → freeze.
extension HookEngine {
    /// The largest number of searches for processes that were started while others were stopped.
    private static let mostRounds = 64
    static let thawedByUser = "thawed by the user"

    /// Begins the reactions, unless the pair is to be left.
    mutating func react(_ entry: Entry) {
        guard isStillEntered(entry.job.key) else { return hold(entry) }
        step(.preparing, Reacting(id: 0, step: .preparing, isWhole: true), entry) {
            .prepare($0, entry.job)
        }
    }

    mutating func step(
        _ step: Reacting.Step, _ reacting: Reacting, _ entry: Entry, _ effect: (RunID) -> HookEffect
    ) {
        var reacting = reacting
        reacting.id = newRun(of: entry.job.key)
        reacting.step = step
        pairs[entry.job.key]?.state = .reacting(reacting, entry)
        add(effect(reacting.id))
    }

    /// Removes a run and returns its reactions; nil if the state of the pair has changed in the meantime.
    private mutating func taken(_ id: RunID) -> (Reacting, Entry)? {
        guard let key = take(id), case .reacting(let reacting, let entry) = pairs[key]?.state,
            reacting.id == id
        else { return nil }
        return (reacting, entry)
    }

    private mutating func settle(_ entry: Entry, _ isAgain: Bool) {
        if isAgain { pairs[entry.job.key]?.state = .held(entry) } else { hold(entry) }
    }

    // MARK: Questions

    /// Handles an application that must not be touched.
    mutating func refused(_ id: RunID, _ reason: String, sharing other: String? = nil) {
        guard let (reacting, entry) = taken(id) else { return }
        if let other, entry.job.hook.sharesProcesses, entry.freeze != .forbidden {
            var entry = entry
            entry.freeze = .blocked(by: other)
            say(.refused(entry.job, reason))
            return settle(entry, reacting.isAgain)
        }
        if reacting.step == .aiming {
            say(.notDone(entry.job, "is not frozen: \(reason)"))
            return record(nil, reacting, entry)
        }
        say(.refused(entry.job, reason))
        if entry.job.program == nil && !reacting.isAgain { return dropEnter(entry.job) }
        settle(entry, reacting.isAgain)
    }

    /// Continues after the answer to a question or a request.
    mutating func goOn(_ reacting: Reacting, _ entry: Entry, _ answer: ReactionAnswer, _ failure: String?) {
        let job = entry.job
        for fault in answer.faults { say(.notDone(job, fault)) }
        switch reacting.step {
        case .preparing: prepared(reacting, entry, answer, failure)
        case .asking:
            if let exception = answer.exception(or: failure) {
                thawedLonger(reacting, entry, exception, .ask)
            } else {
                aim(reacting, entry)
            }
        case .performing:
            if let failure { say(.notDone(job, "may be unchanged: \(failure)")) }
            var reacting = reacting
            reacting.done += answer.done
            conclude(reacting, entry)
        case .aiming, .recording, .freezing: break
        }
        for remark in answer.remarks { say(.once(remark)) }
    }

    private mutating func prepared(
        _ reacting: Reacting, _ entry: Entry, _ answer: ReactionAnswer, _ failure: String?
    ) {
        let job = entry.job
        var exception = answer.exception
        if let failure {
            say(.notDone(job, "is unchanged: \(failure)"))
            exception = job.hook.builtIns.contains(.freeze) ? "its state is unknown" : nil
        }
        guard isStillEntered(job.key) else { return settle(entry, reacting.isAgain) }
        if let exception {
            if job.program != nil { return thawedLonger(reacting, entry, exception, .prepare) }
            dropEnter(job)
            if entry.freeze == .forbidden { return }
            return except(job, exception)
        }
        if failure == nil {
            // Streams that other pairs have muted are not audible and so not among the answers.
            let muted = job.hook.builtIns.contains(.mute) ? holdings.mutes(of: job.subject.application) : []
            holdings.add(answer.holds + muted, of: job.key)
        }
        aim(reacting, entry)
    }

    /// Postpones the freeze because an exception holds.
    private mutating func thawedLonger(
        _ reacting: Reacting, _ entry: Entry, _ exception: String, _ again: Freeze.Again
    ) {
        var entry = entry
        keep(.excepted, of: entry.job, exception)
        entry.freeze.postpone(until: later(entry.job), because: exception, again)
        settle(entry, reacting.isAgain)
    }

    /// Tries the reactions again later.
    mutating func postpone(_ entry: Entry, because reason: String, _ again: Freeze.Again) {
        var entry = entry
        entry.freeze.postpone(until: later(entry.job), because: reason, again)
        pairs[entry.job.key]?.state = .held(entry)
    }

    func later(_ job: Job, since start: Duration? = nil, because reason: ThawReason? = nil) -> Duration {
        (start ?? moment.now) + max(job.hook.after, shortestThaw(of: job, reason))
    }

    /// Returns the shortest thaw of a job. A visible application may have the focus for a moment while a window manager
    /// gives the focus to another window.
    private func shortestThaw(of job: Job, _ reason: ThawReason?) -> Duration {
        reason == .wanted && job.hook.isOfSeen ? Self.shortestFocus : Self.shortestThaw
    }

    // MARK: Freezing

    private mutating func aim(_ reacting: Reacting, _ entry: Entry) {
        var entry = entry
        companions[entry.job.key] = nil
        guard entry.job.hook.builtIns.contains(.freeze), mayFreeze(&entry) else {
            return record(nil, reacting, entry)
        }
        step(.aiming, reacting, entry) { .aim($0, entry.job) }
    }

    /// Returns whether no recent sign is for the application or for one that shares a process with it. Otherwise, sets
    /// how long the entry is not frozen.
    private func mayFreeze(_ entry: inout Entry) -> Bool {
        if entry.freeze == .forbidden { return false }
        if sessionEnd > moment.now {
            entry.freeze = .thawed(until: sessionEnd, because: ThawReason.sessionMayEnd.words, .ask)
            return false
        }
        let key = entry.job.key
        let others = companions[key] ?? []
        if let other = others.sorted().first(where: { !isStillEntered(key.of($0)) }) {
            entry.freeze = .blocked(by: other)
            return false
        }
        let sign = others.union([key.subject.application]).compactMap { signs[$0] }.max {
            $0.moment < $1.moment
        }
        guard let sign, sign.moment + shortestThaw(of: entry.job, sign.reason) > moment.now else {
            return true
        }
        entry.freeze = .thawed(
            until: later(entry.job, since: sign.moment, because: sign.reason), because: sign.reason.words,
            .ask)
        return false
    }

    mutating func aimed(_ id: RunID, _ hold: Hold, sharedWith others: Set<String>) {
        guard let (reacting, entry) = taken(id) else { return }
        companions[entry.job.key] = others.isEmpty ? nil : others
        holdings.addFreeze(hold, of: entry.job.subject.application)
        record(hold, reacting, entry)
    }

    /// Requests a write of the data that undoes the reactions, before they are performed.
    private mutating func record(_ hold: Hold?, _ reacting: Reacting, _ entry: Entry) {
        guard hold != nil || reacting.isWhole && !holdings.holds(of: entry.job.key).isEmpty else {
            return conclude(reacting, entry)
        }
        var reacting = reacting
        reacting.step = .recording(nextWrite, hold)
        pairs[entry.job.key]?.state = .reacting(reacting, entry)
        isChanged = true
    }

    mutating func recorded(_ reacting: Reacting, _ entry: Entry, _ failure: String?) {
        guard case .recording(_, let hold) = reacting.step else { return }
        let job = entry.job
        if let failure {
            if hold != nil { say(.notDone(job, "is not frozen: \(failure)")) }
            if !holdings.holds(of: job.key).isEmpty && reacting.isWhole {
                say(.notDone(job, "is not \(job.participles(without: .freeze)): \(failure)"))
                holdings.release(job.key)
            }
            thawUnused(job)
            return conclude(reacting, entry)
        }
        guard isStillEntered(job.key) else { return skip(reacting, entry) }
        guard let hold else { return perform(reacting, entry) }
        var entry = entry
        guard mayFreeze(&entry) else {
            thawUnused(job)
            return perform(reacting, entry)
        }
        // Another pair may have thawed the application in the meantime and dropped this hold from the record.
        guard holdings.freezes(hold, of: job.subject.application) else { return aim(reacting, entry) }
        step(.freezing(hold), reacting, entry) { .freeze($0, job, hold) }
    }

    mutating func froze(_ id: RunID, _ result: FreezeResult) {
        guard var (reacting, entry) = taken(id) else { return }
        guard case .freezing(let hold) = reacting.step else { return }
        let job = entry.job
        switch result {
        case .frozen(let words):
            // Other inputs may have come before this answer.
            guard isStillEntered(job.key) else { return skip(reacting, entry) }
            guard mayFreeze(&entry) else {
                thawUnused(job)
                return perform(reacting, entry)
            }
            guard holdings.freezes(hold, of: job.subject.application) else { return aim(reacting, entry) }
            entry.freeze = .frozen
            entry.wakeAt = job.hook.wake?.next(after: moment.now)
            unblock(job.subject.application)
            update(job.key) { $0.note = nil }
            reacting.done.append(words)
        case .more(let hold) where reacting.rounds < Self.mostRounds:
            reacting.rounds += 1
            holdings.addFreeze(hold, of: job.subject.application)
            return record(hold, reacting, entry)
        case .more(let hold):
            thawUnused(job, because: "it cannot be frozen completely")
            let count = hold.stopped.count
            let fault =
                "it starts processes faster than they can be stopped: \(count) were stopped, and more appear"
            say(.notDone(job, "is not frozen: \(fault)"))
        case .later(let reason):
            thawUnused(job)
            entry.freeze.postpone(until: later(job), because: reason, .ask)
        case .failed(let reason):
            thawUnused(job, because: "it cannot be frozen completely")
            say(.notDone(job, "is not frozen: \(reason)"))
        case .silentServer:
            let words = ThawReason.silentServer.words
            entry.freeze.postpone(until: later(job), because: words, .ask)
            thawAll(because: .silentServer)
            thawUnused(job, because: words)
        }
        perform(reacting, entry)
    }

    /// Performs the other reactions.
    private mutating func perform(_ reacting: Reacting, _ entry: Entry) {
        let holds = holdings.holds(of: entry.job.key)
        guard reacting.isWhole, !holds.isEmpty, isStillEntered(entry.job.key) else {
            return conclude(reacting, entry)
        }
        step(.performing, reacting, entry) { .perform($0, entry.job, holds) }
    }

    /// Ends reactions that are no longer wanted.
    mutating func skip(_ reacting: Reacting, _ entry: Entry) {
        thawUnused(entry.job)
        settle(entry, reacting.isAgain)
    }

    /// Reports what was done. The pair stays entered if there is anything to undo.
    private mutating func conclude(_ reacting: Reacting, _ entry: Entry) {
        let job = entry.job
        if !reacting.done.isEmpty && !reacting.isQuiet { say(.done(job, reacting.done)) }
        if reacting.isAgain || !reacting.done.isEmpty || isInForce(entry) {
            return settle(entry, reacting.isAgain)
        }
        if pairs[job.key]?.note == nil && job.hook.builtIns.contains(.mute) {
            note(.ready, of: job, "it has no audible stream")
        }
        dropEnter(job)
    }

    /// Returns whether there is anything to undo, or to do later.
    private func isInForce(_ entry: Entry) -> Bool {
        ![.none, .forbidden].contains(entry.freeze) || entry.job.program != nil
            || !holdings.holds(of: entry.job.key).isEmpty
    }
}
