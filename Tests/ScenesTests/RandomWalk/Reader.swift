@testable import Scenes

/// A reader of the lines, like a program at the other end of a pipe. It records faults in them.
struct Reader {
    /// The phases of scenes, groups and applications.
    private var phases: [SubjectID: ScenePhase] = [:]
    private(set) var faults: [String] = []
    /// Whether the last notice about a lock reported its beginning.
    private(set) var isLocked = false
    private let isExclusive: Bool

    /// - Parameter isExclusive: Whether at most one scene may be active at any time.
    init(isExclusive: Bool) {
        self.isExclusive = isExclusive
    }

    var scenes: [SubjectID: ScenePhase] { phases.filter { $0.key.scene != nil } }

    mutating func read(_ update: [Event]) {
        var hasRisen = false
        for case .notice(.session(let change)) in update {
            if let (state, isOn) = change.hiding, state == .lock { isLocked = isOn }
        }
        for case .change(let change) in update {
            if let held = change.held, held < .zero { fault("held less than nothing", change) }
            if (change.held == nil) != (change.from == nil) { fault("held without from", change) }
            let known = phases[change.subjectID]
            phases[change.subjectID] = change.to
            if known != change.from { fault("a gap after \(known.map(\.rawValue) ?? "nothing")", change) }
            if change.from == change.to { fault("no change", change) }
            if change.level == .scene {
                let rises = change.from.map { from in change.to.map { $0 > from } ?? false } ?? true
                if hasRisen && !rises { fault("falls after a rise", change) }
                hasRisen = hasRisen || rises
            }
            if isExclusive && scenes.values.count(where: { $0 == .active }) > 1 {
                fault("two active scenes", change)
            }
        }
        checkTotals()
    }

    /// Checks that groups and applications have the greatest phase of their scenes.
    private mutating func checkTotals() {
        let scenes = scenes
        if Set(scenes.keys.map(\.scene)).count < scenes.count { faults.append("other names: \(scenes)") }
        var expected = scenes
        for (id, phase) in scenes {
            for total in [
                SubjectID(application: id.application, group: id.group),
                SubjectID(application: id.application),
            ] {
                expected[total] = max(expected[total] ?? .background, phase)
            }
        }
        if expected != phases { faults.append("\(phases), expected \(expected)") }
    }

    private mutating func fault(_ text: String, _ change: Change) {
        faults.append("\(text): \(change)")
    }
}
