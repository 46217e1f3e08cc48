import ArgumentParser
import Console
import Hooks
import PhaseWatch
import Service
import System

extension ArgumentHelp {
    static let phases = ArgumentHelp(
        "active, inactive, background, or closed for no window any more; also several with commas.",
        valueName: "phase,…")
}

/// The applications or windows that a command is about, and their display.
struct SubjectOptions: ParsableArguments {
    @Argument(help: .subject, completion: .application, transform: Arguments.patterns)
    var apps: [[Pattern]] = []

    @Option(help: .display)
    var display: String?

    var names: [Pattern] { apps.flatMap(\.self) }
}

/// Phases as an argument: `PHASE[,PHASE]`.
struct PhaseSet {
    let phases: Set<PhaseOrClosed>

    /// The words of other programs for what has no counterpart here, or several.
    private static let others = [
        "visible": "active,inactive", "open": "active,inactive,background",
        "running": "active,inactive,background", "unfocused": "inactive,background", "focus": "active",
        "iconify": "background", "minimize": "background", "minimise": "background", "hide": "background",
    ]

    /// - Parameter known: The valid words.
    init(_ text: String, among known: [PhaseOrClosed] = PhaseOrClosed.allCases) throws(CommandFailure) {
        var phases: Set<PhaseOrClosed> = []
        for word in Arguments.words(text) {
            guard let phase = known.first(where: { $0.rawValue == word }) else {
                if let meant = Self.others[word] { throw .misuse("'\(word)' is \(meant) here") }
                let words = known.map(\.rawValue)
                let near = NearestWord.to(word, among: words).map { ": did you mean '\($0)'?" }
                throw .misuse("the phases are \(words.joined(separator: ", "))\(near ?? "")")
            }
            phases.insert(phase)
        }
        self.phases = phases
    }

    /// Parses phases of what is there.
    static func ofPresent(_ text: String) throws(CommandFailure) -> Self {
        try Self(text, among: PhaseOrClosed.allCases.filter { $0 != .closed })
    }

    init(_ sets: [PhaseSet]) { phases = sets.reduce(into: []) { $0.formUnion($1.phases) } }

    /// - Parameter phase: nil for what has no window any longer.
    func contains(_ phase: ScenePhase?) -> Bool { phases.contains(PhaseOrClosed(phase)) }

    /// `active or inactive`.
    var words: String { phases.words.joined(separator: " or ") }

    /// `active,inactive`.
    var text: String { phases.words.joined(separator: ",") }
}

/// What the user has named: applications by patterns, and scenes by their windows.
struct Subjects {
    /// As the user has written them.
    let names: [Pattern]
    /// The scene of each window among them; a window that is part of none stands for itself.
    private var scenes: [UInt32: SubjectID] = [:]
    /// The criteria for changes of all levels. A display has thousands.
    private var whole = Criteria()

    /// Waits until the display has been read if a window is named.
    ///
    /// - Parameter display: nil for the one in the environment.
    init(_ names: [Pattern], on display: String?) throws {
        self.names = names
        let windows = names.compactMap(\.window)
        if !windows.isEmpty {
            let inspector = try OpenDisplay.inspector(PhaseMonitor.Options(display: display), nil)
            for window in windows {
                scenes[window] =
                    try inspector.scene(of: window) ?? SubjectID(application: "", scene: WindowID(window))
            }
        }
        whole = criteria(of: [.scene])
    }

    /// The names as the user has written them, for messages.
    var text: String { names.text.escapedForTerminal }

    /// Returns the criteria for changes of these levels. Where no scenes are wanted, a window stands for its application.
    func criteria(of levels: Set<Change.Level>) -> Criteria {
        var criteria = Criteria()
        criteria.application = names.filter { $0.window == nil }
        criteria.scenes = Set(scenes.values.compactMap { $0.scene?.xid })
        if !levels.contains(.scene) { criteria.application += owners.map(Pattern.exactly) }
        return criteria
    }

    /// The applications of the scenes of named windows.
    private var owners: Set<String> { Set(scenes.values.map(\.application)).subtracting([""]) }

    /// The levels of what is named: scenes for windows, and applications.
    var levels: Set<Change.Level> {
        let windows = names.count { $0.window != nil }
        return Set(
            (windows > 0 ? [.scene] : []) + (windows < names.count || names.isEmpty ? [.application] : []))
    }

    /// Returns whether a change is that of a named application, or of the scene of a named window.
    func matches(_ change: Change) -> Bool {
        levels.contains(change.level) && whole.matches(change)
    }

    /// Returns whether a change is about what is named, or about the group or the application of a named window.
    func concerns(_ change: Change) -> Bool {
        if whole.matches(change) { return true }
        return change.scene == nil
            && scenes.values.contains {
                $0.application == change.application && (change.group ?? $0.group) == $0.group
            }
    }

    /// Returns the patterns of the applications that are named, or own the scene of a named window.
    ///
    /// - Throws: `CommandFailure` if a window is part of no scene.
    func applications() throws(CommandFailure) -> [Pattern] {
        let stray = names.first { $0.window.flatMap { scenes[$0]?.application.isEmpty } ?? false }
        if let stray { throw .noScene(of: stray) }
        return names.filter { $0.window == nil } + owners.map(Pattern.exactly)
    }

    /// Returns the error for the first name that matches nothing; nil if each matches something.
    func absence(among events: [Event]) -> CommandFailure? {
        let changes = events.compactMap(\.change)
        return names.lazy.compactMap { name -> CommandFailure? in
            if let window = name.window {
                let scene = scenes[window]?.scene?.xid
                return changes.contains { $0.scene?.id.xid == scene && $0.level == .scene }
                    ? nil : .noScene(of: name, among: changes)
            }
            return changes.contains { $0.level == .application && name.matches($0) }
                ? nil : .noApplication(name.text, among: changes)
        }.first
    }
}

extension [Pattern] {
    /// The list with commas.
    var text: String { map(\.text).joined(separator: ",") }
}

extension Pattern {
    /// The window that `0x2c00007` or a decimal number names; nil for another text.
    var window: UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }

    func names(_ other: Explanation.Window) -> Bool {
        window.map { $0 == other.id.xid } ?? (matches(other.application) || matches(other.group))
    }
}

extension CommandIO {
    /// Returns the failure for names of which none has a window, and one is frozen: it was closed to the tray.
    func closedFailure(of names: [Pattern], on display: String?) throws -> CommandFailure? {
        let rows = try askIfServed(display) { try $0.status().rows } ?? []
        return rows.lazy.compactMap { row in
            guard let name = row.application, let freeze = row.freeze,
                names.contains(where: { $0.matches(name) })
            else { return nil }
            return .notFound("\(name) has no window now; \(freeze)".escapedForTerminal)
        }.first
    }
}

/// The failures for an application or a window that is not on the display.
extension CommandFailure {
    private static let mostNames = 12

    /// The message of a command that waits for what is absent.
    var awaited: String { followed(by: "waiting for it, see xphase --help") }

    /// The message of a command for which what is absent is closed.
    var countedAsClosed: String { followed(by: "it counts as closed") }

    private func followed(by words: String) -> String {
        "\(description)\(description.hasSuffix("?") ? "" : ";") \(words)"
    }

    static func noScene(of window: Pattern, among changes: [Change] = []) -> Self {
        let owner = changes.first { change in
            change.level == .application && change.members?.pids.contains { "\($0)" == window.text } ?? false
        }
        guard let name = owner?.application else { return notFound("no scene has the window \(window.text)") }
        return isProcess(window, of: name)
    }

    private static func isProcess(_ number: Pattern, of application: String) -> Self {
        notFound(
            "\(number.text) is a process, not a window: write \(application.quotedForShell)"
                .escapedForTerminal)
    }

    static func nothing(named name: Pattern, among windows: [Explanation.Window]) -> Self {
        if name.window != nil {
            let owner = windows.first { window in window.pid.map { "\($0)" == name.text } ?? false }
            if let owner { return isProcess(name, of: owner.application) }
            return notFound(
                "there is no window \(name.text) on this display, or it is a window manager's own")
        }
        let applications = Set(windows.map(\.application))
        return noApplication(name.text, among: applications, groups: Set(windows.map(\.group)))
    }

    static func noApplication(_ glob: String, among changes: [Change]) -> Self {
        let pattern = Pattern(glob)
        if let owner = changes.first(where: { $0.scene?.title.map(pattern.matches) ?? false }) {
            return notFound(
                "no application matches '\(glob)': it is a title of \(owner.application)".escapedForTerminal)
        }
        return noApplication(
            glob, among: Set(changes.map(\.application)), groups: Set(changes.compactMap(\.group)))
    }

    /// Returns the failure whose message suggests the nearest name, or lists the applications.
    static func noApplication(
        _ glob: String, among applications: Set<String>, groups: Set<String>,
        _ heading: String = "running now"
    ) -> Self {
        let names = applications.sorted()
        let fault = "no application matches '\(glob.escapedForTerminal)'"
        if PhaseOrClosed(rawValue: glob) != nil, NearestWord.to(glob, among: names) == nil {
            return notFound("\(fault): it is a phase, see the --help of the command")
        }
        if let near = nearest(to: glob, among: names) ?? nearest(to: glob, among: groups.sorted()) {
            return notFound("\(fault): did you mean '\(near.escapedForTerminal)'?")
        }
        return notFound(
            "\(fault); \(names.isEmpty ? "no application is running" : "\(heading): \(list(names))")")
    }

    /// Returns the first names, and the number of the others.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(mostNames).map(\.escapedForTerminal).joined(separator: ", ")
        return shown + (names.count > mostNames ? " and \(names.count - mostNames) more" : "")
    }

    /// Returns the name that was probably meant: mistyped, or typed in part.
    static func nearest(to glob: String, among names: [String]) -> String? {
        if let near = NearestWord.to(glob, among: names) { return near }
        let parts = names.map { name in
            (name, name.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        }
        let part = NearestWord.to(glob, among: parts.flatMap(\.1))
        return parts.first { $0.1.contains { $0 == part } }?.0
            ?? names.first { $0.lowercased().contains(glob.lowercased()) }
    }
}
