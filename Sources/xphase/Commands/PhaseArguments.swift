import ArgumentParser
import Console
import PhaseWatch

/// The arguments of `wait` and `on`.
struct PhaseArguments: ParsableArguments {
    @Argument(help: .application, completion: .application, transform: Arguments.glob)
    var application: String

    @Argument(
        help: ArgumentHelp("active, inactive or background, or several of them.", valueName: "phase,…"),
        completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet
}

/// Phases as an argument: `PHASE[,PHASE]`.
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

/// The applications that match a glob, and their greatest phase.
struct MatchingApplications {
    private let pattern: ApplicationPattern
    private var phases: [String: ScenePhase] = [:]
    /// The greatest of their phases, or the last one once all have closed; nil if none has matched.
    private(set) var phase: ScenePhase?

    init(_ glob: String) {
        pattern = ApplicationPattern(glob)
    }

    var areOpen: Bool { !phases.isEmpty }

    mutating func update(with events: ChangeBatch) {
        for delta in events.deltas where delta.level == .application {
            guard let change = events.change(delta) else { continue }
            // An application that matched by an instance name stays in even if that instance closes.
            guard phases[change.application] != nil || pattern.matches(change) else { continue }
            phases[change.application] = change.to
            phase = phases.values.max() ?? phase
        }
    }
}
