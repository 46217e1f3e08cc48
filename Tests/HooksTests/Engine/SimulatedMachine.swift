import PhaseWatch
import System

@testable import Hooks
@testable import Scenes

/// The objects that hooks act on: processes, units, streams and the disk. They outlive every engine.
struct SimulatedMachine {
    static let applications = ["A", "B", "C"]
    private static let weight: [UInt64] = [100, 100]
    private static let lowWeight: [UInt64] = [10, 10]

    var now = Duration.zero
    var time: Timestamp { Timestamp(seconds: Int(now.components.seconds), nanoseconds: 0) }
    var phases: [String: ScenePhase] = [:]
    /// The states of the session that hold.
    var session: Set<SessionLimit> = []
    /// The changes that have closed applications whose processes live.
    var survivors: [String: HookTrigger] = [:]
    var disk: [UndoRecordEntry] = []

    /// The applications that share the process of each application.
    var sharing: [String: Set<String>] = [:]
    /// Whether no stream is audible.
    var isSilent = false
    /// The processes of each application. Every application except A has a unit that can be frozen, unless it shares its
    /// process.
    private var processes: [String: [ProcessIdentity]] = [:]
    private var lastProcess: Int32 = 0
    /// What is in force of each application: each process, unit and stream by itself.
    private var inForce: [String: Set<Hold>] = [:]
    /// The holds of each application that may be in force: attempted, and not undone since.
    private var attempts: [String: Set<Hold>] = [:]

    /// Pairs whose `enter` has begun and whose `leave` has not.
    var entered: Set<Job.Key> = []
    /// Pairs whose `leave` may run without an `enter` or a second time: a crash preceded the write.
    var mayLeave: Set<Job.Key> = []

    mutating func newProcess() -> ProcessIdentity {
        lastProcess += 1
        return ProcessIdentity(pid: lastProcess, startTicks: 1)
    }

    /// Returns whether a pair lasts now for a subject.
    func isInside(_ hook: Hook, _ subject: SubjectID) -> Bool {
        if !hook.condition.session.isEmpty { return !hook.condition.session.isDisjoint(with: session) }
        let phase = hook.condition.level == .all ? phases.values.max() : phases[subject.application]
        guard let phase else { return hook.lastsClosed && survivors[subject.application] != nil }
        return hook.phases?.contains(phase) == true
    }

    // MARK: What can be held

    private func owner(_ application: String) -> String {
        sharing[application] == nil ? application : "shared"
    }

    /// What a freeze of the application stops.
    mutating func target(_ application: String) -> Hold {
        let owner = owner(application)
        if application != "A" && owner == application { return .frozen(path: "/\(application)") }
        if processes[owner] == nil { fork(application) }
        return .stopped(processes[owner] ?? [])
    }

    /// Adds a process that is not stopped yet.
    mutating func fork(_ application: String) {
        processes[owner(application), default: []].append(newProcess())
    }

    /// Returns the holds that undo reactions, as read from the current state.
    func holds(of application: String, _ builtIns: Set<BuiltIn>) -> [Hold] {
        let unit = "\(application).scope"
        let slowed = Hold.limited(unit: unit, by: .slow, former: Self.weight)
        let stream = MutedStream(
            index: Int(application.utf8.first ?? 0), process: ProcessIdentity(pid: 1, startTicks: 1),
            memory: nil)
        var holds: [Hold] = []
        if builtIns.contains(.slow) {
            let isSlowed = isInForce(slowed, of: application)
            holds.append(isSlowed ? .limited(unit: unit, by: .slow, former: Self.lowWeight) : slowed)
        }
        if builtIns.contains(.cap) { holds.append(.limited(unit: unit, by: .cap, former: [.max])) }
        if builtIns.contains(.mute), !isSilent, !isInForce(.muted(stream), of: application) {
            holds.append(.muted(stream))
        }
        return holds
    }

    // MARK: What is in force

    mutating func attempt(_ holds: [Hold], of application: String) {
        attempts[application, default: []].formUnion(holds)
    }

    /// Returns whether something that may be in force would be undone.
    func mayUndo(_ hold: Hold, of application: String) -> Bool {
        attempts[application]?.contains(hold) ?? false
    }

    func mayThaw(_ application: String) -> Bool {
        attempts[application]?.contains(where: \.isFreeze) ?? false
    }

    /// - Parameter count: How many of the processes are stopped.
    mutating func perform(_ holds: [Hold], of application: String, count: Int = .max) {
        attempt(holds, of: application)
        inForce[application, default: []].formUnion(holds.flatMap(\.parts).prefix(count))
    }

    /// Undoes holds. A process that is shared runs for all its applications.
    mutating func undo(_ holds: [Hold]) {
        for name in inForce.keys { inForce[name]?.subtract(holds.flatMap(\.parts)) }
    }

    mutating func forgetAttempts(_ holds: [Hold], of application: String) {
        attempts[application]?.subtract(holds)
    }

    mutating func thaw(_ holds: [Hold], of application: String) {
        attempts[application] = attempts[application]?.filter { !$0.isFreeze }
        undo(holds)
    }

    func isFrozen(_ application: String) -> Bool {
        inForce[application]?.contains(where: \.isFreeze) ?? false
    }

    /// Returns whether everything in the hold is in force.
    func isInForce(_ hold: Hold, of application: String) -> Bool {
        inForce[application]?.isSuperset(of: hold.parts) ?? false
    }

    /// Marks the holds on disk as attempted: a crash may have come before or after each of them.
    mutating func crash() {
        for pair in disk {
            attempt(pair.holds, of: pair.application)
            if pair.started?.part != .leave { mayLeave.insert(pair.key) }
        }
    }

    // MARK: Invariants

    /// Returns whether the record of the application contains all that the hold undoes.
    func isOwed(_ hold: Hold, of application: String) -> Bool {
        let owed = disk.filter { $0.application == application }.flatMap(\.holds).flatMap(\.parts)
        return Set(hold.parts).isSubset(of: owed)
    }

    /// The first effect that is in force but not on disk, in words; nil if there is none.
    var unowed: String? {
        for key in entered where !disk.contains(where: { $0.key == key }) {
            return "the leave of \(key.hook) \(key.subject.application) is not owed on disk"
        }
        let owed = Set(disk.flatMap(\.holds).flatMap(\.parts))
        let unowed = inForce.values.lazy.compactMap { $0.subtracting(owed).first }.first
        return unowed.map { "\($0) is in force, and not on disk" }
    }

    /// The first reaction or pair that remains, in words; nil if there is none.
    var remains: String? {
        if let key = entered.first { return "\(key.hook) \(key.subject.application) is still entered" }
        return inForce.values.lazy.compactMap(\.first).first.map { "\($0) is still in force" }
    }
}

extension Hold {
    /// The hold of each process, or the hold itself.
    fileprivate var parts: [Hold] {
        if case .stopped(let processes) = self { processes.map { .stopped([$0]) } } else { [self] }
    }
}

extension UndoRecordEntry {
    var key: Job.Key { job(at: .zero).key }
}
