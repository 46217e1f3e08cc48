import PhaseWatch
import Scenes

/// Carries out what the schedule wants: starts programs, reads what they print, ends what takes too long.
final class HookRunner {
    /// `unless` has a limit of its own.
    private static let checkTimeout = Duration.seconds(5)
    /// How many outputs are kept open for what ended programs left in the background.
    private static let mostOutputs = 64

    let loop: EventLoop
    private let surroundings: Surroundings
    private(set) var schedule: Schedule
    private var debts: Debts
    private var sightings = Sightings()
    private var runs: [RunID: Run] = [:]
    private var exits: [Int32: Run] = [:]
    private var outputs: [Int32: Run] = [:]
    private var notices: [Notice] = []
    /// Something did not end as it should.
    private(set) var hasFailures = false
    /// Nothing new is started.
    private(set) var isClosed = false

    init(_ hooks: [Hook], _ surroundings: Surroundings, debts: Debts, loop: EventLoop) {
        self.loop = loop
        self.surroundings = surroundings
        self.debts = debts
        schedule = Schedule(hooks: hooks)
    }

    /// Takes up what an earlier process entered and did not leave.
    func restore() {
        do {
            let jobs = try debts.restore(time: .now())
            update { $0.restore(jobs, time: .now()) }
        } catch {
            surroundings.say("hooks: \(error)")
        }
    }

    /// When to call `wake`.
    var next: Duration? {
        ([schedule.next] + runs.values.map(\.program.deadline)).compactMap(\.self).min()
    }

    /// Whether programs run, or may be started.
    var isBusy: Bool { !runs.isEmpty || !(isClosed || schedule.isIdle) }

    /// The hooks that run, for people.
    var names: String {
        Set(runs.values.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    /// Changes the schedule, and does what it then wants.
    func update(_ change: (inout Schedule) -> Void) {
        change(&schedule)
        perform()
    }

    func take(_ occasions: [Occasion], for isWanted: (Hook) -> Bool = { _ in true }) {
        for occasion in occasions { sightings.note(occasion.change) }
        update { $0.take(occasions, at: Clock.now(), for: isWanted) }
        for occasion in occasions { sightings.forget(occasion.change) }
    }

    func wake() {
        let now = Clock.now()
        for run in runs.values where run.program.deadline.map({ $0 <= now }) ?? false { signal(run, at: now) }
        update { $0.advance(at: now) }
    }

    /// Handles one of its descriptors.
    func readable(_ descriptor: Int32) {
        if let run = outputs[descriptor] {
            switch run.read() {
            case .lines(let lines): say(lines, of: run)
            case .end: closeOutput(of: run)
            case .nothing: break
            }
        } else if let run = exits[descriptor] {
            exited(run)
        }
    }

    func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Passes a signal on to the process group of everything that runs.
    func passOn(_ signal: Int32) {
        for run in runs.values { run.program.passOn(signal) }
    }

    /// Starts nothing any longer, and sends every program its next signal.
    func close() {
        isClosed = true
        let now = Clock.now()
        for run in runs.values { signal(run, at: now) }
    }

    private func perform() {
        while true {
            let steps = schedule.takeSteps()
            if steps.isEmpty { break }
            let problem = note(steps)
            for step in steps { perform(step, problem) }
        }
        do {
            try debts.keep(only: schedule.debts)
        } catch {
            surroundings.say("hooks: \(error)")
        }
    }

    /// Notes, before they run, all `enter`s at once; returns why that is not possible.
    private func note(_ steps: [Step]) -> String? {
        let jobs = steps.compactMap { step in
            if case .start(_, let job, isCheck: false) = step, job.part == .enter { job } else { nil }
        }
        guard !jobs.isEmpty, !surroundings.isDryRun else { return nil }
        do {
            try debts.add(jobs.map { ($0, processes(for: $0)) })
            return nil
        } catch {
            return "not run, since its 'leave' could be forgotten: \(error)"
        }
    }

    private func perform(_ step: Step, _ problem: String?) {
        switch step {
        case .start(let id, let job, let isCheck):
            if isClosed { return }
            if surroundings.isDryRun {
                surroundings.say(RunWords.wouldRun(job, isCheck: isCheck))
                schedule.ended(id, .exited(isCheck ? 1 : 0))
            } else if let problem, job.part == .enter, !isCheck {
                over(id, job, isCheck, .notStarted(problem), after: .zero)
            } else {
                start(id, job, isCheck)
            }
        case .stop(let id):
            if let run = runs[id], run.program.stage == .running { signal(run, at: Clock.now()) }
        case .remark(let remark):
            let text = RunWords.remark(remark)
            if case .overflow = remark {
                notices.append(Notice(name: "hooks", text: text))
            } else {
                surroundings.say(text)
            }
        }
    }

    private func start(_ id: RunID, _ job: Job, _ isCheck: Bool) {
        if !isCheck { surroundings.say(RunWords.start(job)) }
        do throws(SystemError) {
            let program = isCheck ? job.hook.unless ?? job.program : job.program
            add(
                Run(
                    id: id, job: job, isCheck: isCheck,
                    program: try RunningProgram(
                        program.arguments,
                        environment: surroundings.variables(for: job, processes(for: job)),
                        input: JSONLine.bytes(
                            of: .change(job.occasion.change), sequence: job.occasion.sequence,
                            time: job.occasion.time),
                        directory: surroundings.home,
                        timeout: isCheck ? Self.checkTimeout : job.hook.timeout, at: Clock.now())))
        } catch {
            over(id, job, isCheck, .notStarted("cannot start \(error)"), after: .zero)
        }
    }

    private func processes(for job: Job) -> HookVariables.Processes {
        debts.processes(for: job) ?? sightings.processes(of: job.occasion.change)
    }

    private func add(_ run: Run) {
        runs[run.id] = run
        exits[run.program.exit.number] = run
        outputs[run.program.output.number] = run
        loop.watch(run.program.output.number)
        loop.watch(run.program.exit.number)
    }

    private func signal(_ run: Run, at now: Duration) {
        run.program.signal(at: now)
        // It has ended before the last signal to its process group.
        if run.program.stage == .killed && exits[run.program.exit.number] == nil { finish(run) }
    }

    private func exited(_ run: Run) {
        loop.forget(run.program.exit.number)
        exits[run.program.exit.number] = nil
        if run.program.stage != .terminated { finish(run) }
    }

    private func finish(_ run: Run) {
        runs[run.id] = nil
        let outcome = run.program.reap()
        let (lines, dropped) = run.end()
        say(lines, of: run)
        if dropped > 0 { surroundings.say(RunWords.dropped(run.job, bytes: dropped)) }
        limitOutputs()
        over(run.id, run.job, run.isCheck, outcome, after: Clock.now() - run.program.started)
        perform()
    }

    private func over(_ id: RunID, _ job: Job, _ isCheck: Bool, _ outcome: Outcome, after time: Duration) {
        if let text = RunWords.end(job, isCheck: isCheck, outcome, after: time) {
            surroundings.say(text)
            hasFailures = true
        }
        schedule.ended(id, outcome)
    }

    private func say(_ lines: [String], of run: Run) {
        for line in lines { surroundings.show(line, of: run.job) }
    }

    private func closeOutput(of run: Run) {
        loop.forget(run.program.output.number)
        outputs[run.program.output.number] = nil
    }

    private func limitOutputs() {
        let left = outputs.values.filter(\.isOver)
        guard left.count > Self.mostOutputs, let oldest = left.min(by: { $0.id < $1.id }) else { return }
        closeOutput(of: oldest)
    }
}
