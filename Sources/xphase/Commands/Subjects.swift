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

extension [PatternList] {
    var patterns: [Pattern] { flatMap(\.patterns) }
}

/// Phases as an argument: `PHASE[,PHASE]`.
struct PhaseSet {
    static let words = ScenePhase.allCases.reversed().map(\.rawValue)

    /// The words of other programs, and what they are here.
    private static let others = [
        "hidden": "background", "focused": "active", "visible": "active or inactive", "closed": "not a phase",
    ]

    let phases: Set<ScenePhase>

    init(_ text: String) throws(CommandFailure) {
        var phases: Set<ScenePhase> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if let meant = Self.others[word] { throw .misuse("'\(word)' is \(meant) here") }
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

/// What the user has named: applications by patterns, and scenes by their windows.
struct Subjects {
    /// As the user has written them.
    let names: [Pattern]
    /// The scenes of the windows among them, or the windows themselves if they are part of none.
    private let scenes: Set<UInt32>

    /// Waits until the display has been read if a window is named.
    init(_ names: [Pattern], on watcher: PhaseWatcher) throws {
        self.names = names
        let windows = names.compactMap(\.window)
        if windows.isEmpty {
            scenes = []
        } else {
            let options = PhaseMonitor.Options(display: watcher.displayName)
            let inspector = try OpenDisplay.inspector(options, nil)
            scenes = Set(try windows.map { try inspector.scene(of: $0)?.xid ?? $0 })
        }
    }

    /// The names as the user has written them, for messages.
    var text: String { names.map(\.text.escapedForTerminal).joined(separator: ",") }

    /// The criteria of all levels; empty if nothing is named.
    var criteria: Criteria {
        var criteria = Criteria()
        criteria.application = names.filter { $0.window == nil }
        criteria.scenes = scenes
        return criteria
    }

    /// The levels of what is named: scenes for windows, and applications.
    var levels: Set<Change.Level> {
        let windows = names.count { $0.window != nil }
        return Set(
            (windows > 0 ? [.scene] : []) + (windows < names.count || names.isEmpty ? [.application] : []))
    }

    /// Returns whether a change is that of a named application, or of the scene of a named window.
    func matches(_ change: Change) -> Bool {
        switch change.subject {
        case .scene(let facts): scenes.contains(facts.id.xid)
        case .group: false
        case .application: criteria.application.contains { $0.matches(change) }
        }
    }

    /// Returns the changes of the scenes of named windows.
    func scenes(among changes: [Change]) -> [Change] { changes.filter { $0.level == .scene && matches($0) } }

    /// Returns the changes of the applications that are named, or own the scene of a named window.
    func applications(among changes: [Change]) -> [Change] {
        let owners = Set(scenes(among: changes).map(\.application))
        return changes.filter { change in
            change.level == .application && (matches(change) || owners.contains(change.application))
        }
    }

    /// Returns the error for the first name that matches nothing; nil if each matches something.
    func absence(among events: [Event]) -> CommandFailure? {
        let changes = events.compactMap(\.change)
        return names.lazy.compactMap { name -> CommandFailure? in
            if name.window == nil {
                return changes.contains { $0.level == .application && name.matches($0) }
                    ? nil : .noApplication(name.text, among: events)
            }
            let isThere = changes.contains { $0.subjectID.scene.map { scenes.contains($0.xid) } ?? false }
            return isThere ? nil : .notFound("no scene has the window \(name.text)")
        }.first
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
    private let subjects: Subjects
    private var phases: [SubjectID: ScenePhase] = [:]
    /// The greatest of their phases, or the last one once all have closed; nil if none has matched.
    private(set) var phase: ScenePhase?

    init(_ subjects: Subjects) { self.subjects = subjects }

    var areOpen: Bool { !phases.isEmpty }

    mutating func update(with events: [Event]) {
        for case .change(let change) in events {
            let id = change.subjectID
            // An application that matched by an instance name still counts after that instance closes.
            guard phases[id] != nil || subjects.matches(change) else { continue }
            phases[id] = change.to
            phase = phases.values.max() ?? phase
        }
    }
}
