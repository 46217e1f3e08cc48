import ArgumentParser
import Console
import PhaseWatch

/// `PHASE[,PHASE]`.
struct PhaseSet {
    static let words = ScenePhase.allCases.reversed().map(\.rawValue)

    let phases: Set<ScenePhase>

    init(_ text: String) throws(Misuse) {
        var phases: Set<ScenePhase> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let phase = ScenePhase(rawValue: word) else {
                let near = NearestWord.to(word, among: Self.words).map { ": did you mean '\($0)'?" } ?? ""
                throw Misuse("the phases are \(Self.words.joined(separator: ", "))\(near)")
            }
            phases.insert(phase)
        }
        self.phases = phases
    }

    /// `active or inactive`.
    var words: String { phases.sorted(by: >).map(\.rawValue).joined(separator: " or ") }
}

/// Applications that a glob names, and what they add up to.
struct Matched {
    private let pattern: ApplicationPattern
    private var phases: [String: ScenePhase] = [:]
    /// The greatest of their phases; once all have closed, the one that they had before.
    private(set) var last: ScenePhase?

    init(_ glob: String) {
        pattern = ApplicationPattern(glob)
    }

    var isThere: Bool { !phases.isEmpty }

    mutating func take(_ events: ChangeBatch) {
        for delta in events.deltas where delta.level == .application {
            guard let change = events.change(delta) else { continue }
            // One that is chosen by an instance name stays so when that instance goes.
            guard phases[change.application] != nil || pattern.matches(change) else { continue }
            phases[change.application] = change.to
            last = phases.values.max() ?? last
        }
    }
}
