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

/// The subject of `phase`, `wait` and `list`: applications, or the scene of a window.
struct AwaitedSubject {
    /// The pattern as the user wrote it.
    let name: Pattern
    /// The scene of the window that the user named, or the window itself if it is part of none.
    let window: UInt32?

    /// Waits until the display has been read if the user named a window.
    init(_ name: Pattern, on watcher: PhaseWatcher) throws {
        self.name = name
        window = try name.window.map { try watcher.scene(of: $0)?.xid ?? $0 }
    }

    /// Returns the error if nothing matches.
    func absence(among events: [Event]) -> CommandFailure {
        if window != nil { return .notFound("no scene has the window \(name.text)") }
        return .noApplication(name.text, among: events)
    }

    var level: Change.Level { window == nil ? .application : .scene }

    func matches(_ change: Change) -> Bool {
        guard let window else { return name.matches(change) }
        return change.subjectID.scene?.xid == window
    }
}

extension Pattern {
    /// The window that `0x2c00007` or a decimal number names; nil for another text.
    var window: UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
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

    mutating func update(with events: [Event]) {
        for case .change(let change) in events where change.level == subject.level {
            let id = change.subjectID
            // An application that matched by an instance name still counts after that instance closes.
            guard phases[id] != nil || subject.matches(change) else { continue }
            phases[id] = change.to
            phase = phases.values.max() ?? phase
        }
    }
}
