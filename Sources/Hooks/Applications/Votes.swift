import PhaseWatch
import System

/// The votes for one application that count: jobs of hooks with reactions, and the freeze by hand.
struct Votes: Sendable {
    /// Those that began later come last, and the freeze by hand comes behind all: reports and questions are about these.
    private(set) var counted: [Job] = []
    /// The last jobs that wanted reactions that no vote wants. Reports about the end of these name them.
    private var former: [Job] = []

    /// Adds a job whose reactions are held although it is no vote.
    mutating func addFormer(_ job: Job) { former.append(job) }

    /// Counts the present votes.
    ///
    /// - Returns: Those that counted before, too, and those that count anew.
    mutating func count(_ votes: [Job]) -> (kept: [Job], begun: [Job]) {
        let jobs = jobs
        let kept = counted.compactMap { former in votes.first { $0.key == former.key } }
        let begun = votes.filter { !kept.contains($0) }
        let all = kept + begun
        counted = all.filter { !$0.isByHand } + all.filter(\.isByHand)
        let wanted = Wanted(counted).builtIns
        former = jobs.filter { !$0.hook.builtIns.isSubset(of: wanted) }
        return (kept, begun)
    }

    // MARK: Reports

    /// The jobs for reports, in the order in which they began.
    private var jobs: [Job] { former + counted }

    /// The job of the vote that began last, or was the last one.
    var last: Job? { jobs.last }

    /// Returns the job that a report about these reactions names; for none, any.
    func job(for builtIns: Set<BuiltIn>) -> Job? {
        jobs.last { !$0.hook.builtIns.isDisjoint(with: builtIns) } ?? last
    }

    /// Returns the job for the reports about each of these reactions, with those that it reports.
    func jobs(for builtIns: Set<BuiltIn>) -> [(job: Job, builtIns: Set<BuiltIn>)] {
        jobs.compactMap { job in
            let own = builtIns.filter { self.job(for: [$0]) == job }
            return own.isEmpty ? nil : (job, own)
        }
    }
}

/// A job of a hook with reactions is a vote for what is done to an application.
extension Job {
    var application: String { subject.application }
    var wantsFreeze: Bool { hook.builtIns.contains(.freeze) }
    /// Whether the user has frozen the application by hand, which a sign ends.
    var isByHand: Bool { hook.condition.chosen != nil }

    /// Whether a program that the application has just started may postpone its freeze.
    public var mayBePostponed: Bool { !isByHand || !hook.except.isEmpty }

    /// The shortest time for which the application stays thawed after a sign, and before its exceptions are asked for
    /// again. A visible application may have the focus for a moment while a window manager gives the focus to another
    /// window.
    func rest(after reason: ThawReason?) -> Duration {
        let shortest = reason == .used && hook.isOfSeen ? Duration.seconds(1) : .seconds(10)
        return max(hook.after, shortest)
    }
}
