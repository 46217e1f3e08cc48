import ArgumentParser
import Console
import PhaseWatch

extension ArgumentHelp {
    static let phases = ArgumentHelp(
        "active, inactive or background, or several with commas.", valueName: "phase,…")
}

/// The arguments of `on`.
struct PhaseArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The class or instance names of applications: globs or /regexes/, with commas.",
            valueName: "application"), completion: .application, transform: { try PatternList($0) })
    var applications: PatternList

    @Argument(help: .phases, completion: .phases, transform: { try PhaseSet($0) })
    var phases: PhaseSet

    @OptionGroup var choice: CriteriaOptions
}

/// Patterns as an argument: `PATTERN[,PATTERN]`.
struct PatternList {
    let text: String
    let patterns: [Pattern]

    init(_ text: String) throws {
        self.text = text
        patterns = try Pattern.list(text).map { try Arguments.pattern($0.text) }
    }
}

/// Phases as an argument: `PHASE[,PHASE]`.
struct PhaseSet {
    static let words = ScenePhase.allCases.reversed().map(\.rawValue)

    let phases: Set<ScenePhase>

    init(_ text: String) throws(CommandFailure) {
        var phases: Set<ScenePhase> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let phase = ScenePhase(rawValue: word) else {
                throw .misuse("the phases are \(Self.words.offered(for: word))")
            }
            phases.insert(phase)
        }
        self.phases = phases
    }

    /// `active or inactive`.
    var words: String { text(separator: " or ") }

    /// `active,inactive`.
    var text: String { text(separator: ",") }

    private func text(separator: String) -> String {
        phases.sorted(by: >).map(\.rawValue).joined(separator: separator)
    }
}

/// The subject of `phase` and `wait`: applications, or the picked scene.
struct AwaitedSubject {
    /// The pattern as the user wrote it, or the id of the scene.
    let name: String
    private let application: Pattern?
    private let choice: CriteriaOptions
    private let criteria: Criteria
    private let scene: WindowID?

    /// Sets the details that the watcher reads, and waits for a click if `picks` is true.
    ///
    /// - Parameter timeout: The time limit for the click; nil for none.
    init(
        _ application: Pattern?, _ choice: CriteriaOptions, picks: Bool,
        _ watcher: PhaseWatcher, timeout: Duration? = nil
    ) throws {
        (self.application, self.choice) = (application, choice)
        criteria = choice.criteria(application.map { [$0] } ?? [])
        watcher.details = criteria.details
        scene = picks ? try Picking.scene(watcher, timeout: timeout) : nil
        name = application?.text ?? scene?.description ?? ""
    }

    var details: PhaseWatcher.Details { criteria.details }

    /// Returns the error if nothing matches.
    func absence(among events: [Event]) -> CommandFailure {
        if let scene { return .picked(scene, choice, among: events) }
        return .absence(of: application ?? Pattern("*"), choice, among: events)
    }

    fileprivate var level: Change.Level { scene == nil ? .application : .scene }

    fileprivate func matches(_ change: Change) -> Bool {
        if let scene, change.subjectID.scene?.xid != scene.xid { return false }
        return criteria.matches(change)
    }
}

/// The open applications or scenes that match a subject, and the greatest of their phases.
struct MatchingSubjects {
    private let subject: AwaitedSubject
    private var phases: [SubjectID: ScenePhase] = [:]
    /// The greatest of their phases, or the last one once all have closed; nil if none has matched.
    private(set) var phase: ScenePhase?

    init(_ subject: AwaitedSubject) {
        self.subject = subject
    }

    var areOpen: Bool { !phases.isEmpty }

    mutating func update(with events: ChangeBatch) {
        for delta in events.deltas where delta.level == subject.level {
            guard let change = events.change(delta) else { continue }
            let id = change.subjectID
            // An application that matched by an instance name still counts after that instance closes.
            guard phases[id] != nil || subject.matches(change) else { continue }
            phases[id] = change.to
            phase = phases.values.max() ?? phase
        }
    }
}
