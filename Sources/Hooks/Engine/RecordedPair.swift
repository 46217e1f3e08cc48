import Console
import PhaseWatch
import System

/// A pair that is owed, as the record has it: enough to leave it, and to undo its reactions.
public struct RecordedPair: Hashable, Codable, Sendable {
    public var entry: PairEntry
    /// The part of it that was started last.
    public var started: StartedPart?
    /// What undoes its reactions.
    public var holds: [Hold] = []

    /// A part of a pair, and the process that it runs as.
    public struct StartedPart: Hashable, Codable, Sendable {
        public var part: Job.Part
        public var process: ProcessIdentity
    }

    public var application: String { entry.change.application }

    /// `Slack thawed (hook 'sleep')`.
    public var thawedInWords: String { "\(entry.change.path) thawed (hook '\(entry.hook)')" }

    /// Whether it can be reckoned with: a file may hold any number.
    public var isPlausible: Bool { entry.isPlausible && holds.allSatisfy(\.isPlausible) }

    /// The same after a reboot. Neither processes nor control groups outlive the system; what a sound server remembers does.
    public var afterBoot: RecordedPair {
        var pair = self
        pair.entry.processes = []
        pair.started = nil
        pair.holds = holds.compactMap(\.afterBoot)
        return pair
    }
}

/// A pair whose `enter` was run, or is about to be.
public struct PairEntry: Codable, Hashable, Sendable {
    var hook: String
    /// The program of `leave` and its arguments; none where all is built in.
    var leave: [String]
    var builtIns: Set<BuiltIn>?
    private var timeoutMilliseconds: Int
    /// What `enter` was run for.
    var change: Change
    /// The processes that `enter` was run for.
    var processes: [ProcessIdentity]

    /// The longest time that a configuration can have, with something to spare.
    private static let longest = 200 * 366 * 24 * 3_600_000
    private static let mostScenes = 1 << 24

    init(_ job: Job, _ processes: [ProcessIdentity]) {
        hook = job.hook.name
        leave = job.hook.program(of: .leave)?.arguments.map(\.description) ?? []
        builtIns = job.hook.builtIns.isEmpty ? nil : job.hook.builtIns
        timeoutMilliseconds = Int(job.hook.timeout.milliseconds)
        change = job.trigger.change
        self.processes = processes
    }

    /// How long a part of it may run.
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
    /// The `enter` of a recorded pair.
    init(_ entry: PairEntry, time: Timestamp) {
        let leave = entry.leave.isEmpty ? nil : Program.arguments(entry.leave.map { SystemString($0) })
        let phases = Set([entry.change.to].compactMap(\.self))
        var hook = Hook(
            name: entry.hook,
            reaction: .pair(
                Hook.Pair(phases: phases, enter: leave, leave: leave, builtIns: entry.builtIns ?? [])))
        hook.condition.level = entry.change.level
        hook.timeout = entry.timeout
        self.init(hook: hook, part: .enter, trigger: HookTrigger(change: entry.change, time: time))
    }
}
