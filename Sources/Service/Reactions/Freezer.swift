import Hooks
import PhaseWatch
import System

/// The questions before freezes, the freezes and the thaws that the engine requests.
///
/// The freezes of a turn are made together, so all processes are read once after all have been stopped, and one monitor of
/// the session bus and one connection that shows messages to windows begin for all.
final class Freezer {
    private typealias Request = (id: RunID, job: Job, holds: [Hold], fellows: Set<String>)

    /// What does not answer within this time counts as a program that was just started.
    private static let patience = Duration.milliseconds(50)
    /// The interval of looking whether processes have stopped, and the numbers of looks: at those that wait, and at all.
    private static let stopInterval = Duration.milliseconds(2)
    private static let (mostLooksAtWaits, mostLooks) = (5, 50)

    private let context: HookContext
    private let programs: HookPrograms
    private let buses: Buses
    private let seen: FirstSeen
    private let signs: SignWatch
    private let server: ServerAnswers
    private let sandboxes: ProcessReadings
    private let memory: ProcessReadings
    /// The freezes that were requested in this turn.
    private var requests: [Request] = []
    /// The processes of window managers and compositors, as found by the last question about a freeze.
    private var managers: Set<Int32> = []
    private var recent: RecentProcesses
    /// All processes, as read for the questions of this turn.
    private var table: ProcessTable?
    /// The number of looks at thawed processes that are due later.
    private var looks = 0
    /// Returns the engine as it is now.
    var engine: () -> HookEngine = { HookEngine(hooks: []) }
    /// Receives the answers, and signs that applications are wanted.
    var report: (HookInput) -> Void = { _ in }

    init(
        _ context: HookContext, _ loop: EventLoop, _ programs: HookPrograms, _ buses: Buses,
        _ seen: FirstSeen, readProcesses: @escaping () -> ProcessTable
    ) {
        self.context = context
        self.programs = programs
        self.buses = buses
        self.seen = seen
        sandboxes = ProcessReadings(buses)
        memory = ProcessReadings(buses)
        signs = SignWatch(
            context, loop, buses, display: context.watcher?.displayName ?? "", memory: memory)
        server = ServerAnswers(context.watcher, loop, buses)
        recent = RecentProcesses(readAll: readProcesses)
        signs.report = { [unowned self] in report($0) }
        signs.messages.windows = { [unowned self] in
            let names = engine().frozenApplications.map { ($0, processes(heldWith: $0)) }
            return seen.clients(of: Dictionary(uniqueKeysWithValues: names))
        }
    }

    /// Whether thawed processes are still to be looked at.
    var isLooking: Bool { looks > 0 }
    /// When to call `wake`; nil for never.
    var next: Duration? { [signs.programs.next, server.next].compactMap(\.self).min() }

    func wake(at now: Duration) {
        server.expire(at: now)
        if let next = signs.programs.next, next <= now { signs.programs.look(at: now) }
    }

    /// Watches what is held for signs, and makes the freezes that were requested in this turn once all signs are noticed,
    /// and the X server answers.
    func finishTurn() {
        let engine = engine()
        let held = engine.heldApplications.map { ($0, engine.freeze(of: $0)) }
        signs.watch(Dictionary(uniqueKeysWithValues: held), frozen: engine.frozenApplications)
        table = nil
        let together = requests
        if together.isEmpty { return }
        requests = []
        signs.calls.whenNoticed { [unowned self] lack in
            if let lack { return give(up: together, deafTo: lack) }
            prepare { [unowned self] time in
                if let time { return freeze(together, time) }
                let silence = "the X server did not answer within \(ServerAnswers.patience.text)"
                let remedy = "end the program that has grabbed it, or use a faster connection to it"
                context.say(once: "hooks: nothing is frozen: \(silence): \(remedy)")
                give(up: together, because: silence)
            }
        }
    }

    /// Opens the connection to the X server that shows messages to windows.
    ///
    /// - Parameter then: Receives the time in which the server has answered before; nil if it does not answer.
    private func prepare(then: @escaping (Duration?) -> Void) {
        server.ask(within: ServerAnswers.patience) { [unowned self] time in
            guard let time else { return then(nil) }
            server.wait(for: signs.messages.renew) { then($0 ? time : nil) }
        }
    }

    // MARK: Questions

    /// All processes, as read once in each turn.
    var processes: ProcessTable {
        let table = table ?? recent.all()
        self.table = table
        return table
    }

    /// Asks what keeps an application from being touched, and what undoes the reactions.
    func ask(
        _ id: RunID, _ job: Job, _ builtIns: Set<BuiltIn>, _ exceptions: Set<Exception>,
        fellows: Set<String>
    ) {
        do throws(SystemError) {
            // Without descriptors, no process could be seen.
            if builtIns.contains(.freeze) { try context.checkDescriptors(HookContext.freezeDescriptors) }
        } catch {
            var findings = Findings()
            findings.found[nil] = "\(error)"
            return report(.asked(id, findings))
        }
        let table = processes
        let windows = seen.windows(of: [job.subject.application])
        let question = Question(
            job, builtIns, exceptions, plan(job, fellows, table), windows: Set(windows.keys), programs, buses,
            sandboxes: sandboxes)
        question.ask(context.watcher) { [weak self] in
            guard let self else { return }
            managers = question.managers ?? managers
            complete(plan(job, fellows, table)) { [weak self] plan in
                guard let self else { return }
                question.aim(plan) { [engine] in $0.flatMap(engine().freeze) }
                report(.asked(id, question.findings))
            }
        }
    }

    /// Adds to a plan what its young processes execute, as far as interpreters answer in time.
    private func complete(_ plan: FreezePlan, then: @escaping (FreezePlan) -> Void) {
        var plan = plan
        var interpreters: Set<ProcessIdentity> = []
        for row in plan.compared.compactMap({ plan.table.rows[$0] }) {
            guard let file = ExecutedProgram.file(of: row.pid) else { continue }
            let program = ExecutedProgram(file, commandLine: nil)
            plan.programs[row.pid] = program
            if program.arguments == nil { interpreters.insert(row.identity) }
        }
        let read = { @Sendable (process: ProcessIdentity) in ExecutedProgram(of: process.pid) }
        memory.read(interpreters, within: Self.patience, read) { [plan] answers in
            var plan = plan
            for (process, program) in answers { plan.programs[process.pid] = program }
            then(plan)
        }
    }

    private func plan(_ job: Job, _ fellows: Set<String>, _ table: ProcessTable) -> FreezePlan {
        let application = job.subject.application
        return FreezePlan(
            table: table, roots: seen.processes(of: job).pids,
            others: seen.processes(ofOthersThan: application), fellows: fellows, application: application,
            isNamed: job.hook.names(application), server: context.server, managers: managers,
            mayPostpone: job.mayBePostponed && engine().mayPostpone(application))
    }

    /// Returns the processes that are stopped with an application, or are about to be.
    private func processes(heldWith application: String) -> Set<Int32> {
        engine().freeze(of: application).processes
    }

    /// Returns the applications that are not held themselves, but have processes that are stopped with another one, which
    /// has started them.
    func guests(of application: String) -> Set<String> {
        let owners = seen.owners(among: processes(heldWith: application))
        return Set(owners.values.joined()).subtracting(engine().heldApplications)
    }

    /// Returns the applications that have stopped processes of these ones.
    func holders(of applications: Set<String>) -> Set<String> {
        engine().heldApplications.filter { !guests(of: $0).isDisjoint(with: applications) }
    }

    // MARK: Freezing

    /// Requests a freeze, which `finishTurn` begins.
    func freeze(_ id: RunID, _ job: Job, _ holds: [Hold], fellows: Set<String>) {
        requests.append((id, job, holds, fellows))
    }

    /// Freezes applications, unless they have been thawed meanwhile, and answers once the X server has answered again: a
    /// stopped program may have grabbed it. A sign thaws an application while this waits.
    ///
    /// - Parameter time: The time in which the X server has answered before.
    private func freeze(_ requests: [Request], _ time: Duration) {
        let requests = requests.filter { engine().isFreezing($0.id) }
        if requests.isEmpty { return }
        do {
            // Before the stop: a program may not handle messages that arrive in between.
            try signs.prepare(for: Set(requests.map(\.job.subject.application)))
        } catch {
            return give(up: requests, deafTo: "\(error)")
        }
        var stopping: [Request] = []
        for request in requests {
            do throws(SystemError) {
                try request.holds.stop()
                stopping.append(request)
            } catch {
                // What was stopped is thawed at once.
                report(.froze(request.id, .failed("\(error)")))
            }
        }
        waitForStop(of: stopping) { [unowned self] requests in
            finish(requests) { [unowned self] results in
                let limit = min(max(.milliseconds(100), time * 2), ServerAnswers.patience)
                server.ask(within: limit) { [report] time in
                    for (id, result) in results { report(.froze(id, time == nil ? .silentServer : result)) }
                }
            }
        }
    }

    /// Waits until the processes of the freezes are stopped. All that they have started is found only then.
    ///
    /// - Parameter then: Receives the freezes that are still needed.
    private func waitForStop(of requests: [Request], looks: Int = 1, then: @escaping ([Request]) -> Void) {
        let requests = requests.filter { engine().isFreezing($0.id) }
        if requests.isEmpty { return }
        let areStopped = requests.flatMap(\.holds).flatMap(\.stopped).allSatisfy {
            $0.isStopped(isPatient: looks > Self.mostLooksAtWaits)
        }
        if areStopped || looks >= Self.mostLooks { return then(requests) }
        buses.wait(Self.stopInterval) { [unowned self] in
            waitForStop(of: requests, looks: looks + 1, then: then)
        }
    }

    /// Reads all processes once, and answers about what is not frozen at once.
    ///
    /// - Parameter then: Receives what is frozen, or stopped in part.
    private func finish(
        _ requests: [Request], then: @escaping ([(id: RunID, result: FreezeResult)]) -> Void
    ) {
        // One that was awake for a call is frozen again and again.
        let areRepeated = signs.programs.names.isSuperset(of: requests.map(\.job.subject.application))
        let roots = requests.flatMap { seen.processes(of: $0.job).pids }
        let table = areRepeated ? recent.updated(for: roots) : recent.all()
        var plans: [(request: Request, plan: FreezePlan)] = []
        let answers = Answers { [unowned self] in then(freeze(plans)) }
        for request in requests {
            let take = answers.awaiting { plans.append((request, $0)) }
            complete(plan(request.job, request.fellows, table), then: take)
        }
        answers.end()
    }

    /// Completes the freezes that are still needed according to their plans.
    private func freeze(_ plans: [(request: Request, plan: FreezePlan)]) -> [(
        id: RunID, result: FreezeResult
    )] {
        var stopped: [(id: RunID, result: FreezeResult)] = []
        var frozen: [String: StoppedProcesses] = [:]
        for (request, plan) in plans where engine().isFreezing(request.id) {
            let result = request.holds.frozen(plan)
            switch result {
            case .frozen:
                let all = processes(heldWith: request.job.subject.application)
                let roots = Set(plan.roots).union(seen.owners(among: all).keys)
                frozen[request.job.subject.application] = (all, roots.sorted())
                stopped.append((request.id, result))
            case .more: stopped.append((request.id, result))
            // What was stopped is thawed at once.
            case .failed, .later, .postponed, .silentServer: report(.froze(request.id, result))
            }
        }
        signs.add(frozen)
        return stopped
    }

    private func give(up requests: [Request], deafTo lack: String) {
        context.say(once: SignWatch.deafness(lack))
        give(up: requests, because: "\(ThawReason.unwatched.words): \(lack)")
    }

    private func give(up requests: [Request], because reason: String) {
        for request in requests { report(.froze(request.id, .later(reason))) }
    }

    // MARK: Thawing

    func thaw(_ job: Job, _ holds: [Hold], because reason: String?, isQuiet: Bool) {
        let (left, faults) = context.reserved.lend { holds.undone() }
        for fault in faults { context.say(.failed("is not thawed: \(fault)"), of: job) }
        if !left.isEmpty { return report(.notThawed(job, left)) }
        if isQuiet { return }
        let processes = holds.flatMap(\.stopped)
        if processes.mayBeStopped {
            looks += 1
            buses.wait([ProcessIdentity].lookDelay) { [weak self] in self?.look(job, processes) }
        }
        context.say(.thawed(because: reason), of: job)
    }

    /// Reports thawed processes that are still stopped, unless they are frozen again.
    private func look(_ job: Job, _ processes: [ProcessIdentity]) {
        looks -= 1
        let frozen = engine().frozenProcesses
        for cause in processes.filter({ !frozen.contains($0) }).stillStopped {
            context.say(.failed("is still stopped: \(cause)"), of: job)
        }
    }
}
