import Console
import PhaseWatch
import System

/// The answers about applications.
extension HookEngine {
    /// The largest number of searches for processes that were started while others were stopped.
    private static let mostRounds = 64

    /// Handles the answer to a question or an action, unless something else has ended it.
    mutating func answered(_ id: RunID, _ answer: HookInput) {
        guard var it = applications.values.first(where: { $0.step.run == id }) else { return }
        let step = it.step
        it.step = .settled
        switch (answer, step) {
        case (.asked(_, let findings), .asking(_, let builtIns)): asked(&it, about: builtIns, findings)
        case (.froze(_, let result), _): froze(&it, result)
        case (.applied(_, let answer), _): report(it, answer)
        case (.undone(_, let left, let answer), .undoing(_, let holds)):
            report(it, answer)
            it.held.forget(holds.filter { !left.contains($0) })
            isChanged = true
            it.undo = left.isEmpty ? nil : Retry(after: it.undo, at: moment.now)
            sayAgain(it, left.builtIns, it.undo)
        default: break
        }
        applications[it.name] = it
    }

    private mutating func asked(
        _ it: inout Application, about builtIns: Set<BuiltIn>, _ findings: Findings
    ) {
        // It may have no windows any longer.
        if it.votes.isEmpty { return }
        for (builtIn, lack) in findings.lacks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for vote in it.votes where vote.hook.builtIns.contains(builtIn) {
                history.note(.failed, of: vote, lack, at: moment.time)
            }
            say(.once, "hooks: \(lack)")
        }
        for fault in findings.faults { say(it, fault.builtIn, fault.words, .failed) }
        for remark in findings.remarks { say(.once, "hooks: \(remark)") }
        var lacking = builtIns.subtracting(findings.limits.builtIns)
        // What an exception or another application prevents may be frozen later.
        let isDecided =
            findings.found.isEmpty && findings.companions.isEmpty && findings.newcomer == nil
        if findings.freeze != nil || !isDecided { lacking.remove(.freeze) }
        for builtIn in lacking.subtracting(it.hindrances.idle) { it.hinder(Hindrance(.nothing(builtIn))) }
        // Without a hold, not all of them are known.
        it.companions = (findings.freeze == nil ? it.companions : []).union(findings.companions)
        if let refusal = findings.refusal {
            it.refuse(BuiltIn.allCases, because: refusal)
            return sayNotDone(it, builtIns, refusal, .excepted)
        }
        except(&it, findings.found)
        if let newcomer = findings.newcomer {
            postpone(&it, newcomer)
        } else if !findings.found.isEmpty || it.mayPostpone(at: moment.now) {
            it.endPostponement()
        }
        applications[it.name] = it
        var wanted = Wanted(it.votes.filter { it.hindrances.exception(for: $0) == nil })
        let freezable = freezable
        if wanted.builtIns.contains(.freeze), let other = companion(of: it.name, notIn: freezable) {
            sayNotDone(it, [.freeze], Hindrance(.companion(other)).words, .excepted)
        }
        if !freezable.contains(it.name) { wanted.builtIns.remove(.freeze) }
        let count = it.held.holds.count
        if let freeze = findings.freeze, wanted.builtIns.intersection(builtIns).contains(.freeze) {
            it.held.standing.add(freeze)
        }
        it.held.limits += findings.limits.filter { wanted.builtIns.contains($0.builtIn) }
        if it.held.holds.count > count { record(&it) }
    }

    /// Remembers the exceptions that hold. They are asked for again later, less and less often.
    private mutating func except(_ it: inout Application, _ found: [Exception?: String]) {
        let former = it.hindrances
        it.clear(by: .answer)
        let exceptions = it.votes.compactMap { vote in found.exception(for: vote).map { (vote, $0) } }
        guard let shortest = exceptions.map({ $0.0.rest(after: nil) }).min() else { return }
        let retry = Retry(after: former.retry, at: moment.now, shortest)
        for (vote, exception) in exceptions {
            it.hinder(
                Hindrance(.exception(vote.key, exception.words, isNamed: exception.isNamed, retry)))
            if former.exception(for: vote)?.words == exception.words { continue }
            var line = "\(RunWords.notRun(vote)): \(exception.words.escapedForTerminal)"
            // A freeze by hand ends here.
            if !vote.isByHand {
                line += "; checked again after \(vote.rest(after: nil).text), then less often"
            }
            say(vote, line, .excepted, because: exception.words)
        }
    }

    private mutating func postpone(_ it: inout Application, _ newcomer: String) {
        // A sign or the user has thawed it meanwhile.
        if it.hindrances.keepingThawed(at: moment.now) != nil { return }
        let isFirst = it.hindrances.postponed == nil
        it.postpone(for: newcomer, at: moment.now)
        if isFirst, let vote = it.job(for: [.freeze]) {
            let reason = Hindrance(.newcomer(newcomer, since: moment.now)).words
            let line = "\(RunWords.notRun(vote)) yet: \(reason.escapedForTerminal)"
            say(vote, line, .excepted, because: reason)
        }
    }

    private mutating func record(_ it: inout Application) {
        isChanged = true
        it.step = .recording(nextWrite)
    }

    /// Ends the wait for the record.
    mutating func recorded(_ name: String, _ failure: String?) {
        guard var it = applications[name] else { return }
        it.step = .settled
        if let failure {
            let pending = it.pending
            sayNotDone(it, pending, failure, .failed)
            it.refuse(pending, because: failure)
            // What is in force is on disk by an earlier write.
            let inForce = it.held.inForce
            it.held.limits.removeAll { !inForce.contains($0.builtIn) }
            if !it.held.standing.isStopped { it.held.standing = .free }
        }
        applications[name] = it
    }

    private mutating func froze(_ it: inout Application, _ result: FreezeResult) {
        switch result {
        case .frozen(let words):
            if !it.isFreezeReported { say(it, .freeze, words) }
            it.held.standing.freeze()
            it.isFreezeReported = true
            it.endPostponement()
        case .more(let hold) where it.held.standing.rounds < Self.mostRounds:
            it.held.standing.stopInPart()
            it.held.standing.add(hold)
            record(&it)
        case .more(let hold):
            refuse(
                &it,
                "it starts processes faster than they can be stopped: \(hold.stopped.count) were stopped, and more appear"
            )
        case .failed(let reason): refuse(&it, reason)
        case .later(let reason):
            it.stayAwake(until: moment + .seconds(10), because: reason)
        case .postponed(let newcomer):
            it.held.standing.stopInPart()
            postpone(&it, newcomer)
        case .silentServer:
            it.held.standing.freeze()
            it.isFreezeReported = true
            applications[it.name] = it
            for name in frozenApplications {
                let time = applications[name]?.votes.map { $0.rest(after: .silentServer) }.max()
                applications[name]?.stayAwake(
                    until: moment + (time ?? .zero), because: ThawReason.silentServer.words)
            }
            it = applications[it.name] ?? it
        }
    }

    /// Gives up a freeze.
    private mutating func refuse(_ it: inout Application, _ reason: String) {
        it.held.standing.stopInPart()
        it.refuse([.freeze], because: reason)
        say(it, .freeze, "is not frozen: \(reason)", .failed)
    }

    mutating func notThawed(_ job: Job, _ holds: [Hold]) {
        let name = job.application
        guard let stops = Standing.Stops(holds) else { return }
        applications[name, default: Application(name)].keep(stops, job, at: moment.now)
        isChanged = true
        if let it = applications[name] { sayAgain(it, [.freeze], it.thaw) }
    }

    private mutating func report(_ it: Application, _ answer: ReactionAnswer) {
        for fault in answer.faults { say(it, fault.builtIn, fault.words, .failed) }
        for remark in answer.remarks { say(.once, "hooks: \(remark)") }
        for (job, builtIns) in it.jobs(for: Set(answer.done.map(\.builtIn))) {
            let words = answer.done.filter { builtIns.contains($0.builtIn) }.map(\.words)
            say(job, RunWords.done(job, words.joined(separator: ", ")))
        }
    }

    /// Reports for each hook which of these reactions it does not get.
    private mutating func sayNotDone(
        _ it: Application, _ builtIns: Set<BuiltIn>, _ reason: String, _ kind: HookEvent.Kind
    ) {
        for (job, builtIns) in it.jobs(for: builtIns) {
            let participles = builtIns.map(\.participle).sorted().joined(separator: " or ")
            say(job, RunWords.done(job, "is not \(participles): \(reason)"), kind, because: reason)
        }
    }

    /// Reports when reactions are undone again.
    private mutating func sayAgain(_ it: Application, _ builtIns: Set<BuiltIn>, _ retry: Retry?) {
        guard let retry else { return }
        for (job, _) in it.jobs(for: builtIns) { say(job, RunWords.again(job, in: retry.delay)) }
    }

    /// Reports what was done to an application by a reaction, or was not.
    private mutating func say(
        _ it: Application, _ builtIn: BuiltIn, _ words: String, _ kind: HookEvent.Kind? = nil
    ) {
        guard let job = it.job(for: [builtIn]) else { return }
        say(job, RunWords.done(job, words), kind, because: words)
    }
}
