import Console
import PhaseWatch

/// What xphase does by itself while a pair holds, and undoes when it ends.
public enum BuiltIn: String, CaseIterable, Codable, Hashable, Sendable {
    /// Its processes get no processor at all.
    case freeze
    /// Its systemd unit gets little of the processor and of the disks.
    case slow
    /// The same, and the processor only while nobody else wants it.
    case idle
    /// Its systemd unit gets no more than a share of one processor.
    case cap
    /// Its streams are muted.
    case mute
    /// What memory of its unit can be used otherwise is taken back, once. There is nothing to undo.
    case reclaim

    /// What the application is then.
    var participle: String {
        switch self {
        case .freeze: "frozen"
        case .slow, .idle: "slowed"
        case .cap: "capped"
        case .mute: "muted"
        case .reclaim: "reclaimed from"
        }
    }
}

/// A state of an application in which nothing is done to it.
public enum Exception: String, CaseIterable, Codable, Hashable, Sendable {
    /// A stream that it plays runs.
    case audio
    /// A stream that it records runs: what it misses is lost.
    case microphone
    /// It keeps the session from being idle, or the machine from sleep.
    case inhibit
    /// It owns CLIPBOARD or PRIMARY: what was copied in it could not be pasted.
    case selection
    /// One of its windows is fullscreen, somewhere.
    case fullscreen

    /// The word for none of them.
    public static let none = "none"

    /// The default: a stopped audio client silences everybody.
    ///
    /// - Parameter builtIns: What is to be done.
    public static func usual(for builtIns: Set<BuiltIn>) -> Set<Exception> {
        builtIns.contains(.freeze) ? [.audio, .microphone, .selection] : []
    }
}

extension BuiltIn: ConfigurationWord {
    public static var names: (one: String, many: String) { ("reaction", "reactions") }
}

extension Exception: ConfigurationWord {
    public static var names: (one: String, many: String) { ("kind of exception", "kinds of exception") }
}

extension Hook {
    /// What is wrong with reactions for these phases and applications. A program that is stopped with a menu open holds the
    /// input of the whole session.
    ///
    /// - Parameters:
    ///   - phases: The phases of the pair.
    ///   - level: The level of the hook.
    ///   - applications: The patterns of the hook.
    public static func faults(
        in builtIns: Set<BuiltIn>, while phases: Set<ScenePhase>, level: Change.Level,
        of applications: [Pattern]
    ) -> [String] {
        var faults: [String] = []
        if builtIns.contains(.freeze) && !phases.isEmpty && phases != [.background] {
            if phases != [.background, .inactive] {
                faults.append(
                    "only what has not the focus can be frozen: write while = \"background\" or [\"inactive\", \"background\"]"
                )
            } else if let pattern = applications.first(where: { !$0.isName }) {
                faults.append(
                    "what can be seen is frozen by its name alone: '\(pattern.text)' is a pattern")
            }
        }
        if builtIns.isSuperset(of: [.slow, .idle]) {
            faults.append("idle is slow with less of the processor: choose one of them")
        }
        if !builtIns.isEmpty && level != .application {
            faults.append("a process may have several windows: leave level out, for whole applications")
        }
        if builtIns.contains(.freeze), let pattern = applications.first(where: \.fitsAll) {
            faults.append(
                "'\(pattern.text)' fits nearly every application: name those that may be frozen")
        }
        return faults
    }

    /// Whether it names an application, and does not merely match it.
    public func names(_ application: String) -> Bool {
        condition.chosen == application
            || condition.criteria.application.contains { $0.text.lowercased() == application.lowercased() }
    }
}

extension Pattern {
    /// Names that have nothing in common.
    private static let unlike = ["Firefox", "Slack", "XTerm", "mpv", "7zFM", "org.kde.dolphin", "Gimp-2.10"]

    /// Whether it fits whatever an application is called, as `*` and `[!x]*` do, or as good as that, as `[a-z]*` and `??*`: it
    /// fits a name that none has, or most of those that have nothing in common.
    fileprivate var fitsAll: Bool {
        matches("\u{7F}") || Self.unlike.count(where: matches) > Self.unlike.count / 2
    }
}
