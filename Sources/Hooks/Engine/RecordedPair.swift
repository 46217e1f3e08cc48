import Console
import PhaseWatch
import System

/// A pair in the record, with the data to leave it and to undo its reactions.
public struct RecordedPair: Hashable, Codable, Sendable {
    public var entry: PairEntry
    /// The part that was started last.
    public var started: StartedPart?
    /// The holds of its reactions.
    public var holds: [Hold] = []

    /// A part of a pair, and the process that it runs as.
    public struct StartedPart: Hashable, Codable, Sendable {
        public var part: Job.Part
        public var process: ProcessIdentity
    }

    public var application: String { entry.change.application }

    /// `Slack thawed (hook 'sleep')`.
    public var thawedInWords: String { "\(entry.change.path) thawed (hook '\(entry.hook)')" }

    /// Whether all values are in a valid range. A file may contain any number.
    public var isPlausible: Bool { entry.isPlausible && holds.allSatisfy(\.isPlausible) }

    /// The pair after a reboot. Processes and control groups do not survive a reboot; the settings that a sound server
    /// remembers do.
    public var afterBoot: RecordedPair {
        var pair = self
        pair.entry.processes = []
        pair.started = nil
        pair.holds = holds.compactMap(\.afterBoot)
        return pair
    }
}

/// A pair whose `enter` was run or is about to be.
public struct PairEntry: Codable, Hashable, Sendable {
    var hook: String
    /// The program of `leave` and its arguments; empty if all reactions are built in.
    var leave: [String]
    var builtIns: Set<BuiltIn>?
    /// What the hook takes as one.
    fileprivate var level: HookLevel
    private var timeoutMilliseconds: Int
    /// The change that `enter` was run for.
    var change: Change
    /// The processes that `enter` was run for.
    var processes: [ProcessIdentity]

    /// The longest time in a configuration, with a margin, in milliseconds.
    private static let longest = 200 * 366 * 24 * 3_600_000
    private static let mostScenes = 1 << 24

    init(_ job: Job, _ processes: [ProcessIdentity]) {
        hook = job.hook.name
        leave = job.hook.program(of: .leave)?.arguments.map(\.description) ?? []
        builtIns = job.hook.builtIns.isEmpty ? nil : job.hook.builtIns
        timeoutMilliseconds = Int(job.hook.timeout.milliseconds)
        (level, change) = (job.hook.condition.level, job.trigger.change)
        self.processes = processes
    }

    /// The longest time that a part may run.
    public var timeout: Duration { .milliseconds(timeoutMilliseconds) }

    var isPlausible: Bool {
        (leave.first.map { !$0.isEmpty } ?? (builtIns?.isEmpty == false))
            && leave.allSatisfy { !$0.utf8.contains(0) }
            && (0...Self.longest).contains(timeoutMilliseconds)
            && change.held.map { .zero <= $0 && $0 <= .milliseconds(Self.longest) } ?? true
            && counts.allSatisfy { (0...Self.mostScenes).contains($0) }
    }

    private var counts: [Int] {
        switch change.subject {
        case .scene: []
        case .group(let members), .application(let members):
            [members.counts.active, members.counts.inactive, members.counts.background]
        }
    }
}

extension Job {
    /// Creates the `enter` of a recorded pair.
    init(_ entry: PairEntry, time: Timestamp) {
        let leave = entry.leave.isEmpty ? nil : Program.arguments(entry.leave.map { SystemString($0) })
        let phases = Set([entry.change.to].compactMap(\.self))
        var hook = Hook(
            name: entry.hook,
            reaction: .pair(
                Hook.Pair(phases: phases, enter: leave, leave: leave, builtIns: entry.builtIns ?? [])))
        hook.condition.level = entry.level
        hook.timeout = entry.timeout
        self.init(hook: hook, part: .enter, trigger: HookTrigger(change: entry.change, time: time))
    }
}
