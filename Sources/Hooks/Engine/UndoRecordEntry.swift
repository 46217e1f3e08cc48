import Console
import PhaseWatch
import System

/// A pair in the record: what was entered or done, with the data to leave it and to undo its reactions.
public struct UndoRecordEntry: Hashable, Codable, Sendable {
    var hook: String
    /// The program of `leave` and its arguments; empty if all reactions are built in.
    var leave: [String]
    var builtIns: Set<BuiltIn>
    /// What the hook takes as one.
    private var level: HookLevel
    private var timeoutMilliseconds: Int
    /// What `enter` was run for.
    private var change: RecordedOccasion
    /// The processes that `enter` was run for.
    var processes: [ProcessIdentity]
    /// The part that was started last.
    public var started: StartedPart?
    /// The holds of its reactions.
    public var holds: [Hold]

    /// A part of a pair, and the process that it runs as.
    public struct StartedPart: Hashable, Codable, Sendable {
        public var part: Job.Part
        public var process: ProcessIdentity
    }

    /// The longest time in a configuration, with a margin, in milliseconds.
    private static let longest = 200 * 366 * 24 * 3_600_000
    private static let mostScenes = 1 << 24

    init(
        _ job: Job, processes: [ProcessIdentity] = [], started: StartedPart? = nil, holds: [Hold] = []
    ) {
        hook = job.hook.name
        leave = job.hook.program(of: .leave)?.arguments.map(\.description) ?? []
        builtIns = job.hook.builtIns
        timeoutMilliseconds = Int(job.hook.timeout.milliseconds)
        level = job.hook.condition.level
        change = RecordedOccasion(job.trigger.occasion)
        (self.processes, self.started, self.holds) = (processes, started, holds)
    }

    private var occasion: HookTrigger.Occasion { change.value }

    /// Empty for a pair of the session, which has no reactions.
    public var application: String { occasion.application ?? "" }

    /// `frozen by 'sleep'`, or `by hand`.
    public var frozenInWords: String {
        "frozen by \(hook == Hook.byHand(application).name ? "hand" : hook.quoted)"
    }

    /// `Slack thawed (hook 'sleep')`.
    public var thawedInWords: String { "\(occasion.path) thawed (hook '\(hook)')" }

    /// What is to be undone besides a freeze: `hook 'sync' is still entered for Slack`, `Slack is still muted (hook
    /// 'quiet')`; nil if nothing is.
    public var leftInWords: String? {
        let subject = occasion.application == nil ? "the session" : occasion.path.escapedForTerminal
        if !leave.isEmpty { return "hook \(hook.quoted) is still entered for \(subject)" }
        let limits = holds.builtIns.subtracting([.freeze]).map(\.participle).sorted()
        if limits.isEmpty { return nil }
        return "\(subject) is still \(limits.joined(separator: " and ")) (hook \(hook.quoted))"
    }

    /// Whether all values are in a valid range. A file may contain any number.
    public var isPlausible: Bool {
        (leave.first.map { !$0.isEmpty } ?? !builtIns.isEmpty)
            && leave.allSatisfy { !$0.utf8.contains(0) }
            && (0...Self.longest).contains(timeoutMilliseconds)
            && (occasion.change?.held).map { .zero <= $0 && $0 <= .milliseconds(Self.longest) } ?? true
            && counts.allSatisfy { (0...Self.mostScenes).contains($0) }
            && holds.allSatisfy(\.isPlausible)
    }

    private var counts: [Int] {
        switch occasion.change?.subject {
        case .scene, nil: []
        case .group(let members), .application(let members):
            [members.counts.active, members.counts.inactive, members.counts.background]
        }
    }

    /// The pair after a reboot. Processes and control groups do not survive a reboot; the settings that a sound server
    /// remembers do.
    public var afterBoot: UndoRecordEntry {
        var pair = self
        (pair.processes, pair.started, pair.holds) = ([], nil, holds.compactMap(\.afterBoot))
        return pair
    }

    /// Returns the job of `enter`. Its hook is for no phase and no state of the session, and thus equals none of a
    /// configuration: the pair is left in any of them.
    func job(at time: Timestamp) -> Job {
        let leave = leave.isEmpty ? nil : Program.arguments(leave.map { SystemString($0) })
        let pair = Hook.Pair(phases: [], enter: leave, leave: leave, builtIns: builtIns)
        var hook = Hook(name: hook, reaction: .pair(pair))
        hook.condition.level = level
        hook.timeout = .milliseconds(timeoutMilliseconds)
        return Job(hook: hook, part: .enter, trigger: HookTrigger(occasion, time: time))
    }
}
