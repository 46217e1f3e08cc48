import ArgumentParser
import PhaseWatch
import Scenes

/// `PHASE[,PHASE]`.
struct PhaseSet: ExpressibleByArgument {
    let phases: Set<ScenePhase>

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let phases = words.compactMap(ScenePhase.init(rawValue:))
        guard phases.count == words.count else { return nil }
        self.phases = Set(phases)
    }

    static var allValueStrings: [String] { ScenePhase.allCases.reversed().map(\.rawValue) }

    /// `active or inactive`.
    var words: String { phases.sorted(by: >).map(\.rawValue).joined(separator: " or ") }
}

/// Applications that a glob names, and what they add up to.
struct Matched {
    private let pattern: ApplicationPattern
    private var phases: [String: ScenePhase] = [:]

    init(_ glob: String) {
        pattern = ApplicationPattern(glob)
    }

    /// The greatest of their phases; nil if there are none.
    var phase: ScenePhase? { phases.values.max() }

    mutating func take(_ events: [Event]) {
        for change in events.compactMap(\.change) where change.level == .application {
            // One that is chosen by an instance name stays so when that instance goes.
            guard phases[change.application] != nil || pattern.matches(change) else { continue }
            phases[change.application] = change.to
        }
    }
}
