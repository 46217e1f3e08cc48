import Console
import Glibc
import Hooks
import PhaseWatch
import System

/// An object that performs the effects that the hook engine requests, and returns every answer to it as an input.
final class HookPerformer {
    /// The delay before an unreadable record is read again.
    private static let rereadDelay = Duration.seconds(5)

    let loop: EventLoop
    let context: HookContext
    private(set) var engine: HookEngine
    /// The hooks of a dry run, of which the engine knows only commands; nil if the effects are performed.
    private var planned: [Hook]?
    private let record: PairRecord?
    let programs: HookPrograms
    private let asker: Asker
    private let signs: Signs
    private(set) var seen = FirstSeen()
    /// The questions that are not answered yet.
    private var asked: Set<RunID> = []
    /// The processes of window managers and compositors, as found by the last question about a freeze.
    private var managers: Set<Int32> = []
    /// All processes, as read for the questions of this turn.
    private var table: ProcessTable?
    /// Freezes that could not be undone.
    private var failed: Set<Hold> = []
    /// The number of looks at thawed processes that are due later.
    private var looks = 0
    /// What is to be reported to all readers.
    var notices: [Notice] = []
    /// Inputs that arrive while effects are performed, or while the display is read.
    private var inputs: [HookInput] = []
    private var isHandling = false
    /// Receives what has become of a freeze by hand: the failure, nil if there was none.
    var reportHand: (_ application: String, _ failure: String?) -> Void = { _, _ in }

    init(_ hooks: [Hook], _ context: HookContext, record: PairRecord?, loop: EventLoop) {
        self.loop = loop
        self.context = context
        self.record = record
        planned = context.isDryRun ? hooks : nil
        engine = HookEngine(hooks: context.isDryRun ? hooks.map(\.withoutReactions) : hooks)
        programs = HookPrograms(context, loop)
        asker = Asker(context.watcher, programs, loop)
        signs = Signs(context, loop)
        if let record {
            loop.watch(record.answers)
            record.read()
        } else {
            take(.restored([]))
        }
    }

    // MARK: The loop

    /// When to call `wake`.
    var next: Duration? {
        if !inputs.isEmpty { return .zero }
        return [engine.next, programs.next, signs.next, asker.buses.next].compactMap(\.self).min()
    }

    func wake() {
        let now = Clock.now()
        asker.buses.expire(at: now)
        take(programs.expire(at: now))
        if let next = engine.next, next <= now { take(.timer) }
        take(signs.expire(at: now, held: engine.heldApplications))
    }

    /// Handles a ready descriptor.
    func ready(_ descriptor: Int32) {
        if context.flush(descriptor) || asker.buses.ready(descriptor) { return }
        if descriptor == record?.answers { return takeRecord() }
        let isMessage = descriptor == signs.messages
        guard let noticed = signs.ready(descriptor, held: engine.heldApplications) else {
            return take(programs.ready(descriptor))
        }
        take(noticed)
        // Messages to what is thawed must not wake xphase.
        if isMessage { _ = listen(to: engine.frozenApplications) }
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
        takeAll()
        return false
    }

    // MARK: Inputs

    /// Records windows and their processes without running hooks.
    func note(_ changes: some Sequence<Change>) { for change in changes { seen.record(change) } }

    /// Passes an input to the engine and performs its effects, until no further input arrives.
    func take(_ input: HookInput) {
        if planned != nil, case .reload(let hooks) = input {
            planned = hooks
            take([.reload(hooks.map(\.withoutReactions))])
        } else {
            take([input])
        }
    }

    private func take(_ new: [HookInput]) {
        inputs += new
        takeAll()
    }

    /// Passes the inputs that have arrived to the engine.
    func takeAll() {
        if isHandling || inputs.isEmpty { return }
        isHandling = true
        defer { isHandling = false }
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            // An answer to an effect comes before what has arrived with the input.
            let later = inputs
            inputs = []
            let moment = Moment(now: Clock.now(), sinceBoot: context.sinceBoot(), time: .now())
            for effect in engine.handle(input, at: moment) { perform(effect) }
            inputs += later
        }
        table = nil
        record?.write { engine.owed }
        signs.keep(held: engine.heldApplications, frozen: engine.frozenApplications)
    }

    private func takeRecord() {
        for news in record?.takeNews() ?? [] {
            switch news {
            case .wrote(let id, let failure): take(.recorded(id, failure: failure))
            case .unreadable(let reason):
                context.say(once: "hooks: \(reason)")
                asker.buses.wait(Self.rereadDelay) { [record] in record?.read() }
                take(.notRestored(reason))
            case .read(let contents):
                for problem in contents.problems { context.say("hooks: \(problem)") }
                let started = contents.pairs.compactMap(\.started?.process)
                take(.restored(contents.pairs, running: Set(started.filter(\.isAlive))))
            }
        }
    }

    /// Whether programs run or may be started, or a disk operation is pending.
    var isBusy: Bool {
        !programs.isEmpty || record?.isBusy ?? false || looks > 0 || !(engine.isClosed || engine.isIdle)
    }

    // MARK: Signals and the end

    /// Thaws all applications and stops this process, which cannot thaw them while it is stopped. They are frozen again
    /// later.
    func stopProcess(by signal: Int32) {
        let frozen = engine.frozenApplications
        take(.wanted(frozen, because: .stopped))
        EventLoop.takeDefaultAction(of: signal)
        take(.wanted(frozen, because: .stopped))
    }

    /// Stops starting programs, and sends every running program its next signal.
    func close() {
        take(.close)
        take(programs.signalAll())
    }

    /// The time limit of the stop.
    private static let patience = Duration.seconds(10)
    /// The last part of that time, in which programs receive TERM and, 2 s later, KILL.
    private static let grace = Duration.milliseconds(2500)
    /// The last part of the grace period, in which killed programs end.
    private static let last = Duration.milliseconds(500)

    /// Runs every owed `leave`, and waits for all programs, for at most 10 s. A `leave` that has not begun by then
    /// stays in the record for the next start.
    ///
    /// - Parameter isAsked: Whether a signal has ended the watch. If so, the next signal shortens the stop. Otherwise
    ///   the second signal does: after a loss of the X server, the service manager sends one anyway.
    func stop(isAsked: Bool) throws(SystemError) {
        var isAsked = isAsked
        loop.forgetDisplayAndOutput()
        take(.stop)
        // The display does not answer any longer.
        for id in asked { answer(id, Findings()) }
        takeAll()
        if !(programs.isEmpty && engine.isIdle) {
            let awaited = programs.names.isEmpty ? "hooks that cannot start yet" : programs.names
            context.say(
                "waiting for \(awaited): at most 10 s, or until the \(isAsked ? "next" : "second") signal")
        }
        var end = Clock.now() + Self.patience
        var isLast = false
        while isBusy {
            let now = Clock.now()
            if now >= end {
                close()
                if isLast { return }
                // On a busy machine the loop wakes late. Programs that are killed only now need time to end.
                (isLast, end) = (true, now + Self.last)
            }
            if now >= end - Self.grace, !engine.isClosed { close() }
            let moment = engine.isClosed ? end : end - Self.grace
            guard try turn(until: moment) else { continue }
            if isAsked {
                end = min(end, now + (engine.isClosed ? Self.last : Self.grace))
                if engine.isClosed { close() }
            }
            isAsked = true
        }
    }

    // MARK: Effects

    private func perform(_ effect: HookEffect) {
        switch effect {
        case .record(let id, let jobs):
            for job in jobs {
                let processes = roots(of: job).compactMap { ProcessIdentity(pid: $0) }
                take(.identified(job, processes))
            }
            if let record { record.want(id) } else { take(.recorded(id)) }
        case .run(let id, let job, let isCheck, let processes):
            if let planned { return plan(id, job, isCheck: isCheck, of: planned) }
            let processes =
                processes.map { HookVariables.Processes(ofLiving: $0) }
                ?? seen.processes(of: job.trigger.change)
            take(programs.start(id, job, isCheck: isCheck, processes))
        case .follow(let id, let job, let process): take(programs.follow(id, job, process))
        case .ask(let id, let job, let builtIns, let exceptions, let fellows):
            let windows = seen.windows(of: job.subject.application)
            let plan = plan(job, fellows, processes)
            ask(id, Question(job, builtIns, exceptions, plan, windows: windows), fellows)
        case .freeze(let id, let job, let holds, let fellows):
            let result = freeze(job, holds, fellows)
            if case .frozen = result { signs.add(job.subject.application, roots: roots(of: job)) }
            take(.froze(id, result))
        case .thaw(let job, let holds, let reason, let isQuiet):
            thaw(job, holds, because: reason, isQuiet: isQuiet)
        case .apply(let id, let job, let holds, let wanted):
            let group = roots(of: job).first.flatMap(ControlGroup.init(of:))
            asker.set(holds, to: wanted, job, in: group) { [weak self] _, answer in
                self?.inputs.append(.applied(id, answer))
            }
        case .undo(let id, let job, let holds):
            let isRemembered = holds.contains { $0.muted?.memory != nil }
            let family = isRemembered ? processes.family(of: roots(of: job)).map(\.identity) : []
            asker.set(holds, to: nil, job, with: family) { [weak self] left, answer in
                self?.inputs.append(.undone(id, left: left, answer))
            }
        case .byHand(let application, let failure): reportHand(application, failure)
        case .end(let id): programs.end(id)
        case .say(let remark): say(remark)
        }
    }

    /// Reports what a program would do. Every program of a dry run succeeds at once, and no check is a veto.
    private func plan(_ id: RunID, _ job: Job, isCheck: Bool, of hooks: [Hook]) {
        var job = job
        job.hook = hooks.first { $0.name == job.hook.name } ?? job.hook
        for line in RunWords.planned(job, isCheck: isCheck) { context.say(line, about: job) }
        take(.ended(id, .exited(isCheck ? 1 : 0), after: .zero))
    }

    private func say(_ remark: Remark) {
        if planned != nil && remark.event?.kind == .ran { return }
        let line = remark.line
        switch remark.form {
        case .line: context.say(line, about: remark.job)
        case .once: context.say(once: line)
        case .notice: notices.append(Notice(name: "hooks", text: line))
        }
    }

    // MARK: Questions

    private var processes: ProcessTable {
        let table = table ?? .current()
        self.table = table
        return table
    }

    private func roots(of job: Job) -> [Int32] { seen.processes(of: job.trigger.change).pids }

    private func plan(_ job: Job, _ fellows: Set<String>, _ table: ProcessTable) -> FreezePlan {
        FreezePlan(for: job, seen, fellows: fellows, managers: managers, context, table)
    }

    private func ask(_ id: RunID, _ question: Question, _ fellows: Set<String>) {
        asked.insert(id)
        question.findings.lack = question.lack
        asker.ask(question) { [weak self] in self?.aim(id, question, fellows) }
    }

    /// Finds the processes to stop, and answers once calls to them are monitored.
    private func aim(_ id: RunID, _ question: Question, _ fellows: Set<String>) {
        // A question that was given up has its answer already.
        guard asked.contains(id) else { return }
        var (findings, job) = (question.findings, question.job)
        let isFreeze = question.builtIns.contains(.freeze)
        if isFreeze { managers = question.managers }
        guard findings.found.isEmpty else { return answer(id, findings) }
        let plan = plan(job, fellows, question.table)
        do throws(FreezePlan.Refusal) {
            if isFreeze {
                let sharing = plan.companions.union([job.subject.application])
                findings.freeze = try plan.hold(sharing.flatMap(engine.freeze))
                findings.companions = plan.companions
            } else {
                _ = try plan.processes()
            }
        } catch {
            // What shares a process may be frozen together with it.
            if let other = error.sharing {
                findings.companions = [other]
            } else {
                findings.refusal = "\(error)"
            }
        }
        guard let freeze = findings.freeze else { return answer(id, findings) }
        asked.remove(id)
        let application = job.subject.application
        inputs += signs.prepare(application, freeze.processes, then: .asked(id, findings))
    }

    private func answer(_ id: RunID, _ findings: Findings) {
        asked.remove(id)
        inputs.append(.asked(id, findings))
    }

    // MARK: Freezing and thawing

    private func freeze(_ job: Job, _ holds: [Hold], _ fellows: Set<String>) -> FreezeResult {
        // A new connection would block while a client has grabbed the server.
        guard context.isServerAnswering else { return .later(ThawReason.silentServer.words) }
        // Listen before the stop: the program may not handle messages that arrive in between.
        if let lack = listen(to: engine.frozenApplications.union([job.subject.application])) {
            return .later(lack)
        }
        let result = holds.frozen { plan(job, fellows, .current()) }
        // A stopped program may have grabbed the server.
        return context.isServerAnswering ? result : .silentServer
    }

    /// - Returns: Why messages to these applications are not detected; nil if they are.
    private func listen(to applications: Set<String>) -> String? {
        do {
            take(try signs.listen(to: applications, seen))
            return nil
        } catch {
            // Messages to other frozen applications may be lost, too.
            take(.wanted(engine.frozenApplications, because: .deaf))
            return "messages to it would not be detected: \(error)"
        }
    }

    private func thaw(_ job: Job, _ holds: [Hold], because reason: String?, isQuiet: Bool) {
        let (left, faults) = holds.undone()
        for fault in faults { context.say(RunWords.notDone(job, "is not thawed: \(fault)"), about: job) }
        let hasFailed = !failed.isDisjoint(with: holds)
        failed = failed.subtracting(holds).union(left)
        if !left.isEmpty { return take(.notThawed(job, left)) }
        // A thaw that succeeds after a reported failure is always reported.
        if isQuiet && !hasFailed { return }
        let processes = holds.flatMap(\.stopped)
        if processes.mayBeStopped {
            looks += 1
            asker.buses.wait([ProcessIdentity].lookDelay) { [weak self] in self?.look(job, processes) }
        }
        context.say(RunWords.thawed(job, because: reason), about: job)
    }

    /// Reports thawed processes that are still stopped, unless they are frozen again.
    private func look(_ job: Job, _ processes: [ProcessIdentity]) {
        looks -= 1
        let frozen = engine.frozenProcesses
        for cause in processes.filter({ !frozen.contains($0) }).stillStopped {
            context.say(RunWords.notDone(job, "is still stopped: \(cause)"), about: job)
        }
    }
}
