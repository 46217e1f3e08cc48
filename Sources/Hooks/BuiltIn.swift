import Console
import PhaseWatch

/// A reaction that xphase performs while a pair holds, and undoes when the pair ends.
public enum BuiltIn: String, CaseIterable, Codable, Hashable, Sendable {
    /// The processes of the application get no processor time.
    case freeze
    /// The systemd unit gets low CPU and I/O weights.
    case slow
    /// The systemd unit gets at most a percentage of one processor.
    case cap
    /// The streams of the application are muted.
    case mute

    public var participle: String {
        switch self {
        case .freeze: "frozen"
        case .slow: "slowed"
        case .cap: "capped"
        case .mute: "muted"
        }
    }

    /// The properties of a systemd unit that the reaction sets. For systemd, the largest number is a property that is
    /// not set.
    public var properties: [String] {
        switch self {
        case .slow: ["CPUWeight", "IOWeight"]
        case .cap: ["CPUQuotaPerSecUSec"]
        case .freeze, .mute: []
        }
    }
}

/// A limit on the processor time of an application, in percent of one processor: `20%`.
public struct ProcessorCap: RawRepresentable, Hashable, Codable, Sendable {
    public static let wanted = "a percentage of one processor from \"1%\" to \"10000%\""

    public let rawValue: String
    /// The microseconds of processor time in each second.
    public let microseconds: UInt64

    public init?(rawValue: String) {
        guard let percent = Int(rawValue.dropLast()), (1...10_000).contains(percent),
            rawValue == "\(percent)%"
        else { return nil }
        (self.rawValue, microseconds) = (rawValue, UInt64(percent) * 10_000)
    }

    /// Returns the cap that a number without its unit means.
    public static func meant(by text: String) -> Self? { Self(rawValue: "\(text)%") }
}

extension Hook {
    /// The faults of the reactions for these phases and applications. A program that is stopped while its menu is open
    /// keeps its grab, which blocks the input of the whole session.
    package var reactionFaults: [String] {
        guard !builtIns.isEmpty else { return [] }
        let (applications, phases) = (condition.criteria.application, phases ?? [])
        var faults: [String] = []
        if builtIns.contains(.freeze), ![[], [.background], [.background, .inactive]].contains(phases) {
            faults.append(
                "an application with the focus cannot be frozen: write while = \"background\" or [\"inactive\", \"background\"]"
            )
        } else if isOfSeen, builtIns.contains(.freeze),
            let pattern = applications.first(where: { !$0.isName })
        {
            faults.append(
                "a visible application is frozen only by its exact name: '\(pattern.text)' is a pattern")
        }
        if condition.level != .application {
            faults.append("reactions apply to whole applications: omit level")
        }
        if builtIns.contains(.freeze), let pattern = applications.first(where: \.fitsAll) {
            faults.append(
                "'\(pattern.text)' matches nearly every application: name those that may be frozen")
        }
        return faults
    }

    /// Returns whether the hook names an application literally rather than matches it by a pattern.
    public func names(_ application: String) -> Bool {
        condition.chosen == application
            || condition.criteria.application.contains { $0.text.lowercased() == application.lowercased() }
    }
}

extension Pattern {
    /// Application names that have nothing in common.
    private static let unlike = ["Firefox", "Slack", "XTerm", "mpv", "7zFM", "org.kde.dolphin", "Gimp-2.10"]

    /// Whether the pattern matches every name, as `*` and `[!x]*` do, or nearly every name, as `[a-z]*` and `??*` do.
    /// Such a pattern matches a name that no application has, or most of the names in `unlike`.
    fileprivate var fitsAll: Bool {
        matches("\u{7F}") || Self.unlike.count(where: matches) > Self.unlike.count / 2
    }
}
