import Console
import PhaseWatch
import System

/// The end of a freeze by signs, wakes, other hooks or the user.
extension HookEngine {
    /// Returns the pairs that match and keep their applications frozen.
    func frozenKeys(_ isMeant: (Job.Key) -> Bool) -> [Job.Key] {
        keys { key, pair in pair.state.entry?.freeze == .frozen && isMeant(key) }
    }

    /// The applications that are frozen, or have windows of a frozen process.
    public var frozenApplications: Set<String> {
        Set(frozenKeys { _ in true }.flatMap { [$0.subject.application] + (companions[$0] ?? []) })
    }

    /// Returns a job that keeps an application frozen; nil if there is none.
    public func frozenJob(of application: String) -> Job? {
        frozenKeys { $0.subject.application == application }.first.flatMap { pairs[$0]?.state.entry?.job }
    }

    /// The applications that are stopped, including those that no pair keeps frozen any longer.
    public var heldApplications: Set<String> { holdings.frozenApplications }

    /// The applications that are thawed for a while, and are frozen again later.
    public var awakeApplications: Set<String> {
        Set(
            keys { if case .thawed = $1.state.entry?.freeze { true } else { false } }.map(
                \.subject.application))
    }

    /// Returns the holds that freeze an application.
    public func freeze(of application: String) -> [Hold] { holdings.freeze(of: application) }

    public var frozenProcesses: Set<ProcessIdentity> {
        Set(frozenApplications.flatMap(freeze).flatMap(\.stopped))
    }

    /// Ends reactions that wait for the write of the record. Some processes may be stopped already.
    ///
    /// - Parameter next: The new state of the freeze.
    mutating func abandonRecording(_ key: Job.Key, then next: Freeze = .none) {
        guard case .reacting(let reacting, var entry) = pairs[key]?.state, case .recording = reacting.step
        else { return }
        entry.freeze = next
        skip(reacting, entry)
    }

    /// Ends the freeze of these pairs. An application that other pairs keep frozen stays frozen.
    mutating func thaw(
        _ keys: [Job.Key], because reason: String?, isQuiet: Bool = false, then next: (Job) -> Freeze
    ) {
        let keys = frozenKeys { keys.contains($0) }
        var jobs: [Job] = []
        for key in keys {
            guard var entry = pairs[key]?.state.entry else { continue }
            (entry.freeze, entry.wakeAt) = (next(entry.job), nil)
            pairs[key]?.state.entry = entry
            jobs.append(entry.job)
        }
        var left = jobs
        while let application = left.first?.subject.application {
            let own = jobs.filter { $0.subject.application == application }
            left.removeAll { $0.subject.application == application }
            let others = frozenKeys { $0.subject.application == application }.compactMap {
                pairs[$0]?.state.entry?.job
            }
            if others.isEmpty {
                add(.thaw(own, holdings.takeFreeze(of: application), because: reason, isQuiet: isQuiet))
                isChanged = true
            } else {
                for job in own { say(.staysFrozen(job, for: others)) }
            }
        }
    }

    /// Undoes a freeze that was abandoned or that could not be undone before, or drops a freeze that has not begun.
    mutating func thawUnused(_ job: Job, because reason: String? = nil) {
        let application = job.subject.application
        guard frozenKeys({ $0.subject.application == application }).isEmpty else { return }
        let holds = holdings.takeFreeze(of: application)
        if holds.isEmpty { return }
        add(.thaw([job], holds, because: reason, isQuiet: reason == nil))
        isChanged = true
        thawSharing { $0.subject.application == application }
    }

    // MARK: Processes of several applications

    /// Thaws the applications that share a process with one of these, until that one is frozen again.
    mutating func thawSharing(with isMeant: (Job.Key) -> Bool) {
        if companions.isEmpty { return }
        for key in frozenKeys({ !isMeant($0) }) {
            let others = companions[key]?.sorted() ?? []
            guard let other = others.first(where: { isMeant(key.of($0)) }) else { continue }
            let reason = "it shares a process with '\(other)'"
            if let job = pairs[key]?.state.entry?.job { note(.excepted, of: job, reason) }
            thaw([key], because: reason) { _ in .blocked(by: other) }
            thawSharing { $0.subject.application == key.subject.application }
        }
    }

    /// Schedules the freeze of the applications that this one has blocked.
    mutating func unblock(_ application: String) {
        for key in keys(where: { $1.state.entry?.freeze == .blocked(by: application) }) {
            pairs[key]?.state.entry?.freeze = .thawed(
                until: moment.now, because: "it shares a process with '\(application)'", .ask)
            // `handle` does not update `next` after a change without effects.
            next = moment.now
        }
    }

    /// Undoes the unused freezes of the applications of all pairs that match, including freezes that have not begun.
    mutating func thawUnused(where isMeant: (Job.Key) -> Bool) {
        for key in keys(where: { key, pair in pair.state.entry != nil && isMeant(key) }) {
            if let job = pairs[key]?.state.entry?.job { thawUnused(job) }
        }
    }

    mutating func thawAll(because reason: ThawReason) {
        let end = { [self] in later($0) }
        thaw(frozenKeys { _ in true }, because: reason.words) {
            .thawed(until: end($0), because: reason.words, .ask)
        }
    }

    /// Thaws everything that could delay the end of the session.
    mutating func expectSessionEnd() {
        sessionEnd = moment + Self.sessionPatience
        thawAll(because: .sessionMayEnd)
    }

    /// Thaws applications immediately after a sign, before the change settles.
    mutating func thaw(_ applications: Set<String>, because reason: ThawReason) {
        for application in applications { signs[application] = (moment.now, reason) }
        signs = signs.filter { moment.now - $0.value.moment < Self.shortestThaw }
        let end = { [self] in later($0, because: reason) }
        for key in keys(where: { key, _ in applications.contains(key.subject.application) }) {
            guard case .reacting(let reacting, let entry) = pairs[key]?.state, reacting.isFreezing else {
                continue
            }
            // If all reactions are to be performed, none was performed yet.
            let again = reacting.isWhole ? Freeze.Again.prepare : .ask
            abandonRecording(key, then: .thawed(until: end(entry.job), because: reason.words, again))
        }
        thaw(frozenKeys { applications.contains($0.subject.application) }, because: reason.words) {
            .thawed(until: end($0), because: reason.words, .ask)
        }
        thawUnused { applications.contains($0.subject.application) }
        thawSharing { applications.contains($0.subject.application) }
    }

    /// Thaws the pairs that are to be left together, even if a `leave` must wait for its turn. No program of a `leave`
    /// runs while its application is frozen for another pair. If the phase begins again before the `leave`, the
    /// application is frozen again.
    mutating func thawLeft() {
        thawSharing { [self] in !isStillEntered($0) }
        if queue.isEmpty { return }
        let end = { [self] in later($0) }
        thaw(frozenKeys { !isStillEntered($0) }, because: nil) {
            .thawed(until: end($0), because: ThawReason.wanted.words, .ask)
        }
    }

    /// Removes the signs whose announced changes have occurred. From then on, the phases count.
    mutating func resolveSigns(by triggers: [HookTrigger]) {
        if signs.isEmpty { return }
        for change in triggers.map(\.change)
        where change.level == .application && change.to.map({ $0 > .background }) ?? true {
            signs[change.application] = nil
        }
    }

    /// Thaws the current entries that match, and forbids their freeze, at the request of the user.
    mutating func forbidFreezing(_ isMeant: (Job) -> Bool) {
        let keys = keys { $1.state.entry.map { isMeant($0.job) } ?? false }
        for key in keys {
            guard let entry = pairs[key]?.state.entry else { continue }
            note(entry.freeze == .none ? .excepted : .entered, of: entry.job, Self.thawedByUser)
        }
        thaw(keys, because: "the user requested it") { _ in .forbidden }
        for key in keys { abandonRecording(key) }
        for key in keys {
            guard var entry = pairs[key]?.state.entry else { continue }
            entry.freeze = .forbidden
            pairs[key]?.state.entry = entry
        }
        thawUnused { key in keys.contains(key) }
    }

    /// Freezes the applications again that were thawed for a while and whose pairs are still entered.
    mutating func endThaws() {
        for key in keys(where: { $1.state.isLeavable }) {
            guard case .held(var entry) = pairs[key]?.state,
                case .thawed(let end, let reason, let again) = entry.freeze, end <= moment.now
            else { continue }
            entry.freeze = .none
            pairs[key]?.state = .held(entry)
            if !isStillEntered(key) { continue }
            if again == .prepare {
                // The state that other hooks are undoing must not be read as the original state.
                if takeTurn(for: entry.job) {
                    react(entry)
                } else {
                    postpone(entry, because: reason, .prepare)
                }
            } else {
                let reacting = Reacting(id: 0, step: .asking, isAgain: true, isQuiet: again == .quietly)
                step(.asking, reacting, entry) { .ask($0, entry.job) }
            }
        }
    }

    /// Wakes the applications that are due. Applications with the same interval are woken at the same time, by one
    /// timer. All hooks that wake an application thaw it together, for the longest time that is due. A hook that does
    /// not wake the application keeps it frozen.
    mutating func wakeSleepers() {
        var due = frozenKeys { key in pairs[key]?.state.entry?.wakeAt.map { $0 <= moment.now } ?? false }
        if due.isEmpty { return }
        let applications = Set(due.map(\.subject.application))
        due += frozenKeys { !due.contains($0) && companions[$0]?.isDisjoint(with: applications) == false }
        for key in due {
            guard var entry = pairs[key]?.state.entry, entry.freeze == .frozen, let wake = entry.job.hook.wake
            else { continue }
            entry.wakeAt = wake.next(after: moment.now)
            pairs[key]?.state.entry = entry
            let application = key.subject.application
            let sleepers = frozenKeys { $0.subject.application == application }
            let wakes = sleepers.compactMap { pairs[$0]?.state.entry?.job.hook.wake }
            guard wakes.count == sleepers.count else { continue }
            let times = due.filter { $0.subject.application == application }
                .compactMap { pairs[$0]?.state.entry?.job.hook.wake?.duration }
            let time = times.reduce(wake.duration, max)
            let end = moment + time
            thaw(sleepers, because: nil, isQuiet: true) { _ in
                .thawed(until: end, because: "awake for \(time.text)", .quietly)
            }
        }
    }
}

extension Reacting {
    /// Whether a freeze is about to begin. Some processes may be stopped already.
    fileprivate var isFreezing: Bool { if case .recording(_, .some) = step { true } else { false } }
}
