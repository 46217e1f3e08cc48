@testable import Scenes

/// A reader of the lines, like a program at the other end of a pipe. It records faults in them.
struct Reader {
    struct Scene: Equatable {
        var phase: ScenePhase
        var application: String
        var group: String
    }

    private(set) var scenes: [WindowID: Scene] = [:]
    private(set) var groups: [[String]: ScenePhase] = [:]
    private(set) var applications: [String: ScenePhase] = [:]
    private(set) var faults: [String] = []
    let isExclusive: Bool

    /// - Parameter isExclusive: Whether at most one scene may be active at any time.
    init(isExclusive: Bool) {
        self.isExclusive = isExclusive
    }

    mutating func read(_ update: [Event]) {
        var hasRisen = false
        for case .change(let change) in update {
            if let held = change.held, held < .zero { fault("held less than nothing", change) }
            if (change.held == nil) != (change.from == nil) { fault("held without from", change) }
            follow(change)
            if change.level == .scene {
                let rises = change.from.map { from in change.to.map { $0 > from } ?? false } ?? true
                if hasRisen && !rises { fault("falls after a rise", change) }
                hasRisen = hasRisen || rises
            }
            if isExclusive && scenes.values.filter({ $0.phase == .active }).count > 1 {
                fault("two active scenes", change)
            }
        }
        checkTotals()
    }

    /// Checks that a line begins with the phase with which the last line about the same subject ended.
    private mutating func follow(_ change: Change) {
        let known: ScenePhase?
        switch change.subject {
        case .scene(let facts):
            let names = scenes[facts.id].map { [$0.application, $0.group] }
            if let names, names != [change.application, change.group ?? ""] { fault("other names", change) }
            known = scenes[facts.id]?.phase
            scenes[facts.id] = change.to.map {
                Scene(phase: $0, application: change.application, group: change.group ?? "")
            }
        case .group:
            let key = [change.application, change.group ?? ""]
            known = groups[key]
            groups[key] = change.to
        case .application:
            known = applications[change.application]
            applications[change.application] = change.to
        }
        if known != change.from { fault("a gap after \(known.map(\.rawValue) ?? "nothing")", change) }
        if change.from == change.to { fault("no change", change) }
    }

    /// Checks that groups and applications have the greatest phase of their scenes.
    private mutating func checkTotals() {
        var expected: (groups: [[String]: ScenePhase], applications: [String: ScenePhase]) = ([:], [:])
        for scene in scenes.values {
            expected.groups[[scene.application, scene.group], default: .background] = max(
                expected.groups[[scene.application, scene.group]] ?? .background, scene.phase)
            expected.applications[scene.application] = max(
                expected.applications[scene.application] ?? .background, scene.phase)
        }
        if expected.groups != groups { faults.append("groups \(groups), expected \(expected.groups)") }
        if expected.applications != applications {
            faults.append("applications \(applications), expected \(expected.applications)")
        }
    }

    private mutating func fault(_ text: String, _ change: Change) {
        faults.append("\(text): \(change)")
    }
}
