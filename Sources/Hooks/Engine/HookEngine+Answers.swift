import PhaseWatch
import System

/// The handling of answers.
extension HookEngine {
    mutating func started(_ id: RunID, _ process: ProcessIdentity) {
        guard let key = runs[id], var entry = pairs[key]?.state.entry else { return }
        let part: Job.Part = pairs[key]?.state.isLeaving == true ? .leave : .enter
        entry.started = RecordedPair.StartedPart(part: part, process: process)
        pairs[key]?.state.entry = entry
        isChanged = true
    }

    mutating func ended(_ id: RunID, _ outcome: Outcome, after time: Duration) {
        guard let key = take(id), let state = pairs[key]?.state else { return }
        switch state {
        case .checking(id, let job): checked(job, outcome, after: time)
        case .abandoned(id, let job):
            endTurn(of: job)
            reportEnd(job, isCheck: true, outcome, after: time)
        case .running(id, let job):
            endTurn(of: job)
            reportEnd(job, isCheck: false, outcome, after: time)
        case .entering(id, let entry): entered(entry, outcome, after: time)
        case .leaving(id, _, let job):
            reportEnd(job, isCheck: false, outcome, after: time)
            if case .postponed = outcome { retry(job) } else { release(job) }
        default: break
        }
    }

    mutating func reportEnd(_ job: Job, isCheck: Bool, _ outcome: Outcome, after time: Duration) {
        if RunWords.end(job, isCheck: isCheck, outcome, after: time) != nil {
            fail(job, isCheck: isCheck, outcome, after: time)
        }
    }

    mutating func fail(_ job: Job, isCheck: Bool = false, _ outcome: Outcome, after time: Duration) {
        hasFailures = true
        say(.failed(job, isCheck: isCheck, outcome, after: time))
    }

    mutating func checked(_ job: Job, _ outcome: Outcome, after time: Duration) {
        reportEnd(job, isCheck: true, outcome, after: time)
        if outcome == .exited(0) {
            endTurn(of: job)
            return say(.vetoed(job))
        }
        guard job.hook.hasExceptions, outcome != .stopped else { return begin(job, isChecked: true) }
        let id = newRun(of: job.key)
        pairs[job.key]?.state = .checking(id, job)
        add(.ask(id, job))
    }

    mutating func entered(_ entry: Entry, _ outcome: Outcome, after time: Duration) {
        let job = entry.job
        reportEnd(job, isCheck: false, outcome, after: time)
        switch outcome {
        case .exited(0) where !job.hook.builtIns.isEmpty: react(entry)
        case .notStarted, .postponed:
            // An `enter` that did not start needs no `leave`.
            dropEnter(job)
        default: hold(entry)
        }
    }

    /// Reverts an `enter` that did nothing.
    mutating func dropEnter(_ job: Job) {
        dropQueued(job, .leave)
        guard let entry = pairs[job.key]?.state.entry, job.program == nil,
            justThawed.contains(job.subject.application)
        else { return release(job) }
        var leaving = job
        leaving.part = .leave
        undo(holdings.lastHolds(of: job.key), entry, leaving)
    }

    /// Records holds that could not be thawed. Each `leave` that waits for them is tried again.
    mutating func notThawed(_ application: String, _ holds: [Hold]) {
        for hold in holds { holdings.addFreeze(hold, of: application) }
        isChanged = true
        for key in keys(where: { key, _ in key.subject.application == application }) {
            guard case .undoing(let id, var entry, let job) = pairs[key]?.state,
                job.hook.builtIns.contains(.freeze)
            else { continue }
            entry.isNotThawed = true
            pairs[key]?.state = .undoing(id, entry, job)
        }
    }

    /// Ends the turn of a job.
    mutating func endTurn(of job: Job, _ state: PairState = .idle) {
        pairs[job.key]?.state = state
        busy[job.lane] = nil
    }

    /// Ends the turn of an `enter`, or of a `leave` that has done nothing.
    mutating func hold(_ entry: Entry) { endTurn(of: entry.job, .held(entry)) }

    /// Checks the exceptions again later. The job does not run until then.
    mutating func except(_ job: Job, _ exception: String) {
        if job.hook.condition.chosen != nil { return say(.refused(job, exception)) }
        var job = job
        if job.exception == exception {
            keep(.excepted, of: job, exception)
        } else {
            say(.excepted(job, exception))
        }
        job.exception = exception
        wait(for: job, until: moment + max(job.hook.after, Self.shortestThaw))
    }

    mutating func answered(_ id: RunID, _ answer: ReactionAnswer, _ failure: String?) {
        guard let key = take(id), let state = pairs[key]?.state else { return }
        switch state {
        case .checking(id, let job):
            pairs[key]?.state = .idle
            report(answer, job)
            guard let exception = answer.exception(or: failure) else { return begin(job, isChecked: true) }
            busy[job.lane] = nil
            except(job, exception)
        case .abandoned(id, let job): endTurn(of: job)
        case .undoing(id, let entry, let job):
            report(answer, job)
            if let failure {
                note(.failed, of: job, failure)
                return retry(job)
            }
            holdings.release(key)
            isChanged = true
            if !answer.done.isEmpty { say(.done(job, answer.done)) }
            var entry = entry
            let isThawed = !entry.isNotThawed
            entry.isNotThawed = false
            pairs[key]?.state = .held(entry)
            isThawed ? runLeave(job) : retry(job)
        default:
            guard case .reacting(let reacting, let entry) = state, reacting.id == id else { return }
            goOn(reacting, entry, answer, failure)
        }
    }

    mutating func report(_ answer: ReactionAnswer, _ job: Job) {
        for fault in answer.faults { say(.notDone(job, fault)) }
        for remark in answer.remarks { say(.once(remark)) }
    }

    mutating func recorded(_ id: WriteID, _ failure: String?) {
        let hadFailed = hasWriteFailed
        hasWriteFailed = failure != nil
        var isAwaited = false
        for key in keys(where: { $1.state.awaits(id) }) {
            isAwaited = true
            switch pairs[key]?.state {
            case .recording(_, let entry):
                if let failure {
                    holdings.release(key)
                    refuse(entry.job, failure)
                } else {
                    enter(entry)
                }
            case .reacting(let reacting, let entry): recorded(reacting, entry, failure)
            default: break
            }
        }
        if let failure, !isAwaited, !hadFailed { say(.unrecorded(failure)) }
    }

    mutating func advance() {
        let due = pairs.values.compactMap(\.waiting).filter { !$0.isParked && $0.due <= moment.now }
        for waiting in due.sorted(by: { ($0.due, $0.number) < ($1.due, $1.number) }) {
            pairs[waiting.job.key]?.waiting = nil
            queue.append(waiting.job)
        }
        for (lane, retry) in retries where retry.due.map({ $0 <= moment.now }) ?? false {
            retries[lane]?.due = nil
        }
        startQueued()
        endThaws()
        wakeSleepers()
    }
}

extension PairState {
    /// Returns whether the state waits for this write of the record or an earlier one.
    fileprivate func awaits(_ id: WriteID) -> Bool {
        switch self {
        case .recording(let own, _): own <= id
        case .reacting(let reacting, _):
            if case .recording(let own, _) = reacting.step { own <= id } else { false }
        default: false
        }
    }
}
