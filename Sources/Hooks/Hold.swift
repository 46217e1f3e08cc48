import PhaseWatch
import System

/// An effect of a built-in reaction, in force or imminent, with the data that undoes it.
public enum Hold: Hashable, Codable, Sendable {
    /// These processes are stopped, in this order.
    case stopped([ProcessIdentity])
    /// The control group at this path is frozen.
    case frozen(path: String)
    /// The unit is slowed or capped. `former` are the former values of the reaction's properties.
    case limited(unit: String, by: BuiltIn, former: [UInt64])
    /// The stream was audible and is muted.
    case muted(MutedStream)

    /// The reaction that the hold undoes.
    public var builtIn: BuiltIn {
        switch self {
        case .stopped, .frozen: .freeze
        case .limited(_, let builtIn, _): builtIn
        case .muted: .mute
        }
    }

    /// Whether the hold is undone immediately rather than by a program that may take time.
    public var isFreeze: Bool { builtIn == .freeze }

    public var muted: MutedStream? { if case .muted(let stream) = self { stream } else { nil } }

    /// The processes that the hold stops.
    public var stopped: [ProcessIdentity] {
        if case .stopped(let processes) = self { processes } else { [] }
    }

    /// The hold that must still be undone after a reboot, on another audio server; nil if there is none.
    public var afterBoot: Hold? {
        guard case .muted(var stream) = self, stream.memory != nil else { return nil }
        stream.index = -1
        return .muted(stream)
    }

    /// Whether the hold can be undone. A file may contain anything.
    public var isPlausible: Bool {
        switch self {
        case .stopped: true
        case .frozen(let path):
            path.hasPrefix("/") && !path.utf8.contains(0) && !path.split(separator: "/").contains("..")
        case .limited(let unit, let builtIn, let former):
            !unit.hasPrefix("-") && !unit.utf8.contains(0)
                && !former.isEmpty && former.count == builtIn.properties.count
        case .muted(let stream): stream.index >= -1
        }
    }
}

/// A muted audio stream that is to be unmuted later.
public struct MutedStream: Hashable, Codable, Sendable {
    /// The audio server does not reuse an index while it runs.
    public var index: Int
    public var process: ProcessIdentity
    /// The name under which the server remembers that the stream is muted.
    public var memory: String?

    private static let longestMemory = 512

    /// - Parameter memory: Discarded if it is too long for a name.
    public init(index: Int, process: ProcessIdentity, memory: String?) {
        (self.index, self.process) = (index, process)
        self.memory = memory.flatMap { $0.utf8.count > Self.longestMemory ? nil : $0 }
    }
}
