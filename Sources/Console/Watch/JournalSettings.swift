/// The journal settings of `xphase run` in a configuration.
public struct JournalSettings: Hashable, Sendable {
    /// Whether changes are recorded.
    public var isOn = false
    /// Whether titles of windows are recorded, too.
    public var titles = false
    /// The number of days for which a file is kept.
    public var days = 90

    public init() {}
}
