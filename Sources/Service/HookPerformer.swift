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
    private let record: UndoRecord?
    let programs: HookPrograms
    private let buses: Buses
    private let spokenTo: SpokenTo
    /// Read the files of sandboxes.
    private let sandboxes = SeparateThreads(most: 4)
    private(set) var seen = FirstSeen()
    private let survivors: Survivors
    /// The processes of window managers and compositors, as found by the last question about a freeze.
    private var managers: Set<Int32> = []
    private let readProcesses: () -> ProcessTable
    /// All processes, as read for the questions of this turn.
    private var table: ProcessTable?
    /// The table for freezes that are repeated after each call.
    private var recent: RecentProcesses
    /// The freezes that were requested in this turn. They are made together.
    private var requests: [FreezeRequest] = []
    private let openFiles = OpenFilesLimit()
    private let server: ServerAnswers
    /// The number of looks at thawed processes that are due later.
    private var looks = 0
    /// What is to be reported to all readers.
    var notices: [Notice] = []
    /// Inputs that arrive while effects are performed, or while the display is read.
    private var inputs: [HookInput] = []
    private var isHandling = false
    /// Receives what has become of a freeze by hand: the failure, nil if there was none.
    var reportHand: (_ application: String, _ failure: String?) -> Void = { _, _ in }

    /// - Parameter readProcesses: Reads all processes.
    init(
        _ hooks: [Hook], _ context: HookContext, record: UndoRecord?, loop: EventLoop,
        readProcesses: @escaping () -> ProcessTable = ProcessTable.current
    ) {
        self.loop = loop
        self.context = context
        self.record = record
        engine = HookEngine(hooks: hooks)
        context.join(loop)
        programs = HookPrograms(context, loop)
        buses = Buses(loop)
        spokenTo = SpokenTo(context, loop, buses, display: context.watcher?.displayName ?? "")
        survivors = Survivors(loop)
        server = ServerAnswers(context.watcher, loop, buses)
        self.readProcesses = readProcesses
        recent = RecentProcesses(readAll: readProcesses)
        programs.report = { [unowned self] in inputs.append($0) }
        spokenTo.report = { [unowned self] in inputs.append($0) }
        spokenTo.addressed = { [unowned self] in
            takeAll()
            prepareToListen { [unowned self] in _ = listen() }
        }
        survivors.report = { [unowned self] trigger in
            let names = engine.hooks.filter(\.lastsClosed).map(\.name)
            take(.changes([trigger], only: Set(names)))
        }
        if let record {
            loop.watch(record.answers) { [unowned self] in takeRecord() }
            record.read()
        } else {
            take(.restored([]))
        }
    }

    // MARK: The loop

    /// When to call `wake`.
    var next: Duration? {
        [nextOfEngine, programs.next, spokenTo.next, buses.next, server.next].compactMap(\.self).min()
    }

    /// If the machine sleeps until then, the loop wakes after the sleep, and asks again.
    private var nextOfEngine: Duration? { engine.next(at: Clock.now(), sinceBoot: context.sinceBoot()) }

    func wake() {
        let now = Clock.now()
        buses.expire(at: now)
        programs.expire(at: now)
        server.expire(at: now)
        if let next = nextOfEngine, next <= now { take(.timer) }
        if let next = spokenTo.next, next <= now { spokenTo.look(at: now) }
    }

    /// Waits for one event or timer, at most until `moment`, and handles it.
    ///
    /// - Returns: Whether a signal asks for the end.
    func turn(until moment: Duration? = nil) throws(SystemError) -> Bool {
        loop.setTimer([next, moment].compactMap(\.self).min())
        switch try loop.wait() {
        case .ready: break
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

    /// Passes changes to the engine.
    func take(_ triggers: [HookTrigger], only names: Set<String>? = nil) {
        if triggers.isEmpty { return }
        let changes = triggers.compactMap(\.change)
        note(changes)
        for name in Set(changes.filter { $0.kind == .opened }.map(\.application)).sorted() {
            let holders = holders(of: [name])
            let words = "a window of \(name.escapedForTerminal)"
            if !holders.isEmpty { inputs.append(.sign(holders, because: .spokenTo(words))) }
        }
        take(.changes(triggers.map { survivors.follow($0, engine.hooks, seen) }, only: names))
    }

    /// Thaws what shows signs of use, and what has stopped its processes.
    func take(signs applications: Set<String>) {
        take(.sign(applications.union(holders(of: applications)), because: .used))
    }

    /// Passes an input to the engine and performs its effects, until no further input arrives.
    func take(_ input: HookInput) {
        inputs.append(input)
        takeAll()
    }

    /// Passes the inputs that have arrived to the engine. Must be called before the loop sleeps.
    func takeAll() {
        if isHandling || inputs.isEmpty { return }
        isHandling = true
        defer { isHandling = false }
        while !inputs.isEmpty || !requests.isEmpty {
            if inputs.isEmpty {
                watchHeld()
                prepareFreezes()
                continue
            }
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
        watchHeld()
    }

    private func watchHeld() {
        let names = engine.heldApplications
        let held = Dictionary(uniqueKeysWithValues: names.map { ($0, engine.freeze(of: $0)) })
        spokenTo.watch(held, isAnyFrozen: !engine.frozenApplications.isEmpty)
    }

    private func takeRecord() {
        for news in record?.takeNews() ?? [] {
            if let problem = news.problem { context.say(once: "hooks: \(problem)") }
            if case .notRestored = news.input {
                buses.wait(Self.rereadDelay) { [record] in record?.read() }
            }
            take(news.input)
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
        take(.sign(frozen, because: .stopped))
        EventLoop.takeDefaultAction(of: signal)
        context.say("continued")
        take(.sign(frozen, because: .stopped))
    }

    /// Stops starting programs, and sends every running program its next signal.
    func close() {
        take(.close)
        programs.signalAll()
        takeAll()
    }

    /// The steps of the stop, 10.5 s in all: programs end by themselves, receive TERM and, 2 s later, KILL; then, all that
    /// are left receive KILL, and end. On a busy machine the loop wakes late, so this takes a time of its own.
    private static let steps: [Duration] = [.milliseconds(7500), .milliseconds(2500), .milliseconds(500)]

    /// Signals within this time are one request.
    private static let oneRequest = Duration.milliseconds(500)

    /// Runs every owed `leave`, and waits for all programs, for about 10 s. A `leave` that has not begun by then stays in
    /// the record for the next start.
    ///
    /// - Parameter isAsked: Whether a signal has ended the watch. If so, the next signal begins the next step. Otherwise
    ///   the second signal does: after a loss of the X server, the service manager sends one anyway.
    func stop(isAsked: Bool) throws(SystemError) {
        let room = openFiles.room(for: HookContext.endDescriptors)
        defer { withExtendedLifetime(room) {} }
        loop.forgetDisplayAndOutput()
        programs.hurry()
        take(.stop)
        if !(programs.isEmpty && engine.isIdle) {
            let awaited = programs.names.isEmpty ? "to undo hooks" : "for \(programs.names)"
            context.say(
                "waiting up to 10 s \(awaited); press Ctrl-C \(isAsked ? "again" : "twice") to stop sooner")
        }
        var isAsked = isAsked
        var last = Clock.now()
        for step in Self.steps {
            if !isBusy { return }
            if step != Self.steps.first { close() }
            let end = Clock.now() + step
            while isBusy, !waitsInVain, Clock.now() < end {
                guard try turn(until: end) else { continue }
                // A service manager and a terminal may both pass on one request.
                if Clock.now() - last < Self.oneRequest { continue }
                last = Clock.now()
                // What was killed in the last step needs the rest of it.
                if isAsked, step != Self.steps.last { break }
                isAsked = true
            }
        }
    }

    /// Whether only a `leave` is left whose disk does not answer. It stays in the record.
    private var waitsInVain: Bool {
        programs.waitsInVain && programs.isEmpty && looks == 0 && engine.heldApplications.isEmpty
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
            let processes =
                processes.map { HookVariables.Processes(ofLiving: $0) }
                ?? ownProcesses(of: job)
            programs.start(id, job, isCheck: isCheck, processes)
        case .follow(let id, let job, let process): programs.follow(id, job, process)
        case .ask(let id, let job, let builtIns, let exceptions, let fellows):
            do throws(SystemError) {
                // Without descriptors, no process could be seen.
                if builtIns.contains(.freeze) {
                    try context.checkDescriptors(HookContext.freezeDescriptors)
                }
            } catch {
                var findings = Findings()
                findings.found[nil] = "\(error)"
                return take(.asked(id, findings))
            }
            let windows = seen.windows(of: [job.subject.application])
            let plan = plan(job, fellows, processes)
            let question = Question(
                job, builtIns, exceptions, plan, windows: Set(windows.keys), programs, buses,
                sandboxes: sandboxes)
            ask(id, question, fellows)
        case .freeze(let id, let job, let holds, let fellows):
            requests.append(FreezeRequest(id: id, job: job, holds: holds, fellows: fellows))
        case .thaw(let job, let holds, let reason, let isQuiet):
            thaw(job, holds, because: reason, isQuiet: isQuiet)
        case .apply(let id, let job, let holds, let wanted):
            let group = roots(of: job).first.flatMap(ControlGroup.init(of:))
            limits.set(holds, to: wanted, job, in: group) { [weak self] _, answer in
                self?.inputs.append(.applied(id, answer))
            }
        case .undo(let id, let job, let holds):
            let isRemembered = holds.contains { $0.muted?.memory != nil }
            let family = isRemembered ? processes.family(of: roots(of: job)).map(\.identity) : []
            var room: OpenFilesLimit.Room? = openFiles.room(for: HookContext.undoDescriptors)
            limits.set(holds, to: nil, job, with: family) { [weak self] left, answer in
                withExtendedLifetime(room) { room = nil }
                self?.inputs.append(.undone(id, left: left, answer))
            }
        case .byHand(let application, let failure): reportHand(application, failure)
        case .end(let id): programs.end(id)
        case .log(let event, let job): say(event, of: job)
        case .say(let line, as: .line): context.say(line)
        case .say(let line, as: .once): context.say(once: line)
        case .say(let line, as: .notice): notices.append(Notice(name: "hooks", text: line))
        }
    }

    private func say(_ event: JobEvent, of job: Job) {
        if let line = event.line(of: job) { context.say(line, about: job) }
    }

    // MARK: Questions

    private var limits: Limits { Limits(programs: programs, buses: buses) }

    private var processes: ProcessTable {
        let table = table ?? readProcesses()
        self.table = table
        return table
    }

    /// The session has no processes.
    private func ownProcesses(of job: Job) -> HookVariables.Processes {
        job.trigger.change.map(seen.processes) ?? HookVariables.Processes()
    }

    private func roots(of job: Job) -> [Int32] { ownProcesses(of: job).pids }

    private func plan(_ job: Job, _ fellows: Set<String>, _ table: ProcessTable) -> FreezePlan {
        let application = job.subject.application
        return FreezePlan(
            table: table, roots: roots(of: job), others: seen.processes(ofOthersThan: application),
            fellows: fellows, application: application, isNamed: job.hook.names(application),
            server: context.server, managers: managers,
            mayPostpone: job.mayBePostponed && engine.mayPostpone(application))
    }

    /// Returns the processes that are stopped with an application, or are about to be.
    private func processes(heldWith application: String) -> Set<Int32> {
        engine.freeze(of: application).reduce(into: []) { $0.formUnion($1.processes) }
    }

    /// Returns the applications that are not held themselves, but have processes that are stopped with another one, which
    /// has started them.
    func guests(of application: String) -> Set<String> {
        let owners = seen.owners(among: processes(heldWith: application))
        return Set(owners.values.joined()).subtracting(engine.heldApplications)
    }

    /// Returns the applications that have stopped processes of these ones.
    private func holders(of applications: Set<String>) -> Set<String> {
        engine.heldApplications.filter { !guests(of: $0).isDisjoint(with: applications) }
    }

    private func ask(_ id: RunID, _ question: Question, _ fellows: Set<String>) {
        question.ask(context.watcher) { [weak self] in self?.aim(id, question, fellows) }
    }

    /// Finds the processes to stop, and answers.
    private func aim(_ id: RunID, _ question: Question, _ fellows: Set<String>) {
        managers = question.managers ?? managers
        question.aim(plan(question.job, fellows, question.table)) { $0.flatMap(engine.freeze) }
        inputs.append(.asked(id, question.findings))
    }

    // MARK: Freezing and thawing

    /// Makes the requested freezes once calls to them are noticed, the X server answers, and it has accepted the connection
    /// that shows messages to windows.
    private func prepareFreezes() {
        let together = requests
        requests = []
        spokenTo.whenHeard { [unowned self] lack in
            if let lack { return give(up: together, deafness(lack)) }
            server.ask(within: ServerAnswers.patience) { [unowned self] roundTrips in
                guard let roundTrips else { return give(up: together, silence) }
                server.wait(for: prepareToListen) { [unowned self] isThere in
                    isThere ? freeze(together, roundTrips) : give(up: together, silence)
                }
            }
        }
    }

    private func give(up requests: [FreezeRequest], _ reason: String) {
        inputs += requests.map { .froze($0.id, .later(reason)) }
        takeAll()
    }

    /// Reports once what would not be noticed, and returns why nothing is frozen.
    private func deafness(_ lack: String) -> String {
        spokenTo.sayDeaf(lack)
        return "\(ThawReason.unwatched.words): \(lack)"
    }

    /// Reports that the X server does not answer before a freeze, and returns that.
    private var silence: String {
        let reason = "the X server did not answer within \(ServerAnswers.patience.text)"
        let remedy = "end the program that has grabbed it, or use a faster connection to it"
        context.say(once: "hooks: nothing is frozen: \(reason): \(remedy)")
        return reason
    }

    /// Freezes applications, unless they have been thawed meanwhile, and answers once the X server has answered again: a
    /// stopped program may have grabbed it. A sign thaws an application while this waits.
    ///
    /// - Parameter roundTrips: The time in which the X server has answered before.
    private func freeze(_ requests: [FreezeRequest], _ roundTrips: Duration) {
        let requests = requests.filter { engine.isFreezing($0.id) }
        if requests.isEmpty { return }
        if let lack = prepareSigns(for: requests) { return give(up: requests, lack) }
        let results = stop(requests)
        let limit = min(max(.milliseconds(100), roundTrips * 2), ServerAnswers.patience)
        server.ask(within: limit) { [unowned self] time in
            inputs += results.map { .froze($0.id, time == nil ? .silentServer : $0.result) }
            takeAll()
        }
    }

    /// Makes what notices signs. Listens before the stop: a program may not handle messages that arrive in between.
    ///
    /// - Returns: What would not be noticed; nil if all is.
    private func prepareSigns(for requests: [FreezeRequest]) -> String? {
        do throws(SystemError) {
            try spokenTo.prepareLooks()
        } catch {
            return deafness("\(error)")
        }
        return listen(before: Set(requests.map(\.application)))
    }

    /// Stops all processes of the freezes, reads the processes once, and answers about what is not frozen at once.
    ///
    /// - Returns: What is frozen, or stopped in part.
    private func stop(_ requests: [FreezeRequest]) -> [(id: RunID, result: FreezeResult)] {
        let faults = requests.map { request in
            Result { () throws(SystemError) in try request.holds.stop() }.failure
        }
        // One that was awake for a call is frozen again and again.
        let areRepeated = requests.allSatisfy { spokenTo.watches($0.application) }
        let roots = requests.flatMap { self.roots(of: $0.job) }
        let table = areRepeated ? recent.updated(for: roots) : recent.all()
        var stopped: [(id: RunID, result: FreezeResult)] = []
        var watched: [String: [Int32]] = [:]
        for (request, fault) in zip(requests, faults) {
            let plan = plan(request.job, request.fellows, table)
            let result = fault.map { .failed("\($0)") } ?? request.holds.frozen(plan)
            switch result {
            case .frozen:
                let owners = seen.owners(among: processes(heldWith: request.application)).keys
                watched[request.application] = Set(plan.roots).union(owners).sorted()
                stopped.append((request.id, result))
            case .more: stopped.append((request.id, result))
            // What was stopped is thawed at once.
            case .failed, .later, .postponed, .silentServer: inputs.append(.froze(request.id, result))
            }
        }
        spokenTo.add(watched)
        takeAll()
        return stopped
    }

    /// The windows of what is frozen, with the names of the applications.
    private var frozenWindows: [UInt32: String] {
        let names = engine.frozenApplications
        return seen.clients(of: Dictionary(uniqueKeysWithValues: names.map { ($0, processes(heldWith: $0)) }))
    }

    private func prepareToListen(then: @escaping () -> Void) {
        spokenTo.prepareToListen(to: { [unowned self] in frozenWindows }, then: then)
    }

    /// Listens to messages to what is frozen, after `prepareToListen`.
    ///
    /// - Parameter applications: What is about to be frozen.
    /// - Returns: Why they are not detected; nil if they are.
    private func listen(before applications: Set<String> = []) -> String? {
        do {
            try spokenTo.listen(to: frozenWindows)
            return nil
        } catch {
            // Messages to other frozen applications may be lost, too.
            let others = engine.frozenApplications.subtracting(applications)
            take(.sign(others, because: .unwatched))
            return deafness("\(error)")
        }
    }

    private func thaw(_ job: Job, _ holds: [Hold], because reason: String?, isQuiet: Bool) {
        let (left, faults) = context.reserved.lend { holds.undone() }
        for fault in faults { say(.failed("is not thawed: \(fault)"), of: job) }
        if !left.isEmpty { return take(.notThawed(job, left)) }
        if isQuiet { return }
        let processes = holds.flatMap(\.stopped)
        if processes.mayBeStopped {
            looks += 1
            buses.wait([ProcessIdentity].lookDelay) { [weak self] in self?.look(job, processes) }
        }
        say(.thawed(because: reason), of: job)
    }

    /// Reports thawed processes that are still stopped, unless they are frozen again.
    private func look(_ job: Job, _ processes: [ProcessIdentity]) {
        looks -= 1
        let frozen = engine.frozenProcesses
        for cause in processes.filter({ !frozen.contains($0) }).stillStopped {
            say(.failed("is still stopped: \(cause)"), of: job)
        }
    }
}

/// A freeze that the engine requests.
private struct FreezeRequest {
    let id: RunID
    let job: Job
    let holds: [Hold]
    let fellows: Set<String>

    var application: String { job.subject.application }
}
