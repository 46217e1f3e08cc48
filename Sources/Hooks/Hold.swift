import CLinux
import Glibc
import PhaseWatch
import System

/// An effect of a built-in reaction, in force or imminent, with the data that undoes it.
public enum Hold: Hashable, Codable, Sendable {
    /// These processes are stopped, in this order.
    case stopped([ProcessIdentity])
    /// The control group at this path is frozen.
    case frozen(path: String)
    /// The weights of the unit are changed. `weights` are the former ones, as assignments for systemctl(1).
    case slowed(unit: String, weights: [String])
    /// The CPU quota of the unit is changed. `quota` is the former one, as an assignment for systemctl(1).
    case capped(unit: String, quota: String)
    /// The stream was audible and is muted.
    case muted(MutedStream)

    /// Whether the hold is undone immediately rather than by a program that may take time.
    public var isFreeze: Bool {
        switch self {
        case .stopped, .frozen: true
        case .slowed, .capped, .muted: false
        }
    }

    public var muted: MutedStream? { if case .muted(let stream) = self { stream } else { nil } }

    /// The processes that the hold stops.
    public var stopped: [ProcessIdentity] {
        if case .stopped(let processes) = self { processes } else { [] }
    }

    /// The hold that must still be undone after a reboot; nil if there is none.
    public var afterBoot: Hold? {
        guard case .muted(let stream) = self else { return nil }
        return stream.remembered.map { .muted($0) }
    }

    /// Whether the hold can be undone. A file may contain anything.
    public var isPlausible: Bool {
        switch self {
        case .stopped: true
        case .frozen(let path):
            path.hasPrefix("/") && !path.utf8.contains(0) && !path.split(separator: "/").contains("..")
        case .slowed(let unit, let weights):
            Self.isUnit(unit) && weights.allSatisfy(Self.isAssignment)
        case .capped(let unit, let quota):
            Self.isUnit(unit) && quota.hasPrefix("CPUQuota=") && Self.isQuota(quota.dropFirst(9))
        case .muted(let stream): stream.index >= -1
        }
    }

    private static func isUnit(_ name: String) -> Bool { !name.hasPrefix("-") && !name.utf8.contains(0) }

    /// Returns whether a text is a quota such as `33.05%`, or empty for no quota.
    private static func isQuota(_ text: Substring) -> Bool {
        text.isEmpty
            || text.hasSuffix("%") && Double(text.dropLast()) != nil
                && text.utf8.dropLast().allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    /// The weights of a unit that reactions change.
    public static let weightNames = ["CPUWeight", "IOWeight"]

    /// Returns whether a text sets a weight and nothing else.
    private static func isAssignment(_ text: String) -> Bool {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        return parts.count == 2 && weightNames.contains(String(parts[0]))
            && (parts[1] == "idle" || parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) })
    }
}
