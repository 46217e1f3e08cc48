import PhaseWatch
import Scenes

/// Carries out what the schedule wants: starts programs, reads what they print, ends what takes too long.
final class HookRunner {
    /// `unless` has a limit of its own.
    private static let checkTimeout = Duration.seconds(5)

    let loop: EventLoop
    let surroundings: Surroundings
    private(set) var schedule: Schedule
    private var debts: Debts
    private var sightings = Sightings()
    private var runs: Runs
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
        runs = Runs(loop)
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
    var next: Duration? { [schedule.next, runs.next].compactMap(\.self).min() }

    /// Whether programs run, or may be started.
    var isBusy: Bool { !runs.isEmpty || !(isClosed || schedule.isIdle) }

    /// The hooks that run, for people.
    var names: String {
        Set(runs.all.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    /// Changes the schedule, and does what it then wants.
    func update(_ change: (inout Schedule) -> Void) {
        change(&schedule)
        perform()
    }

    func take(_ occasions: [Occasion], for isWanted: (Hook) -> Bool = { _ in true }) {
        for occasion in occasions { sightings.note(occasion.change) }
        update { $0.take(occasions, at: Clock.now(), for: isWanted) }
    }

    func wake() {
        let now = Clock.now()
        for news in runs.expire(at: now) { take(news) }
        update { $0.advance(at: now) }
    }

    /// Handles one of its descriptors.
    func ready(_ descriptor: Int32) {
        if surroundings.flush(descriptor) { return }
        if let news = runs.news(of: descriptor) { take(news) }
    }

    func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Passes a signal on to the process group of everything that runs.
    func passOn(_ signal: Int32) {
        for run in runs.all { run.program.passOn(signal) }
    }

    /// Starts nothing any longer, and sends every program its next signal.
    func close() {
        isClosed = true
        for news in runs.signalAll(at: Clock.now()) { take(news) }
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
            // Its first signal cannot be its end yet.
            if let run = runs[id], run.program.stage == .running { _ = runs.signal(run, at: Clock.now()) }
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
            runs.add(
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

    private func take(_ news: Runs.News) {
        switch news {
        case .printed(let run, let lines):
            for line in lines { surroundings.show(line, of: run.job) }
        case .ended(let run, let outcome, let last, let dropped):
            for line in last { surroundings.show(line, of: run.job) }
            if dropped > 0 { surroundings.say(RunWords.dropped(run.job, bytes: dropped)) }
            over(run.id, run.job, run.isCheck, outcome, after: Clock.now() - run.program.started)
            perform()
        }
    }

    private func over(_ id: RunID, _ job: Job, _ isCheck: Bool, _ outcome: Outcome, after time: Duration) {
        if let text = RunWords.end(job, isCheck: isCheck, outcome, after: time) {
            surroundings.say(text)
            hasFailures = true
        }
        schedule.ended(id, outcome)
    }
}
