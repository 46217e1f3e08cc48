import PhaseWatch
import System

/// What the engine and its parts produce while they handle inputs: effects, reports, and writes of the undo record.
struct Output: Sendable {
    /// The moment of the input.
    var moment = Moment(now: .zero, time: Timestamp(seconds: 0, nanoseconds: 0))
    var history = HookHistory()
    var record = RecordState()
    private var effects: [HookEffect] = []
    private var lastRun: RunID = 0

    var now: Duration { moment.now }

    mutating func newRun() -> RunID {
        lastRun += 1
        return lastRun
    }

    mutating func request(_ effect: HookEffect) { effects.append(effect) }

    /// Logs an event, and adds it to the history.
    mutating func report(_ event: JobEvent, of job: Job) {
        note(event, of: job)
        if event.report(of: job).line != nil { request(.log(event, job)) }
    }

    /// Adds an event to the history, but does not log it.
    mutating func note(_ event: JobEvent, of job: Job) {
        let report = event.report(of: job)
        guard let kind = report.kind else { return }
        let time = kind == .matched ? job.trigger.time : moment.time
        history.note(kind, of: job, report.reason ?? report.line ?? "", at: time)
    }

    /// Returns the effects of the input in order.
    mutating func takeEffects() -> [HookEffect] {
        defer { effects = [] }
        return effects
    }
}

/// What is known of the undo record on disk.
struct RecordState: Sendable {
    /// Whether the record of an earlier process was read, or why not.
    enum Earlier: Sendable {
        case unread
        case failed(String)
        case read
    }

    var earlier = Earlier.unread
    /// Whether what is owed has changed, and must be written.
    var isChanged = false
    var hasWriteFailed = false
    private var last: WriteID = 0

    /// Why nothing can be recorded; nil if it can be.
    var failure: String? { if case .failed(let reason) = earlier { reason } else { nil } }
    var isRead: Bool { if case .read = earlier { true } else { false } }

    /// The number of the write that contains what changes now.
    var next: WriteID { last + 1 }

    /// Returns the number of the write that is necessary; nil if none is.
    mutating func takeRequest() -> WriteID? {
        guard isChanged else { return nil }
        isChanged = false
        last += 1
        return last
    }
}
