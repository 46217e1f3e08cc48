import Console
import PhaseWatch
import System

/// A state machine of what is done to applications. It compares what the votes want with what is held, and returns the
/// next action for each application.
///
///     settled → asking → recording → freezing, applying → settled → undoing → settled
struct Applications: Sendable {
    /// The longest time after which exceptions are asked for again.
    static let longestWait = Duration.seconds(300)
    /// The time after a sign of a session end during which the user may be looking at a dialog.
    static let sessionPatience = Duration.seconds(60)
    /// The largest number of searches for processes that were started while others were stopped.
    private static let mostRounds = 64
    private(set) var all: [String: Application] = [:]
    private var votes: [String: [Vote]] = [:]
    private var sessionEnd = Duration.zero
    /// Applications without windows that others may share processes with.
    private var closed: Set<String> = []
    /// The applications whose phase, in which hooks freeze them, is over. They rest no longer.
    private var over: Set<String> = []
    private var lastRun: RunID = 0
    /// The number of the next write of the record.
    private var write: WriteID = 0
    private var moment = Moment(now: .zero, time: Timestamp(seconds: 0, nanoseconds: 0))
    private var effects: [ApplicationEffect] = []
    /// Whether what is held has changed, and must be written.
    private(set) var isChanged = false

    /// Whether nothing is held, and nothing under way.
    var isIdle: Bool { all.values.allSatisfy(\.isIdle) }

    /// What is held of each application, and the job that reports are about.
    var held: [(job: Job, holds: [Hold])] {
        all.keys.sorted().compactMap { name in
            guard let it = all[name], let job = it.job, !it.held.holds.isEmpty else { return nil }
            return (job, it.held.holds)
        }
    }

    /// Returns whether something is still to be undone for a hook.
    func owes(_ hook: String) -> Bool {
        all.values.contains { $0.job?.hook.name == hook && !$0.held.holds.isEmpty }
    }

    /// Returns whether a write of the record is awaited.
    func awaits(_ id: WriteID) -> Bool {
        all.values.contains { if case .recording(let own) = $0.step { own <= id } else { false } }
    }

    /// The applications that are frozen now.
    var frozen: Set<String> { Set(all.filter(\.value.held.isFrozen).keys) }

    /// Handles simultaneous inputs and returns the resulting effects in order.
    ///
    /// - Parameter write: The number of the next write of the record.
    mutating func handle(
        _ inputs: [ApplicationInput], at moment: Moment, write: WriteID
    ) -> [ApplicationEffect] {
        (self.moment, self.write, isChanged) = (moment, write, false)
        for input in inputs { take(input) }
        // The last attempt has succeeded.
        for (name, it) in all where it.held.freeze.isEmpty { all[name]?.thaw = nil }
        advanceRests()
        advanceAll()
        // Only now: what is thawed is reported with the reason for its rest, and with those that share its processes.
        for name in over { all[name]?.rest = nil }
        over = []
        forgetClosed()
        advanceAll()
        defer { effects = [] }
        return effects
    }

    private mutating func advanceAll() {
        let freezable = freezable
        for name in all.keys.sorted() {
            guard var it = all[name] else { continue }
            advance(&it, freezable)
            all[name] = it
        }
        all = all.filter { !$0.value.isForgettable || votes[$0.key] != nil }
    }

    /// The time at which an input `timer` is due; nil for never.
    var next: Duration? {
        // What was due has been done, or waits for something else, such as an answer.
        var times = all.values.flatMap(\.times).filter { $0 > moment.now }
        if sessionEnd > moment.now, all.keys.contains(where: { votes[$0] != nil }) {
            times.append(sessionEnd)
        }
        return times.min()
    }

    /// Makes everything due that could not be undone.
    mutating func retryNow() {
        for name in all.keys {
            all[name]?.thaw?.due = .zero
            all[name]?.undo?.due = .zero
        }
    }

    /// Forgets what applications without windows share, once it has been thawed with them.
    private mutating func forgetClosed() {
        for name in closed where all[name]?.held.isFrozen != true {
            for other in all.keys { all[other]?.companions.remove(name) }
            closed.remove(name)
        }
    }

    private mutating func take(_ input: ApplicationInput) {
        switch input {
        case .votes(let votes): use(votes)
        case .wanted(let names, let reason):
            for name in names { rest(name, because: reason) }
        case .called(let name, let call):
            if let count = all[name]?.calls.count, count < Application.mostCalls {
                all[name]?.calls.insert(call)
            }
        case .answered(let name, let call): all[name]?.calls.remove(call)
        case .sessionMayEnd: sessionEnd = moment + Self.sessionPatience
        case .thaw(let names):
            for name in all.keys where names?.contains(name) ?? true { all[name]?.rest = .forbidden }
        case .closed(let name): closed.insert(name)
        case .timer: break
        case .asked(let id, let findings): end(id) { $0.asked(&$1, about: $2, findings) }
        case .recorded(let id, let failure): recorded(id, failure)
        case .froze(let id, let result): end(id) { all, it, _ in all.froze(&it, result) }
        case .applied(let id, let answer):
            end(id) { all, it, _ in all.report(it, it.held.limits, answer) }
        case .undone(let id, let left, let answer): end(id) { $0.undone(&$1, $2, left, answer) }
        case .notThawed(let job, let holds):
            let name = job.subject.application
            var it = all[name, default: Application(name)]
            it.job = it.job ?? job
            (it.held.freeze, it.held.isFrozen, isChanged) = (holds, true, true)
            it.thaw = Application.Retry(after: it.thaw, at: moment.now)
            say(it, [.freeze], retry: it.thaw)
            all[name] = it
        case .restored(let name, let holds, let job):
            var it = all[name, default: Application(name)]
            it.job = job
            it.held.freeze += holds.filter(\.isFreeze)
            it.held.limits += holds.filter { !$0.isFreeze }
            (it.held.isFrozen, it.isRestored) = (!it.held.freeze.isEmpty, true)
            all[name] = it
        }
    }

    /// Ends the step of a run, unless something else has ended it.
    private mutating func end(
        _ id: RunID, _ body: (inout Applications, inout Application, Application.Step) -> Void
    ) {
        guard let (name, found) = all.first(where: { $0.value.step.run == id }) else { return }
        var it = found
        it.step = .settled
        body(&self, &it, found.step)
        all[name] = it
    }

    // MARK: Votes

    private mutating func use(_ new: [Vote]) {
        let former = votes
        votes = Dictionary(grouping: new, by: \.application)
        for (name, list) in votes {
            let known = Set((former[name] ?? []).map(\.job.key))
            var it = all[name, default: Application(name)]
            let isByHand = list.contains { $0.isByHand && !known.contains($0.job.key) }
            if known.isEmpty || isByHand { it.excepted = nil }
            if isByHand { it.rest = nil }
            let kept = Wanted(list.filter { known.contains($0.job.key) })
            for vote in list where !known.contains(vote.job.key) && !vote.isByHand {
                sayAlready(it, vote, kept)
            }
            let begun = list.last { !known.contains($0.job.key) }
            if begun != nil { (it.refusal, it.lacking, it.isQuiet) = (nil, [], false) }
            // Reports are about the hook whose vote began last.
            let isKept = list.contains { $0.job.key == it.job?.key }
            it.job = begun?.job ?? (isKept ? it.job : list.last?.job)
            for builtIn in BuiltIn.allCases {
                let wanting = list.map(\.job).filter { $0.hook.builtIns.contains(builtIn) }
                let begun = wanting.last { !known.contains($0.key) }
                let isKept = wanting.contains { $0.key == it.jobs[builtIn]?.key }
                if let job = begun ?? (isKept ? nil : wanting.last) { it.jobs[builtIn] = job }
            }
            all[name] = it
        }
        for (name, list) in former {
            let (had, has) = (list.filter(\.wantsFreeze), (votes[name] ?? []).filter(\.wantsFreeze))
            // A sign has ended a freeze by hand, and lasts.
            let isPhaseOver = had.contains { !$0.isByHand } && !has.contains { !$0.isByHand }
            let isAllowed = all[name]?.rest == .forbidden && !had.isEmpty && has.isEmpty
            if isPhaseOver || isAllowed { over.insert(name) }
            guard all[name]?.held.isFrozen == true, !has.isEmpty else { continue }
            for vote in had where !has.contains(where: { $0.job.key == vote.job.key }) {
                effects.append(.say(.staysFrozen(vote.job, for: has.map(\.job))))
            }
        }
    }

    /// Reports what a new vote wants that is already in force because of others.
    private mutating func sayAlready(_ it: Application, _ vote: Vote, _ kept: Wanted) {
        let inForce = it.held.applied.builtIns.union(it.held.isFrozen ? [.freeze] : [])
        let done = Wanted([vote]).builtIns.intersection(inForce).intersection(kept.builtIns)
        // A stricter cap is reported when it takes effect.
        let words = done.subtracting([.cap]).map(\.participle).sorted()
        if !words.isEmpty {
            effects.append(.say(.done(vote.job, ["is already \(words.joined(separator: " and "))"])))
        }
    }

    /// The votes that no exception prevents, as far as is known.
    private func effective(_ name: String) -> [Vote] {
        let votes = votes[name] ?? []
        guard let excepted = all[name]?.excepted, excepted.again > moment.now else { return votes }
        return votes.filter { excepted.text(for: $0) == nil }
    }

    /// The applications that may be frozen now: hooks want it, nothing prevents it, and the same is true of all that share
    /// their processes.
    private var freezable: Set<String> {
        if sessionEnd > moment.now { return [] }
        var names = Set(all.keys.filter(mayFreeze))
        while let name = names.first(where: { all[$0]?.companions.isSubset(of: names) == false }) {
            names.remove(name)
        }
        return names
    }

    /// Returns whether hooks want to freeze an application, and nothing of its own prevents that.
    private func mayFreeze(_ name: String) -> Bool {
        guard let application = all[name] else { return false }
        return application.rest == nil && application.refusal == nil
            && effective(name).contains(where: \.wantsFreeze)
    }

    /// Returns the applications that share processes with one, directly or through others.
    private func sharing(with name: String) -> Set<String> {
        var (found, new): (Set<String>, Set<String>) = ([], [name])
        while !new.isEmpty {
            found.formUnion(new)
            new = Set(new.flatMap { all[$0]?.companions ?? [] }).subtracting(found)
        }
        return found.subtracting([name])
    }

    /// Returns what keeps a vote from being followed; nil if it is followed, or is about to be.
    func hindrance(of job: Job) -> Hindrance? {
        guard let it = all[job.subject.application] else { return nil }
        let vote = Vote(job: job)
        if let refusal = it.refusal { return Hindrance(reason: refusal) }
        if let excepted = it.excepted, let text = excepted.text(for: vote) {
            let isException = job.hook.except.contains { excepted.found[$0] != nil }
            return Hindrance(reason: text, until: excepted.again, isException: isException)
        }
        // Other reactions stay while the application is thawed.
        guard vote.wantsFreeze else { return nil }
        switch it.rest {
        case .until(let end, let reason, _): return Hindrance(reason: reason, until: end, isThawed: true)
        case .forbidden: return Hindrance(reason: HookEngine.thawedByUser, isThawed: true)
        case .glance, nil: break
        }
        if sessionEnd > moment.now {
            return Hindrance(reason: ThawReason.sessionMayEnd.words, until: sessionEnd, isThawed: true)
        }
        let other = it.companions.subtracting(freezable).min()
        return other.map { Hindrance(reason: "it shares a process with '\($0)'") }
    }

    // MARK: Rests

    /// Thaws an application for a while. What is not frozen, nor about to be, needs no rest.
    private mutating func rest(_ name: String, because reason: ThawReason) {
        guard let application = all[name], application.rest != .forbidden,
            !application.held.freeze.isEmpty || application.step != .settled
        else { return }
        let times = (votes[name] ?? []).filter(\.wantsFreeze).map { $0.rest(after: reason) }
        guard let time = times.max() else { return }
        all[name]?.rest = .until(moment + time, because: reason.words, isQuiet: false)
        all[name]?.calls = []
    }

    /// Ends the rests that are due, and begins those for calls and wakes.
    private mutating func advanceRests() {
        for name in all.keys {
            let wakes = wakes(of: name)
            let isTooLong = all[name]?.advanceRest(at: moment.now, wakes) ?? false
            if isTooLong { rest(name, because: .spokenTo("a call that it is slow to answer")) }
        }
    }

    /// The wakes of the hooks that freeze an application; empty if a hook keeps it frozen.
    private func wakes(of name: String) -> [Wake] {
        let freezing = effective(name).filter(\.wantsFreeze)
        let wakes = freezing.compactMap(\.job.hook.wake)
        return wakes.count == freezing.count ? wakes : []
    }

    // MARK: The next action

    private mutating func advance(_ it: inout Application, _ freezable: Set<String>) {
        guard let job = it.job else { return }
        it.isRestored = it.isRestored && !it.held.holds.isEmpty
        // What an earlier process has done is undone first, since its present state is not known.
        var wanted = it.isRestored ? Wanted() : Wanted(effective(it.name))
        // What could not be thawed is frozen in part.
        wanted.isFrozen = wanted.isFrozen && freezable.contains(it.name) && it.thaw == nil
        let freezer = it.job(for: [.freeze]) ?? job
        if !wanted.isFrozen { thaw(&it, freezer, freezable) }
        guard it.step == .settled else { return }
        let surplus = it.held.limits.filter { !wanted.builtIns.contains($0.builtIn) }
        if !surplus.isEmpty {
            if let undo = it.undo, undo.due > moment.now { return }
            let id = newRun()
            it.step = .undoing(id, surplus)
            let limiter = it.job(for: Set(surplus.map(\.builtIn))) ?? job
            effects.append(.undo(id, limiter, surplus))
        } else if wanted.isFrozen && !it.held.freeze.isEmpty && (!it.held.isFrozen || it.rounds > 0)
            && sharing(with: it.name).allSatisfy({ all[$0]?.held.freeze.isEmpty == false })
        {
            // All that share its processes have been asked, too.
            let id = newRun()
            it.step = .freezing(id)
            effects.append(.freeze(id, freezer, it.held.freeze, fellows: it.companions))
        } else if let change = it.held.change(to: wanted) {
            let id = newRun()
            (it.step, it.held.applied) = (.applying(id), change.applied)
            let limiter = it.job(for: Set(change.holds.map(\.builtIn))) ?? job
            effects.append(.apply(id, limiter, change.holds, change.applied))
        } else {
            ask(&it, job, wanted, freezable)
        }
    }

    /// Asks for what is wanted and not held.
    private mutating func ask(
        _ it: inout Application, _ job: Job, _ wanted: Wanted, _ fellows: Set<String>
    ) {
        let missing = wanted.builtIns.subtracting(it.held.holds.map(\.builtIn)).subtracting(it.lacking)
        guard it.refusal == nil, !missing.isEmpty else { return }
        // Not those of votes that are known to be prevented: what they forbid, another vote may permit.
        let exceptions = effective(it.name).reduce(into: Set<Exception>()) {
            $0.formUnion($1.job.hook.except)
        }
        let id = newRun()
        it.step = .asking(id, missing)
        effects.append(.ask(id, job, missing, exceptions, fellows: fellows.subtracting([it.name])))
    }

    private mutating func thaw(_ it: inout Application, _ job: Job, _ freezable: Set<String>) {
        if let thaw = it.thaw, it.held.isFrozen, thaw.due > moment.now { return }
        var isFreezing = it.rounds > 0
        if case .freezing = it.step { (isFreezing, it.step) = (true, .settled) }
        var (reason, isQuiet, isLifted): (String?, Bool, Bool) = (nil, false, false)
        switch it.rest {
        case .until(_, let because, let quiet): (reason, isQuiet) = (because, quiet)
        case .glance: (isQuiet, isLifted) = (true, true)
        case .forbidden: reason = "the user requested it"
        case nil where sessionEnd > moment.now: reason = ThawReason.sessionMayEnd.words
        case nil where mayFreeze(it.name):
            guard let other = it.companions.subtracting(freezable).min() else { break }
            reason = "it shares a process with '\(other)'"
            let rests = sharing(with: it.name).filter { !mayFreeze($0) }
                .map { all[$0]?.rest }
            isQuiet = rests.allSatisfy { $0?.isQuiet == true }
            isLifted = rests.allSatisfy { if case .glance = $0 { true } else { false } }
        case nil: break
        }
        if it.held.isFrozen || isFreezing {
            // It may be about to be frozen again after a call, whose thaw was not reported.
            let isReported = (it.held.isFrozen || it.isQuiet) && !isQuiet
            // What is thawed quietly is frozen again quietly.
            if it.held.isFrozen && it.rounds == 0 || isReported { it.isQuiet = isQuiet }
            effects.append(
                .thaw(job, it.held.freeze, because: reason, isQuiet: !isReported))
        } else if let reason, it.isQuiet, !isQuiet, !isLifted, !it.held.freeze.isEmpty {
            // It runs already, since it answers a call. That was not reported.
            it.isQuiet = false
            effects.append(.say(.done(job, ["thawed: \(reason)"])))
        }
        (it.held.isFrozen, it.rounds, it.wake) = (false, 0, nil)
        if !isLifted && !it.held.freeze.isEmpty {
            it.held.freeze = []
            isChanged = true
        }
    }

    private mutating func newRun() -> RunID {
        lastRun += 1
        return lastRun
    }

    // MARK: Answers

    private mutating func asked(
        _ it: inout Application, about step: Application.Step, _ findings: Findings
    ) {
        guard case .asking(_, let asked) = step else { return }
        // No vote is left, and it may have no windows.
        if votes[it.name] == nil { return }
        for fault in findings.faults { say(it) { .notDone($0, fault) } }
        for remark in findings.remarks { effects.append(.say(.once(remark))) }
        var lacking = asked.subtracting(findings.limits.map(\.builtIn))
        // What an exception or another application prevents may be frozen later.
        let isDecided = findings.found.isEmpty && findings.companions.isEmpty
        if findings.freeze != nil || !isDecided { lacking.remove(.freeze) }
        it.lacking.formUnion(lacking)
        // Without a hold, not all of them are known.
        let former = findings.freeze == nil ? [] : it.companions.subtracting(findings.companions)
        for other in former { all[other]?.companions.remove(it.name) }
        it.companions = it.companions.subtracting(former).union(findings.companions)
        for other in findings.companions {
            all[other, default: Application(other)].companions.insert(it.name)
        }
        if let refusal = findings.refusal {
            it.refusal = refusal
            return say(it) { .refused($0, refusal) }
        }
        except(&it, findings.found)
        let votes = (votes[it.name] ?? []).filter { it.excepted?.text(for: $0) == nil }
        var wanted = Wanted(votes)
        let freezable = freezable
        if wanted.isFrozen, let other = it.companions.subtracting(freezable).min() {
            say(it) { .refused($0, "it shares a process with '\(other)'") }
        }
        wanted.isFrozen = wanted.isFrozen && freezable.isSuperset(of: it.companions.union([it.name]))
        let count = it.held.holds.count
        if let freeze = findings.freeze, wanted.isFrozen, asked.contains(.freeze) {
            it.held.add(freeze: freeze)
        }
        it.held.limits += findings.limits.filter { wanted.builtIns.contains($0.builtIn) }
        if it.held.holds.count > count { record(&it) }
    }

    /// Remembers the exceptions that hold. They are asked for again later, less and less often.
    private mutating func except(_ it: inout Application, _ found: [Exception?: String]) {
        let former = it.excepted
        it.excepted = nil
        if found.isEmpty { return }
        var excepted = Application.Excepted(found: found, again: .zero, wait: .zero)
        let prevented = (votes[it.name] ?? []).filter { excepted.text(for: $0) != nil }
        guard let shortest = prevented.map({ $0.rest(after: nil) }).min() else { return }
        excepted.wait = former.map { min($0.wait * 2, max(shortest, Self.longestWait)) } ?? shortest
        excepted.again = moment + excepted.wait
        it.excepted = excepted
        for vote in prevented {
            guard let text = excepted.text(for: vote), former?.text(for: vote) != text else { continue }
            effects.append(.say(.excepted(vote.job, text)))
        }
    }

    private mutating func record(_ it: inout Application) {
        isChanged = true
        it.step = .recording(write)
    }

    private mutating func recorded(_ id: WriteID, _ failure: String?) {
        for name in all.keys.sorted() {
            guard var it = all[name], case .recording(let own) = it.step, own <= id else { continue }
            it.step = .settled
            if let failure {
                // What is in force is on disk by an earlier write.
                let kinds = it.held.applied.builtIns
                it.held.limits.removeAll { !kinds.contains($0.builtIn) }
                if !it.held.isFrozen { it.held.freeze = [] }
                (it.refusal, it.rounds) = (failure, 0)
                say(it) { .notDone($0, "is not \($0.participles()): \(failure)") }
            }
            all[name] = it
        }
    }

    private mutating func froze(_ it: inout Application, _ result: FreezeResult) {
        switch result {
        case .frozen(let words):
            if !it.isQuiet { say(it, [.freeze]) { .done($0, [words]) } }
            (it.held.isFrozen, it.rounds, it.isQuiet) = (true, 0, false)
        case .more(let hold) where it.rounds < Self.mostRounds:
            (it.held.isFrozen, it.rounds) = (true, it.rounds + 1)
            it.held.add(freeze: hold)
            record(&it)
        case .more(let hold):
            refuse(
                &it,
                "it starts processes faster than they can be stopped: \(hold.stopped.count) were stopped, and more appear"
            )
        case .failed(let reason): refuse(&it, reason)
        case .later(let reason):
            // It may be awake for a call, which was not reported.
            it.rest = .until(moment + .seconds(10), because: reason, isQuiet: !it.isQuiet)
        case .silentServer:
            it.held.isFrozen = true
            let names = frozen.union([it.name])
            for other in names {
                let time = (votes[other] ?? []).map { $0.rest(after: .silentServer) }.max() ?? .zero
                let rest = Application.Rest.until(
                    moment + time, because: ThawReason.silentServer.words, isQuiet: false)
                if other == it.name { it.rest = rest } else { all[other]?.rest = rest }
            }
        }
    }

    /// Gives up a freeze. Some processes may be stopped.
    private mutating func refuse(_ it: inout Application, _ reason: String) {
        (it.held.isFrozen, it.refusal) = (true, reason)
        say(it, [.freeze]) { .notDone($0, "is not frozen: \(reason)") }
    }

    private mutating func report(_ it: Application, _ holds: [Hold], _ answer: ReactionAnswer) {
        let limits = Set(holds.map(\.builtIn))
        for fault in answer.faults { say(it, limits) { .notDone($0, fault) } }
        for remark in answer.remarks { effects.append(.say(.once(remark))) }
        if !answer.done.isEmpty { say(it, limits) { .done($0, answer.done) } }
    }

    private mutating func undone(
        _ it: inout Application, _ step: Application.Step, _ left: [Hold], _ answer: ReactionAnswer
    ) {
        guard case .undoing(_, let holds) = step else { return }
        report(it, holds, answer)
        it.held.limits.removeAll { holds.contains($0) && !left.contains($0) }
        it.held.forgetLimits()
        isChanged = true
        it.undo = left.isEmpty ? nil : Application.Retry(after: it.undo, at: moment.now)
        say(it, Set(holds.map(\.builtIn)), retry: it.undo)
    }

    /// Reports when something is undone again.
    private mutating func say(
        _ it: Application, _ builtIns: Set<BuiltIn>, retry: Application.Retry?
    ) {
        guard let retry, var job = it.job(for: builtIns) else { return }
        job.part = .leave
        effects.append(.say(.retry(job, in: retry.delay)))
    }

    /// - Parameter builtIns: The reactions that the remark is about; empty for all.
    private mutating func say(
        _ it: Application, _ builtIns: Set<BuiltIn> = [], _ remark: (Job) -> Remark
    ) {
        if let job = it.job(for: builtIns) { effects.append(.say(remark(job))) }
    }
}
