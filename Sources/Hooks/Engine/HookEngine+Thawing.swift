import Console
import PhaseWatch
import System

/// How long a freeze lasts: signs, wakes, other hooks, and the user.
extension HookEngine {
    /// The pairs that keep an application frozen.
    func frozenKeys(_ isMeant: (Job.Key) -> Bool) -> [Job.Key] {
        keys { key, pair in pair.state.entry?.freeze == .frozen && isMeant(key) }
    }

    /// The applications that are frozen, or have windows of a process that is.
    public var frozenApplications: Set<String> {
        Set(frozenKeys { _ in true }.flatMap { [$0.subject.application] + (companions[$0] ?? []) })
    }

    /// A job that keeps an application frozen; nil if none does.
    public func frozenJob(of application: String) -> Job? {
        frozenKeys { $0.subject.application == application }.first.flatMap { pairs[$0]?.state.entry?.job }
    }

    /// The applications that are stopped, also where no pair asks for it any longer.
    public var heldApplications: Set<String> { holdings.frozenApplications }

    /// All that is held, by application.
    public var holds: [String: [Hold]] { holdings.all }

    /// What stops an application.
    public func freeze(of application: String) -> [Hold] { holdings.freeze(of: application) }

    public var frozenProcesses: Set<ProcessIdentity> {
        Set(frozenApplications.flatMap(freeze).flatMap(\.stopped))
    }

    /// Ends reactions that wait for the disk: some processes may be stopped already.
    ///
    /// - Parameter next: What becomes of the freeze.
    mutating func abandonRecording(_ key: Job.Key, then next: Freeze = .none) {
        guard case .reacting(let reacting, var entry) = pairs[key]?.state, case .recording = reacting.step
        else { return }
        entry.freeze = next
        skip(reacting, entry)
    }

    /// Ends the freeze of these pairs. An application that others keep frozen stays so.
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

    /// Undoes a freeze that came to nothing, or that could not be undone before; forgets one that was not begun.
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

    /// Thaws what shares a process with one of these, until that is frozen again.
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

    /// Freezes what this application has kept from it.
    mutating func unblock(_ application: String) {
        for key in keys(where: { $1.state.entry?.freeze == .blocked(by: application) }) {
            pairs[key]?.state.entry?.freeze = .thawed(
                until: moment.now, because: "it shares a process with '\(application)'", .ask)
            // A change that brings about nothing else does not set it.
            next = moment.now
        }
    }

    /// The same for all applications of such pairs: what is about to be frozen must not be, either.
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

    /// Thaws everything that could hold up the end of the session.
    mutating func expectSessionEnd() {
        sessionEnd = moment + Self.sessionPatience
        thawAll(because: .sessionMayEnd)
    }

    /// Thaws applications at once after a sign, before it settles.
    mutating func thaw(_ applications: Set<String>, because reason: ThawReason) {
        for application in applications { signs[application] = (moment.now, reason) }
        signs = signs.filter { moment.now - $0.value.moment < Self.shortestThaw }
        for key in keys(where: {
            $1.state.entry?.reclaim != nil && applications.contains($0.subject.application)
        }) {
            if let id = pairs[key]?.state.entry?.reclaim { add(.end(id)) }
        }
        let end = { [self] in later($0, because: reason) }
        for key in keys(where: { key, _ in applications.contains(key.subject.application) }) {
            guard case .reacting(let reacting, let entry) = pairs[key]?.state, reacting.isFreezing else {
                continue
            }
            // Of all reactions, none was done.
            let again = reacting.isWhole ? Freeze.Again.prepare : .ask
            abandonRecording(key, then: .thawed(until: end(entry.job), because: reason.words, again))
        }
        thaw(frozenKeys { applications.contains($0.subject.application) }, because: reason.words) {
            .thawed(until: end($0), because: reason.words, .ask)
        }
        thawUnused { applications.contains($0.subject.application) }
        thawSharing { applications.contains($0.subject.application) }
    }

    /// Thaws together what is to be left, and also where a `leave` has to wait for its turn: no program of a `leave`
    /// runs while its application is frozen for another one. If the phase begins anew before that, it is frozen again.
    mutating func thawLeft() {
        thawSharing { [self] in !isStillEntered($0) }
        if queue.isEmpty { return }
        let end = { [self] in later($0) }
        thaw(frozenKeys { !isStillEntered($0) }, because: nil) {
            .thawed(until: end($0), because: ThawReason.wanted.words, .ask)
        }
    }

    /// What a sign announced has come about: from now on, the phases count.
    mutating func resolveSigns(by triggers: [HookTrigger]) {
        if signs.isEmpty { return }
        for change in triggers.map(\.change)
        where change.level == .application && change.to.map({ $0 > .background }) ?? true {
            signs[change.application] = nil
        }
    }

    /// Freezes nothing of the present any longer: the user has thawed it.
    mutating func forbidFreezing(_ isMeant: (Job) -> Bool) {
        let keys = keys { $1.state.entry.map { isMeant($0.job) } ?? false }
        for key in keys {
            guard let entry = pairs[key]?.state.entry else { continue }
            note(entry.freeze == .none ? .excepted : .entered, of: entry.job, Self.thawedByUser)
        }
        thaw(keys, because: "the user asks for it") { _ in .forbidden }
        for key in keys { abandonRecording(key) }
        for key in keys {
            guard var entry = pairs[key]?.state.entry else { continue }
            entry.freeze = .forbidden
            pairs[key]?.state.entry = entry
        }
        thawUnused { key in keys.contains(key) }
    }

    /// Freezes again what was thawed for a while, where that led to nothing.
    mutating func endThaws() {
        for key in keys(where: { $1.state.isLeavable }) {
            guard case .held(var entry) = pairs[key]?.state,
                case .thawed(let end, let reason, let again) = entry.freeze, end <= moment.now
            else { continue }
            entry.freeze = .none
            pairs[key]?.state = .held(entry)
            if !isStillEntered(key) { continue }
            if again == .prepare {
                // What others undo meanwhile must not be read as what there was before.
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

    /// Wakes what has slept for its time: one timer, since all of one rhythm have the same moments. All hooks that wake an
    /// application let it go together, for the longest time that is due; one that does not wake it keeps it frozen.
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
    /// It is about to freeze, and some processes may be stopped.
    fileprivate var isFreezing: Bool { if case .recording(_, .some) = step { true } else { false } }
}
