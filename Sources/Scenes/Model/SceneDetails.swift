/// Details of scenes that are read only on request.
public struct SceneDetails: OptionSet, Hashable, Sendable {
    /// The details as bits.
    public let rawValue: UInt8

    /// Creates details from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Titles, which browsers and terminals change often. `PhaseMonitor.Subject.title` needs them.
    public static let titles = Self(rawValue: 1)
    /// The names of the programs that processes execute.
    public static let processes = Self(rawValue: 2)
    /// Titles and their changes. `Change.Kind.title` is reported when a title has been stable for 250 ms, and once a
    /// second for a title that never is.
    public static let titleChanges = Self(rawValue: 4)
    /// Signs that applications in the background may be wanted; see `PhaseWatcher.takeSigns()`.
    package static let signs = Self(rawValue: 8)
    /// The process of a window is nil where X-Resource reports none, whatever `_NET_WM_PID` is. Use this before acting
    /// on processes: any client can claim any process in `_NET_WM_PID`.
    package static let owners = Self(rawValue: 16)
    /// The names of the monitor and the desktop of scenes.
    package static let locations = Self(rawValue: 32)

    // The operations that an option set of another module inherits are not specialized there, and cost a hundred times as
    // much.

    /// Returns whether these include other details.
    public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }

    /// Adds other details.
    public mutating func formUnion(_ other: Self) { self = Self(rawValue: rawValue | other.rawValue) }

    /// Whether titles are read.
    package var readTitles: Bool { rawValue & (Self.titles.rawValue | Self.titleChanges.rawValue) != 0 }
}
