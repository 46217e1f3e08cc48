import Console
import Glibc
import PhaseWatch
import System

/// Gives changes to the schedule, and carries out the steps that it decides on.
final class HookRunner {
    let loop: EventLoop
    let context: HookContext
    var schedule: Schedule
    let owed: OwedLeaves
    /// Not nil while it is not known what an earlier process has entered.
    var rereading: Rereading?
    /// What is done as soon as the disk has what undoes it.
    var unrecorded: [Unrecorded] = []
    /// What an earlier process has started, and is still running.
    var followed: [Job.Key: RunningProgram] = [:]
    /// By application: when a sign was last seen that it is wanted.
    var signs: [String: Duration] = [:]
    /// What is built in and was undone because of such a sign.
    var temporaryThaws: [Job.Key: TemporaryThaw] = [:]
    /// What was thawed just now and may be stopped all the same, and when it is looked at.
    var looks: [(job: Job, processes: [ProcessIdentity], due: Duration)] = []
    /// What 'hooks thaw-all' has thawed, and is not frozen again before its phase begins anew.
    var thawedByUser: Set<Job.Key> = []
    /// What is built in and was not done, because of an exception that came up while `enter` ran.
    var unperformed: Set<Job.Key> = []
    /// When hooks were paused or resumed last, or the power changed.
    var lastSuspension = Timestamp(seconds: 0, nanoseconds: 0)
    /// The window managers and compositors that were found when something was about to be frozen.
    var managers: Set<Int32> = []
    /// Notices what is sent to frozen applications; nil while there are none.
    var listener: ClientListener?
    /// Undoes what killed commands held.
    var abandoned: RunningProgram?
    /// Remarks that were logged; each is logged once.
    var remarks: Set<String>
    /// What was done, until it is known how much memory was taken back.
    var untold: [Job.Key: [String]] = [:]
    /// The number of the last process that the schedule knows nothing of; these are negative.
    var lastReaction: RunID = 0
    /// Since when each part of a pair holds or runs, and why hooks have not reacted.
    var begun: [Job.Key: Timestamp] = [:]
    var notes: [Job.Key: RunNote] = [:]
    var history = HookHistory()
    /// When each frozen application is woken, and those to be frozen again without a line.
    var wakes: [Job.Key: Duration] = [:]
    var woken: Set<Job.Key> = []
    private(set) var firstSeen = FirstSeen()
    var runs: Runs
    var notices: [Notice] = []
    /// A program failed, or could not be started.
    var hasFailures = false
    /// No program is started any longer.
    private(set) var isClosed = false

    init(_ hooks: [Hook], _ context: HookContext, owed: OwedLeaves, loop: EventLoop) {
        self.loop = loop
        self.context = context
        self.owed = owed
        schedule = Schedule(hooks: hooks)
        let services = UserServices(.own)
        // The start has told that, and for which hooks.
        remarks = Set([services.lack, services.unitLack].compactMap(\.self))
        runs = Runs(loop)
    }

    /// A job that waits for the disk: an `enter` or, where `done` is set, what is built in.
    struct Unrecorded {
        /// The number of the write.
        let write: Int
        let id: RunID
        let job: Job
        var done: [String]?
    }

    /// The record could not be read, and is to be read again.
    struct Rereading {
        /// At first, and, since each failure doubles it, at most.
        static let delays = Duration.seconds(1)...Duration.seconds(60)

        let error: any Error
        let delay: Duration
        let due: Duration

        init(error: any Error, delay: Duration, after now: Duration) {
            (self.error, self.delay, due) = (error, delay, now + delay)
        }
    }

    /// Takes up what an earlier process entered and did not leave.
    func restore() {
        restorePairs(at: Clock.now())
        undoAbandoned()
        perform()
    }

    /// When to call `wake`.
    var next: Duration? {
        let moments = [
            schedule.next, runs.next, rereading?.due, temporaryThaws.values.map(\.end).min(),
            wakes.values.min(), looks.first?.due,
        ]
        return moments.compactMap(\.self).min()
    }

    /// Whether programs run, or may be started.
    var isBusy: Bool {
        !runs.isEmpty || owed.isBusy || abandoned != nil || !looks.isEmpty || !(isClosed || schedule.isIdle)
    }

    /// The hooks that run, for people.
    var names: String {
        Set(runs.all.map { "'\($0.job.hook.name.escapedForTerminal)'" }).sorted().joined(separator: ", ")
    }

    /// Changes the schedule, and does what it then wants.
    func update(_ change: (inout Schedule) -> Void) {
        restorePairs(at: Clock.now())
        change(&schedule)
        perform()
    }

    /// Records windows and their processes, and runs no hook for them.
    func recordWindows(of changes: [Change]) {
        for change in changes { firstSeen.record(change) }
    }

    func react(to triggers: [HookTrigger], with isWanted: (Hook) -> Bool = { _ in true }) {
        recordWindows(of: triggers.map(\.change))
        resolveSigns(by: triggers.map(\.change))
        dropNotes(of: triggers.map(\.change))
        update { $0.react(to: triggers, at: Clock.now(), with: isWanted) }
    }

    /// Has hooks of these names react to nothing, and all others react again. No `leave` that may have to wait keeps anything
    /// frozen.
    func suspend(_ names: Set<String>) {
        if names == schedule.suspended { return }
        lastSuspension = .now()
        let jobs = schedule.owedJobs.filter { names.contains($0.hook.name) }
        for job in jobs { thaw(job, because: nil, beside: jobs) }
        update { $0.suspend(names, at: Clock.now(), time: .now()) }
    }

    func wake() {
        let now = Clock.now()
        for news in runs.expire(at: now) { handle(news) }
        update { $0.advance(at: now) }
        endTemporaryThaws(at: now)
        wakeSleepers(at: now)
        lookAtThawed(at: now)
    }

    /// Waits for one event or timer, at the latest until a moment, and handles it.
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
        return false
    }

    /// Handles one of its descriptors.
    func ready(_ descriptor: Int32) {
        if context.flush(descriptor) { return }
        if descriptor == listener?.fileDescriptor { return takeMessages() }
        if descriptor == owed.answers { return startRecorded() }
        if descriptor == abandoned?.exit.number { return reapAbandoned() }
        if let news = runs.news(of: descriptor, at: Clock.now()) { handle(news) }
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
        for news in runs.signalAll(at: Clock.now()) { handle(news) }
    }

    private func handle(_ news: Runs.News) {
        switch news {
        case .printed(let run, let lines): show(lines, of: run)
        case .ended(let run, let outcome, let last, let dropped):
            show(last, of: run)
            if dropped > 0 { context.say(RunWords.dropped(run.job, bytes: dropped)) }
            let time = Clock.now() - run.program.started
            switch run.purpose {
            case .part: finish(run.id, run.job, false, outcome, after: time)
            case .check: finish(run.id, run.job, true, outcome, after: time)
            case .reaction(let step, let done): finish(run, step, outcome, done)
            }
            perform()
        }
    }

    private func show(_ lines: [String], of run: Run) {
        if case .reaction = run.purpose {
            run.answer += lines
        } else {
            for line in lines { context.show(line, of: run.job) }
        }
    }
}
