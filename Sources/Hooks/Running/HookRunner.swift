import Console
import Loop
import PhaseWatch

/// Brings together what changes, the schedule that decides, and the programs that run.
final class HookRunner {
    let loop: EventLoop
    let surroundings: Surroundings
    var schedule: Schedule
    let owed: OwedLeaves
    /// `enter`s that run as soon as the disk has what is owed for them, by the number of that write.
    var unrecorded: [(write: Int, id: RunID, job: Job)] = []
    /// What an earlier process has started, and is still running.
    var followed: [Job.Key: RunningProgram] = [:]
    private(set) var sightings = Sightings()
    var runs: Runs
    var notices: [Notice] = []
    /// Something did not end as it should.
    var hasFailures = false
    /// Nothing new is started.
    private(set) var isClosed = false

    init(_ hooks: [Hook], _ surroundings: Surroundings, owed: OwedLeaves, loop: EventLoop) {
        self.loop = loop
        self.surroundings = surroundings
        self.owed = owed
        schedule = Schedule(hooks: hooks)
        runs = Runs(loop)
    }

    /// Takes up what an earlier process entered and did not leave.
    func restore() {
        sayFailure { try restorePairs() }
        perform()
    }

    /// When to call `wake`.
    var next: Duration? { [schedule.next, runs.next].compactMap(\.self).min() }

    /// Whether programs run, or may be started.
    var isBusy: Bool { !runs.isEmpty || owed.isBusy || !(isClosed || schedule.isIdle) }

    /// The hooks that run, for people.
    var names: String {
        Set(runs.all.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    /// Changes the schedule, and does what it then wants.
    func update(_ change: (inout Schedule) -> Void) {
        change(&schedule)
        perform()
    }

    /// Takes note of windows and their processes, and runs nothing for them.
    func note(_ changes: [Change]) {
        for change in changes { sightings.note(change) }
    }

    func take(_ occasions: [Occasion], for isWanted: (Hook) -> Bool = { _ in true }) {
        note(occasions.map(\.change))
        update { $0.take(occasions, at: Clock.now(), for: isWanted) }
    }

    func wake() {
        let now = Clock.now()
        for news in runs.expire(at: now) { take(news) }
        update { $0.advance(at: now) }
    }

    /// Sleeps until there is something to do, at the latest until a moment, and does it.
    ///
    /// - Returns: Whether a signal asks for the end.
    func turn(until moment: Duration? = nil) throws(SystemError) -> Bool {
        loop.setTimer([next, moment].compactMap(\.self).min())
        switch try loop.wait() {
        case .ready(let descriptor): ready(descriptor)
        case .signal(let number): return EventLoop.endingSignals.contains(number)
        default: wake()
        }
        return false
    }

    /// Handles one of its descriptors.
    func ready(_ descriptor: Int32) {
        if surroundings.flush(descriptor) { return }
        if descriptor == owed.answers { return takeAnswer() }
        if let news = runs.news(of: descriptor, at: Clock.now()) { take(news) }
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
}
