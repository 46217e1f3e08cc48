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
        begin(job, isChecked: true)
    }

    mutating func entered(_ entry: Entry, _ outcome: Outcome, after time: Duration) {
        reportEnd(entry.job, isCheck: false, outcome, after: time)
        switch outcome {
        case .notStarted, .postponed:
            // An `enter` that did not start needs no `leave`.
            dropQueued(entry.job, .leave)
            release(entry.job)
        default: hold(entry)
        }
    }

    /// Ends the turn of a job.
    mutating func endTurn(of job: Job, _ state: PairState = .idle) {
        pairs[job.key]?.state = state
        busy[job.lane] = nil
    }

    /// Ends the turn of an `enter`, or of a `leave` that has done nothing.
    mutating func hold(_ entry: Entry) { endTurn(of: entry.job, .held(entry)) }

    mutating func recorded(_ id: WriteID, _ failure: String?) {
        let hadFailed = hasWriteFailed
        hasWriteFailed = failure != nil
        var isAwaited = applications.awaits(id)
        for key in keys(where: { $1.state.awaits(id) }) {
            guard case .recording(_, let entry) = pairs[key]?.state else { continue }
            isAwaited = true
            if let failure { refuse(entry.job, failure) } else { enter(entry) }
        }
        send(.recorded(id, failure: failure))
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
    }
}

extension PairState {
    /// Returns whether the state waits for this write of the record or an earlier one.
    fileprivate func awaits(_ id: WriteID) -> Bool {
        if case .recording(let own, _) = self { own <= id } else { false }
    }
}
