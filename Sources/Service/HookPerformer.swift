import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// An object that performs the effects that the hook engine requests, and returns every answer to it as an input.
final class HookPerformer {
    /// The first and the longest delay before an unreadable record is read again.
    private static let rereadDelays = Duration.seconds(1)...Duration.seconds(60)

    let loop: EventLoop
    let context: HookContext
    private(set) var engine: HookEngine
    /// The hooks of a dry run, of which the engine knows only commands; nil if the effects are performed.
    private var planned: [Hook]?
    private let record: PairRecord?
    private let freezer: Freezer
    private let messages: MessageWatch
    private let spokenTo: SpokenTo
    private let asker: Asker
    /// The answers to questions, which may arrive while the display is read.
    private var answers: [() -> Void] = []
    /// The questions that are not answered yet.
    private var asked: Set<RunID> = []
    private var lastTool: RunID = 0
    /// The inputs for freezes that wait until the session bus is monitored for them.
    private var aims: [HookInput] = []
    /// What has become of the freezes by hand.
    private var hands: [(application: String, failure: String?)] = []
    private var seen = FirstSeen()
    private var runs: Runs
    /// The programs that an earlier process has started and that still run.
    private var followed: [ProcessIdentity: RunningProgram] = [:]
    /// When the unreadable record is read again, and after which delay; nil if it could be read.
    private var rereading: (due: Duration?, delay: Duration)?
    private var notices: [Notice] = []
    /// The remarks that have been logged; each is logged once.
    private var remarks: SaidOnce
    /// Inputs that arrive while effects are performed.
    private var inputs: [HookInput] = []
    private var isHandling = false

    init(_ hooks: [Hook], _ context: HookContext, record: PairRecord?, loop: EventLoop) {
        self.loop = loop
        self.context = context
        self.record = record
        planned = context.isDryRun ? hooks : nil
        engine = HookEngine(hooks: context.isDryRun ? hooks.map(\.withoutReactions) : hooks)
        freezer = Freezer(context)
        messages = MessageWatch(context.watcher, loop)
        asker = Asker(context, loop)
        spokenTo = SpokenTo(loop, display: context.watcher?.displayName ?? "")
        runs = Runs(loop)
        // The start of the service has already reported it, with the hooks concerned.
        remarks = SaidOnce(Set(UserServices.lack(.own).map { [Remark.once($0).line ?? ""] } ?? []))
        if let record {
            loop.watch(record.answers)
            record.read()
        } else {
            take(.restored([]))
        }
    }

    /// When to call `wake`.
    var next: Duration? {
        if !answers.isEmpty { return .zero }
        return [engine.next, runs.next, rereading?.due, freezer.next, spokenTo.next, asker.next]
            .compactMap(\.self).min()
    }

    /// Whether programs run or may be started, or a disk operation is pending.
    var isBusy: Bool {
        !runs.isEmpty || record?.isBusy ?? false || freezer.next != nil
            || !(engine.isClosed || engine.isIdle)
    }

    /// Whether no program runs or may be started.
    var hasOnlyDisk: Bool { runs.isEmpty && engine.isIdle }

    /// The names of the hooks whose programs run, for messages.
    var names: String {
        Set(runs.all.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    /// Returns the instance names of the open windows of an application.
    func instances(of application: String) -> Set<String> { seen.instances(of: application) }

    /// Records windows and their processes without running hooks.
    func note(_ changes: some Sequence<Change>) { for change in changes { seen.record(change) } }

    /// Passes an input to the engine and performs its effects, until no further input arrives.
    func take(_ input: HookInput) {
        if planned != nil, case .reload(let hooks) = input {
            planned = hooks
            inputs.append(.reload(hooks.map(\.withoutReactions)))
        } else {
            inputs.append(input)
        }
        if isHandling { return }
        isHandling = true
        defer { isHandling = false }
        var index = 0
        while index < inputs.count {
            for effect in engine.handle(
                inputs[index], at: Moment(now: Clock.now(), sinceBoot: context.sinceBoot(), time: .now()))
            {
                perform(effect)
            }
            index += 1
        }
        inputs.removeAll(keepingCapacity: true)
        record?.write { engine.owed }
        // Selecting windows opens a new connection. This is done for each freeze, but not for each thaw: the windows of
        // a thawed application stay selected until a message to them arrives.
        if messages.descriptor != nil && engine.frozenApplications.isEmpty {
            _ = try? messages.listen(to: [])
        }
        if spokenTo.isActive && aims.isEmpty { spokenTo.keep(engine.heldApplications, at: Clock.now()) }
    }

    func wake() {
        let now = Clock.now()
        takeAnswers()
        for news in runs.expire(at: now) { handle(news) }
        if let next = asker.next, next <= now { asker.wake(at: now) }
        if let rereading, let due = rereading.due, due <= now {
            self.rereading?.due = nil
            record?.read()
        }
        if let next = engine.next, next <= now { take(.timer) }
        if let next = freezer.next, next <= now { freezer.look(at: now, frozen: engine.frozenProcesses) }
        if let next = spokenTo.next, next <= now { hear(spokenTo.expire(at: now)) }
    }

    /// Handles a ready descriptor.
    func ready(_ descriptor: Int32) {
        if context.flush(descriptor) { return }
        if descriptor == messages.descriptor { return takeMessages() }
        if descriptor == record?.answers { return takeRecord() }
        if asker.buses.ready(descriptor) { return }
        if let news = spokenTo.ready(descriptor, at: Clock.now()) {
            return hear(news)
        }
        if let news = runs.news(of: descriptor, at: Clock.now()) { handle(news) }
    }

    /// Passes the answers that have arrived to the engine.
    func takeAnswers() {
        while !answers.isEmpty {
            let taken = answers
            answers = []
            for answer in taken { answer() }
        }
    }

    /// Returns what has become of the freezes by hand since the last call: the failure, nil if there was none.
    func takeHands() -> [(application: String, failure: String?)] {
        defer { hands = [] }
        return hands
    }

    func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Thaws all applications and stops this process, which cannot thaw them while it is stopped. They are frozen again
    /// later.
    func stopProcess(by signal: Int32) {
        let frozen = engine.frozenApplications
        take(.application(.wanted(frozen, because: .stopped)))
        EventLoop.takeDefaultAction(of: signal)
        take(.application(.wanted(frozen, because: .stopped)))
    }

    /// Forwards a signal to the process groups of all running programs.
    func passOn(_ signal: Int32) {
        for run in runs.all { run.program.passOn(signal) }
    }

    /// Stops starting programs, and sends every running program its next signal.
    func close() {
        take(.close)
        for news in runs.signalAll(at: Clock.now()) { handle(news) }
    }

    /// Waits for one event or timer, at most until `moment`, and handles it.
    ///
    /// - Returns: Whether a signal asks for the end.
    func turn(until moment: Duration? = nil) throws(SystemError) -> Bool {
        loop.setTimer([next, moment].compactMap(\.self).min())
        switch try loop.wait() {
        case .ready(let descriptor): ready(descriptor)
        case .signal(let number):
            return number != SIGHUP && !EventLoop.stoppingSignals.contains(number)
        default: wake()
        }
        takeAnswers()
        return false
    }

    func status(_ own: (Hook) -> HookStatus?) -> [HookStatus] {
        engine.status(own: own) { hold, row in hold.describe(in: &row) }
    }

    // MARK: Effects

    private func perform(_ effect: HookEffect) {
        if let planned { return plan(effect, of: planned) }
        switch effect {
        case .record(let id, let jobs):
            for job in jobs {
                let processes = seen.processes(of: job.trigger.change).pids.compactMap {
                    ProcessIdentity(pid: $0)
                }
                take(.identified(job, processes))
            }
            if let record { record.want(id) } else { take(.recorded(id)) }
        case .run(let id, let job, let isCheck, let processes): start(id, job, isCheck, processes)
        case .follow(let id, let job, let process):
            guard let program = followed.removeValue(forKey: process) else {
                return take(.ended(id, .exited(0), after: .zero))
            }
            runs.add(Run(id: id, job: job, .part, program: program))
        case .application(let effect): perform(effect)
        case .byHand(let application, let failure): hands.append((application, failure))
        case .end(let id):
            // The result is nil: the first signal never ends a run immediately.
            if let run = runs[id], run.program.stage == .running {
                _ = runs.signal(run, at: Clock.now(), isTimeout: false)
            }
        case .say(let remark): say(remark)
        }
    }

    /// Reports what an effect would do. Every program of a dry run succeeds at once, and no check is a veto.
    private func plan(_ effect: HookEffect, of hooks: [Hook]) {
        switch effect {
        case .run(let id, var job, let isCheck, _):
            job.hook = hooks.first { $0.name == job.hook.name } ?? job.hook
            for line in RunWords.planned(job, isCheck: isCheck) { context.say(line, about: job) }
            take(.ended(id, .exited(isCheck ? 1 : 0), after: .zero))
        case .record(let id, _): take(.recorded(id))
        case .say(let remark) where remark.event?.kind != .ran: say(remark)
        default: break
        }
    }

    private func say(_ remark: Remark) {
        guard let line = remark.line else { return }
        switch remark.form {
        case .line: context.say(line, about: remark.job)
        case .once: if remarks.insert(line) { context.say(line) }
        case .notice: notices.append(Notice(name: "hooks", text: line))
        }
    }

    private func start(_ id: RunID, _ job: Job, _ isCheck: Bool, _ processes: [ProcessIdentity]?) {
        let processes =
            processes.map { HookVariables.Processes(ofLiving: $0) } ?? seen.processes(of: job.trigger.change)
        do throws(SystemError) {
            let program = try RunningProgram(
                (isCheck ? job.hook.unless : job.program)?.arguments ?? [],
                environment: context.variables(for: job, processes),
                input: Event.change(job.trigger.change.naming(processes.pids))
                    .json(sequence: job.trigger.sequence, time: job.trigger.time) + [UInt8(ascii: "\n")],
                directory: context.home, timeout: isCheck ? Self.toolPatience : job.hook.timeout,
                at: Clock.now())
            runs.add(Run(id: id, job: job, isCheck ? .check : .part, program: program))
            if !isCheck, job.part != .run, let process = program.identity { take(.started(id, process)) }
        } catch {
            take(.ended(id, outcome(of: error, job, isCheck), after: .zero))
        }
    }

    private func outcome(of failure: SystemError, _ job: Job, _ isCheck: Bool) -> Outcome {
        let text = "\(failure)".escapedForTerminal
        if failure.hasRun && job.part == .enter && !isCheck {
            // The program may have done some of its work, so `leave` is owed.
            context.say(RunWords.about(job, text))
            return .killed(signal: SIGKILL)
        }
        return failure.isTemporary ? .postponed(text) : .notStarted(text)
    }

    // MARK: Questions

    /// Returns what a reaction to the application of a job is about.
    private func target(of job: Job) -> Target {
        let plan = freezer.plan(for: job, seen, fellows: [])
        return freezer.target(of: job, plan, (try? plan.processes()) ?? [], seen)
    }

    /// Asks what undoes the reactions of a job and which exceptions hold, as far as the system can perform them.
    private func ask(
        _ id: RunID, _ job: Job, _ builtIns: Set<BuiltIn>, _ exceptions: Set<Exception>,
        fellows: Set<String>
    ) {
        asked.insert(id)
        let plan = freezer.plan(for: job, seen, fellows: fellows)
        var (processes, refusal): ([ProcessRow], Findings?) = ([], nil)
        do throws(FreezePlan.Refusal) { processes = try plan.processes() } catch { refusal = Findings(error) }
        var target = freezer.target(of: job, plan, processes, seen)
        (target.builtIns, target.exceptions) = (builtIns, exceptions)
        // Nothing is done to what must not be touched, but an exception that holds is the better reason.
        if refusal != nil { target.builtIns.formIntersection([.freeze]) }
        let hasNoUnit = target.group == nil && plan.roots.allSatisfy { ControlGroup(of: $0) == nil }
        var wantsScope = hasNoUnit && builtIns != [.mute] && refusal == nil
        if let lack = UserServices.lack(.own) {
            if !builtIns.isDisjoint(with: UserServices.reactions) { take(.lacks(job, lack)) }
            target.builtIns.subtract(UserServices.reactions)
            wantsScope = false
        }
        asker.ask(target, wantsScope: wantsScope, sound(for: job)) { [weak self] findings in
            guard let refusal, findings.found.isEmpty else {
                self?.answers.append { self?.aim(id, job, builtIns, findings, fellows: fellows) }
                return
            }
            self?.answers.append { self?.answer(id, refusal) }
        }
    }

    /// Finds the processes to stop, and answers once calls to them are monitored.
    private func aim(
        _ id: RunID, _ job: Job, _ builtIns: Set<BuiltIn>, _ findings: Findings, fellows: Set<String>
    ) {
        guard asked.contains(id), builtIns.contains(.freeze) else { return answer(id, findings) }
        freezer.managers = findings.managers
        guard findings.found.isEmpty else { return answer(id, findings) }
        var findings = findings
        let hold: Hold
        do throws(FreezePlan.Refusal) {
            (hold, findings.companions) = try freezer.target(for: job, seen, fellows: fellows) {
                engine.freeze(of: $0)
            }
        } catch {
            let refusal = Findings(error)
            (findings.refusal, findings.companions) = (refusal.refusal, refusal.companions)
            return answer(id, findings)
        }
        findings.freeze = hold
        do {
            if try spokenTo.prepare(job.subject.application, hold.processes, at: Clock.now()) {
                return answer(id, findings)
            }
            asked.remove(id)
            aims.append(.application(.asked(id, findings)))
        } catch {
            say(.once("calls on the session bus do not thaw frozen applications: \(error)"))
            answer(id, findings)
        }
    }

    private func answer(_ id: RunID, _ findings: Findings) {
        // A question that was given up has its answer already.
        if asked.remove(id) != nil { take(.application(.asked(id, findings))) }
    }

    /// Ends the wait for all questions: the display does not answer any longer.
    func giveUpQuestions() { for id in asked { answer(id, Findings()) } }

    private func sound(for job: Job) -> Sound {
        Sound { [weak self] words, then in self?.run(words, for: job, then) }
    }

    /// Runs a program for its output.
    ///
    /// - Returns: nil if it cannot be started.
    private func run(
        _ words: [String], for job: Job, _ then: @escaping (Result<[UInt8], SystemError>) -> Void
    ) -> RunningProgram? {
        do throws(SystemError) {
            let program = try RunningProgram(
                words.map { SystemString($0) }, environment: context.inherited + ["LC_ALL=C"], input: [],
                directory: context.home, timeout: Self.toolPatience, at: Clock.now())
            // The engine numbers its own runs from 1 on.
            lastTool -= 1
            runs.add(Run(id: lastTool, job: job, .tool(words[0], then: then), program: program))
            return program
        } catch {
            let lack = words[0] == "pactl" && error.code == ENOENT
            then(.failure(lack ? .refused(AudioStream.lack) : error))
            return nil
        }
    }

    /// The time limit of a tool, and of `unless`.
    private static let toolPatience = Duration.seconds(5)

    private func perform(_ effect: ApplicationEffect) {
        switch effect {
        case .ask(let id, let job, let builtIns, let exceptions, let fellows):
            ask(id, job, builtIns, exceptions, fellows: fellows)
        case .freeze(let id, let job, let holds, let fellows):
            let result = freeze(job, holds, fellows)
            if case .frozen = result { listen(for: job) }
            take(.application(.froze(id, result)))
        case .thaw(let job, let holds, let reason, let isQuiet):
            let left = freezer.thaw(job, holds, because: reason, isQuiet: isQuiet)
            if !left.isEmpty { take(.application(.notThawed(job, left))) }
        case .apply(let id, let job, let holds, let wanted):
            asker.apply(holds, wanted, of: target(of: job), sound(for: job)) { [weak self] answer in
                self?.answers.append { self?.take(.application(.applied(id, answer))) }
            }
        case .undo(let id, let job, let holds):
            asker.undo(holds, of: target(of: job), sound(for: job)) { [weak self] left, answer in
                self?.answers.append { self?.take(.application(.undone(id, left: left, answer))) }
            }
        case .say(let remark): say(remark)
        }
    }

    private func freeze(_ job: Job, _ holds: [Hold], _ fellows: Set<String>) -> FreezeResult {
        // A new connection would block while a client has grabbed the server.
        guard context.isServerAnswering else { return .later(ThawReason.silentServer.words) }
        do {
            // Listen before the stop: the program may not handle messages that arrive in between.
            try listen(to: engine.frozenApplications.union([job.subject.application]))
        } catch {
            // Messages to other frozen applications may be lost, too.
            take(.application(.wanted(engine.frozenApplications, because: .deaf)))
            return .later("messages to it would not be detected: \(error)")
        }
        var result = FreezeResult.failed("there is nothing to stop")
        do {
            for hold in holds {
                result = try freezer.freeze(job, hold, seen, fellows: fellows)
                guard case .frozen = result else { break }
            }
        } catch {
            result = .failed("\(error)")
        }
        // A stopped program may have grabbed the server.
        return context.isServerAnswering ? result : .silentServer
    }

    // MARK: Answers

    private func handle(_ news: Runs.News) {
        switch news {
        case .printed(let run, let lines):
            for line in lines { context.show(line, of: run.job) }
        case .ended(let run, let ending, let last, let dropped):
            for line in last { context.show(line, of: run.job) }
            if dropped > 0 { context.say(RunWords.dropped(run.job, bytes: dropped)) }
            let (outcome, time) = (Outcome(ending), Clock.now() - run.program.started)
            guard case .tool(let name, let then) = run.purpose else {
                return take(.ended(run.id, outcome, after: time))
            }
            guard let failure = RunWords.failure(outcome, after: time) else {
                return then(.success(run.answer))
            }
            let said = String(decoding: run.answer, as: UTF8.self).split(separator: "\n").last ?? failure[...]
            then(.failure(.refused("\(name)\(outcome == .timedOut ? " does not answer" : ": \(said)")")))
        }
    }

    private func takeRecord() {
        for news in record?.takeNews() ?? [] {
            switch news {
            case .wrote(let id, let failure): take(.recorded(id, failure: failure))
            case .unreadable(let reason):
                if rereading == nil { context.say("hooks: \(reason)") }
                let delay = rereading.map { min($0.delay * 2, Self.rereadDelays.upperBound) }
                let next = delay ?? Self.rereadDelays.lowerBound
                rereading = (Clock.now() + next, next)
                take(.notRestored(reason))
            case .read(let contents):
                rereading = nil
                for problem in contents.problems { context.say("hooks: \(problem)") }
                take(.restored(contents.pairs.map(restored)))
                followed = [:]
            }
        }
    }

    private func restored(_ pair: RecordedPair) -> RestoredPair {
        guard let process = pair.started?.process,
            let program = RunningProgram(following: process, timeout: pair.entry.timeout, at: Clock.now())
        else { return RestoredPair(pair) }
        followed[process] = program
        return RestoredPair(pair, isRunning: true)
    }

    // MARK: Messages to frozen applications

    private static let byWindow = "a message to one of its windows"

    private func spoken(to applications: Set<String>, by what: String) {
        take(.application(.wanted(applications, because: .spokenTo(what))))
    }

    /// Watches an application that was just frozen for second starts and pending events.
    private func listen(for job: Job) {
        let roots = seen.processes(of: job.trigger.change).pids
        do throws(SystemError) {
            try spokenTo.add(job.subject.application, roots: roots, at: Clock.now())
        } catch {
            say(.once("a second start of a frozen program does not thaw it: \(error)"))
        }
    }

    private func hear(_ news: [SpokenTo.News]) {
        for news in news {
            switch news {
            case .prepared:
                let aims = self.aims
                self.aims = []
                // One `take` handles all inputs: at its end, applications that are not held are forgotten.
                inputs += aims.dropLast()
                if let last = aims.last { take(last) }
            case .spoken(let application, let what): spoken(to: [application], by: what)
            case .called(let application, let call): take(.application(.called(application, call)))
            case .answered(let application, let call): take(.application(.answered(application, call)))
            case .sessionMayEnd: take(.application(.sessionMayEnd))
            case .deaf:
                // This includes applications that are about to be frozen.
                take(.application(.wanted(engine.heldApplications, because: .deaf)))
            case .lack(let text): say(.once(text))
            }
        }
    }

    private func listen(to applications: Set<String>) throws {
        guard let addressed = try messages.listen(to: Set(applications.flatMap(seen.windows))) else {
            return say(
                .once(
                    "messages and grabbed keys do not thaw frozen applications: the X server lacks the RECORD extension"
                )
            )
        }
        if !addressed.isEmpty { spoken(to: seen.applications(of: addressed), by: Self.byWindow) }
    }

    private func takeMessages() {
        do {
            let addressed = try messages.takeAddressed()
            guard !addressed.isEmpty else { return }
            spoken(to: seen.applications(of: addressed), by: Self.byWindow)
            try listen(to: engine.frozenApplications)
        } catch {
            // Applications must not stay frozen while messages to them go unnoticed. They are frozen again later, if
            // still permitted.
            messages.stop()
            take(.application(.wanted(engine.frozenApplications, because: .deaf)))
        }
    }
}

extension Outcome {
    fileprivate init(_ ending: RunningProgram.Ending) {
        self =
            switch ending {
            case .exited(let code): .exited(code)
            case .killed(let signal): .killed(signal: signal)
            case .timedOut: .timedOut
            case .stopped: .stopped
            }
    }
}

extension Findings {
    /// Creates the answer about an application that must not be touched, or that shares a process.
    fileprivate init(_ refusal: FreezePlan.Refusal) {
        self.init()
        if let other = refusal.sharing { companions = [other] } else { self.refusal = "\(refusal)" }
    }
}
