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
    /// The weights of the unit are changed. `weights` are the former values of `weightNames`.
    case slowed(unit: String, weights: [UInt64])
    /// The CPU quota of the unit is changed. `quota` is the former value of `quotaName`.
    case capped(unit: String, quota: UInt64)
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
        case .slowed(let unit, let weights): Self.isUnit(unit) && weights.count == Self.weightNames.count
        case .capped(let unit, _): Self.isUnit(unit)
        case .muted(let stream): stream.index >= -1
        }
    }

    private static func isUnit(_ name: String) -> Bool { !name.hasPrefix("-") && !name.utf8.contains(0) }

    /// The properties of a unit that reactions change. For systemd, the largest number is a property that is not set.
    public static let weightNames = ["CPUWeight", "IOWeight"]
    public static let quotaName = "CPUQuotaPerSecUSec"
}

/// A muted audio stream that is to be unmuted later.
public struct MutedStream: Hashable, Codable, Sendable {
    /// The audio server does not reuse an index while it runs.
    public var index: Int
    public var process: ProcessIdentity
    public var memory: String?

    private static let longestMemory = 512

    /// - Parameter memory: Discarded if it is too long for a name.
    public init(index: Int, process: ProcessIdentity, memory: String?) {
        (self.index, self.process) = (index, process)
        self.memory = memory.flatMap { $0.utf8.count > Self.longestMemory ? nil : $0 }
    }

    /// The stream of the same application on another server; nil if no server remembers that it is muted.
    public var remembered: MutedStream? {
        if memory == nil { return nil }
        var stream = self
        stream.index = -1
        return stream
    }
}
