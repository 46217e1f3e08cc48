import CLinux
import Glibc
import PhaseWatch
import System

/// What a built-in reaction has done, or is about to do: enough to undo it.
public enum Hold: Hashable, Codable, Sendable {
    /// These processes are stopped, in this order.
    case stopped([ProcessIdentity])
    /// The control group at this path is frozen.
    case frozen(path: String)
    /// The unit has other weights than these, which are assignments as systemctl(1) takes them.
    case slowed(unit: String, weights: [String])
    /// The unit has another quota of the processor than this, which is an assignment as systemctl(1) takes it.
    case capped(unit: String, quota: String)
    /// The stream was heard, and is muted.
    case muted(MutedStream)

    /// Whether it is undone at once, and not by a program that may take its time.
    public var isFreeze: Bool {
        switch self {
        case .stopped, .frozen: true
        case .slowed, .capped, .muted: false
        }
    }

    public var muted: MutedStream? { if case .muted(let stream) = self { stream } else { nil } }

    /// The processes that are stopped by it.
    public var stopped: [ProcessIdentity] {
        if case .stopped(let processes) = self { processes } else { [] }
    }

    /// What must still be undone after a reboot; nil for nothing.
    public var afterBoot: Hold? {
        guard case .muted(let stream) = self else { return nil }
        return stream.remembered.map { .muted($0) }
    }

    /// Whether it can be undone: a file may hold anything.
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

    /// `33.05%`, or nothing where there was none.
    private static func isQuota(_ text: Substring) -> Bool {
        text.isEmpty
            || text.hasSuffix("%") && Double(text.dropLast()) != nil
                && text.utf8.dropLast().allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    /// The weights of a unit that are changed.
    public static let weightNames = ["CPUWeight", "IOWeight"]

    /// Whether it sets a weight, and nothing else.
    private static func isAssignment(_ text: String) -> Bool {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        return parts.count == 2 && weightNames.contains(String(parts[0]))
            && (parts[1] == "idle" || parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) })
    }
}
