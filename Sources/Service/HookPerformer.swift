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
    let seen = FirstSeen()
    private let survivors: Survivors
    let freezer: Freezer
    private let openFiles = OpenFilesLimit()
    /// What is to be reported to all readers.
    var notices: [Notice] = []
    /// Inputs that arrive while effects are performed, or while the display is read.
    private var inputs: [HookInput] = []
    private var isHandling = false
    /// Receives what has become of a freeze by hand.
    var reportHand: (_ application: String, HandFreezeAnswer) -> Void = { _, _ in }

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
        survivors = Survivors(loop)
        freezer = Freezer(context, loop, programs, buses, seen, readProcesses: readProcesses)
        freezer.engine = { [unowned self] in engine }
        freezer.report = { [unowned self] in inputs.append($0) }
        programs.report = { [unowned self] in inputs.append($0) }
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
        [nextOfEngine, programs.next, buses.next, freezer.next].compactMap(\.self).min()
    }

    /// If the machine sleeps until then, the loop wakes after the sleep, and asks again.
    private var nextOfEngine: Duration? { engine.next(at: Clock.now(), sinceBoot: context.sinceBoot()) }

    func wake() {
        let now = Clock.now()
        buses.expire(at: now)
        programs.expire(at: now)
        if let next = nextOfEngine, next <= now { take(.timer) }
        freezer.wake(at: now)
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
            let holders = freezer.holders(of: [name])
            let words = "a window of \(name.escapedForTerminal)"
            if !holders.isEmpty { inputs.append(.sign(holders, because: .spokenTo(words))) }
        }
        take(.changes(triggers.map { survivors.follow($0, engine.hooks, seen) }, only: names))
    }

    /// Passes what is closed, and lives on, to those of these hooks that it concerns, as present.
    func takeSurvivors(only names: Set<String>, at time: Timestamp) {
        let concerned = names.intersection(engine.hooks.filter(\.lastsClosed).map(\.name))
        if concerned.isEmpty { return }
        take(
            seen.survivingApplications.sorted().map { name in
                HookTrigger(change: .absent(name, .initial, .start), time: time)
            }, only: concerned)
    }

    /// Thaws what shows signs of use, and what has stopped its processes.
    func take(signs applications: Set<String>) {
        take(.sign(applications.union(freezer.holders(of: applications)), because: .used))
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
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            // An answer to an effect comes before what has arrived with the input.
            let later = inputs
            inputs = []
            let moment = Moment(now: Clock.now(), sinceBoot: context.sinceBoot(), time: .now())
            for effect in engine.handle(input, at: moment) { perform(effect) }
            inputs += later
            if inputs.isEmpty { freezer.finishTurn() }
        }
        record?.write { engine.owed }
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
        !programs.isEmpty || record?.isBusy ?? false || freezer.isLooking
            || !(engine.isClosed || engine.isIdle)
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

    /// The pause after a failure of poll(2), in microseconds.
    private static let pause: UInt32 = 10_000

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
        var failure: SystemError?
        for step in Self.steps {
            if !isBusy { return }
            if step != Self.steps.first { close() }
            let end = Clock.now() + step
            while isBusy, !waitsInVain, Clock.now() < end {
                do throws(SystemError) {
                    let isSignal = try turn(until: end)
                    failure = nil
                    guard isSignal else { continue }
                } catch {
                    // The memory or the descriptors that it lacks may be there soon. A `leave` that has begun would run
                    // again at the next start if this ended before the record says so.
                    failure = error
                    usleep(Self.pause)
                    continue
                }
                // A service manager and a terminal may both pass on one request.
                if Clock.now() - last < Self.oneRequest { continue }
                last = Clock.now()
                // What was killed in the last step needs the rest of it.
                if isAsked, step != Self.steps.last { break }
                isAsked = true
            }
        }
        if isBusy, let failure { throw failure }
    }

    /// Whether only a `leave` is left whose disk does not answer. It stays in the record.
    private var waitsInVain: Bool {
        programs.waitsInVain && programs.isEmpty && !freezer.isLooking && engine.heldApplications.isEmpty
    }

    // MARK: Effects

    private func perform(_ effect: HookEffect) {
        switch effect {
        case .record(let id, let jobs):
            for job in jobs {
                let processes = seen.processes(of: job).pids.compactMap { ProcessIdentity(pid: $0) }
                take(.identified(job, processes))
            }
            if let record { record.request(id) } else { take(.recorded(id)) }
        case .run(let id, let job, let isCheck, let processes):
            let processes =
                processes.map { HookVariables.Processes(ofLiving: $0) }
                ?? seen.processes(of: job)
            programs.start(id, job, isCheck: isCheck, processes)
        case .follow(let id, let job, let process): programs.follow(id, job, process)
        case .ask(let id, let job, let builtIns, let exceptions, let fellows):
            freezer.ask(id, job, builtIns, exceptions, fellows: fellows)
        case .freeze(let id, let job, let holds, let fellows):
            freezer.freeze(id, job, holds, fellows: fellows)
        case .thaw(let job, let holds, let reason, let isQuiet):
            freezer.thaw(job, holds, because: reason, isQuiet: isQuiet)
        case .apply(let id, let job, let holds, let wanted):
            let group = seen.processes(of: job).pids.first.flatMap(ControlGroup.init(of:))
            limits.set(holds, to: wanted, in: group) { [weak self] _, answer in
                self?.inputs.append(.applied(id, answer))
            }
        case .undo(let id, let job, let holds):
            let isRemembered = holds.contains { $0.muted?.memory != nil }
            let family = isRemembered ? freezer.processes.family(of: seen.processes(of: job).pids) : []
            var room: OpenFilesLimit.Room? = openFiles.room(for: HookContext.undoDescriptors)
            limits.set(holds, to: nil, with: family.map(\.identity)) { [weak self] left, answer in
                withExtendedLifetime(room) { room = nil }
                self?.inputs.append(.undone(id, left: left, answer))
            }
        case .byHand(let application, let answer): reportHand(application, answer)
        case .end(let id): programs.end(id)
        case .log(let event, let job): context.say(event, of: job)
        case .say(let line, as: .line): context.say(line)
        case .say(let line, as: .once): context.say(once: line)
        case .say(let line, as: .notice): notices.append(Notice(name: "hooks", text: line))
        }
    }

    private var limits: Limits { Limits(programs: programs, buses: buses) }
}
