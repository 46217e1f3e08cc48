import PhaseWatch
import System

@testable import Hooks
@testable import Scenes

/// The objects that hooks act on: processes, units, streams and the disk. They outlive every engine.
struct SimulatedMachine {
    static let applications = ["A", "B", "C"]
    static let weight: [UInt64] = [100, 100]
    private static let lowWeight: [UInt64] = [10, 10]

    var now = Duration.zero
    var phases: [String: ScenePhase] = [:]
    /// The time at which each application entered its phase.
    var since: [String: Duration] = [:]
    var disk: [RecordedPair] = []

    /// The applications with windows of the same process.
    var sharing: Set<String> = []
    /// The processes of each application. Every application except A has a unit that can be frozen, unless it shares its
    /// process.
    private var processes: [String: [ProcessIdentity]] = [:]
    private var lastProcess: Int32 = 100
    private(set) var stopped: [String: Set<ProcessIdentity>] = [:]
    private(set) var frozenUnits: Set<String> = []
    private(set) var weights: [String: [UInt64]] = [:]
    private(set) var muted: Set<MutedStream> = []
    /// The holds that may be in force: attempted, and not undone since.
    private(set) var attempts: Set<Hold> = []
    private(set) var frozenAttempts: Set<String> = []
    /// Applications that could not be thawed.
    private(set) var failedThaws: Set<String> = []

    /// Pairs whose `enter` has begun and whose `leave` has not.
    var entered: Set<Job.Key> = []
    /// Pairs whose `leave` may run without an `enter` or a second time: a crash preceded the write.
    var mayLeave: Set<Job.Key> = []

    mutating func newProcess() -> ProcessIdentity {
        lastProcess += 1
        return ProcessIdentity(pid: lastProcess, startTicks: 1)
    }

    mutating func go(_ application: String, to phase: ScenePhase?) -> Change {
        let change = Change.step(application, from: phases[application], to: phase)
        phases[application] = phase
        since[application] = now
        return change
    }

    // MARK: Freezing

    private func path(_ application: String) -> String { "/\(application)" }

    mutating func target(_ application: String) -> Hold {
        let owner = sharing.contains(application) ? "shared" : application
        if application != "A" && owner == application { return .frozen(path: path(application)) }
        if processes[owner] == nil { processes[owner] = [newProcess()] }
        return .stopped(processes[owner] ?? [])
    }

    /// Adds a process that is not stopped yet.
    mutating func fork(_ application: String) {
        processes[sharing.contains(application) ? "shared" : application, default: []].append(newProcess())
    }

    mutating func freeze(_ hold: Hold, of application: String, count: Int = .max) {
        frozenAttempts.insert(application)
        if case .frozen(let path) = hold, count > 0 { frozenUnits.insert(path) }
        stopped[application, default: []].formUnion(hold.stopped.prefix(count))
    }

    mutating func thaw(_ holds: [Hold], of application: String) {
        frozenAttempts.remove(application)
        failedThaws.remove(application)
        for hold in holds {
            if case .frozen(let path) = hold { frozenUnits.remove(path) }
            // A process that is shared runs for all its applications.
            for name in stopped.keys { stopped[name]?.subtract(hold.stopped) }
        }
    }

    mutating func failToThaw(_ application: String) { failedThaws.insert(application) }

    func isFrozen(_ application: String) -> Bool {
        stopped[application]?.isEmpty == false || frozenUnits.contains(path(application))
    }

    /// Returns whether everything in the hold is stopped.
    func isFrozen(_ hold: Hold, of application: String) -> Bool {
        if case .frozen(let path) = hold { return frozenUnits.contains(path) }
        return stopped[application]?.isSuperset(of: hold.stopped) ?? false
    }

    // MARK: Other reactions

    /// Returns the holds that undo reactions, as read from the current state.
    func holds(of application: String, _ builtIns: Set<BuiltIn>) -> [Hold] {
        var holds: [Hold] = []
        if builtIns.contains(.slow) {
            let unit = "\(application).scope"
            holds.append(.slowed(unit: unit, weights: weights[unit] ?? Self.weight))
        }
        if builtIns.contains(.mute) {
            let number = Int(application.utf8.first ?? 0)
            let stream = MutedStream(
                index: number, process: ProcessIdentity(pid: 1, startTicks: 1), memory: nil)
            if !muted.contains(stream) { holds.append(.muted(stream)) }
        }
        return holds
    }

    mutating func attempt(_ holds: [Hold]) { attempts.formUnion(holds) }

    mutating func perform(_ holds: [Hold]) {
        attempt(holds)
        for hold in holds {
            if case .slowed(let unit, _) = hold { weights[unit] = Self.lowWeight }
            if case .muted(let stream) = hold { muted.insert(stream) }
        }
    }

    mutating func undo(_ holds: [Hold]) {
        for hold in holds {
            if case .slowed(let unit, let former) = hold {
                weights[unit] = former == Self.weight ? nil : former
            }
            if case .muted(let stream) = hold { muted.remove(stream) }
        }
    }

    mutating func forgetAttempts(_ holds: [Hold]) { attempts.subtract(holds) }

    /// Marks the holds on disk as attempted: a crash may have come before or after each of them.
    mutating func crash() {
        for pair in disk {
            attempt(pair.holds)
            if pair.holds.contains(where: \.isFreeze) { frozenAttempts.insert(pair.application) }
            if pair.started?.part != .leave { mayLeave.insert(pair.key) }
        }
    }

    // MARK: Invariants

    /// The first effect that is in force but not on disk, in words; nil if there is none.
    var unowed: String? {
        for key in entered where !disk.contains(where: { $0.key == key }) {
            return "the leave of \(key.hook) \(key.subject.application) is not owed on disk"
        }
        for (application, processes) in stopped where !processes.isEmpty {
            let owed = Set(disk.flatMap(\.holds).flatMap(\.stopped))
            if !processes.isSubset(of: owed) {
                return "processes of \(application) are stopped, and not on disk"
            }
        }
        for path in frozenUnits where !disk.flatMap(\.holds).contains(.frozen(path: path)) {
            return "the unit \(path) is frozen, and not on disk"
        }
        for (unit, _) in weights
        where !disk.flatMap(\.holds).contains(.slowed(unit: unit, weights: Self.weight)) {
            return "the unit \(unit) is slowed, and its weights are not on disk"
        }
        for stream in muted where !disk.flatMap(\.holds).contains(.muted(stream)) {
            return "stream \(stream.index) is muted, and not on disk"
        }
        return nil
    }

    /// The first reaction or pair that remains, in words; nil if there is none.
    var remains: String? {
        if let key = entered.first { return "\(key.hook) \(key.subject.application) is still entered" }
        if let application = Self.applications.first(where: isFrozen) {
            return "\(application) is still frozen"
        }
        if let unit = weights.first { return "\(unit.key) has the weights \(unit.value)" }
        return muted.first.map { "stream \($0.index) is still muted" }
    }
}

extension RecordedPair {
    var key: Job.Key { Job(entry, time: .zero).key }
    var application: String { entry.change.application }
}
