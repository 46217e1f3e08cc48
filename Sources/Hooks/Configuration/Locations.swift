/// Where hooks are looked for.
public struct Locations: Hashable, Sendable {
    /// Where a configuration may be; the first that is there counts.
    public let configurations: [String]
    /// The one that the user names, and that must be there.
    public let required: String?
    /// hooks.d; nil where there is no home to look in.
    public private(set) var directory: String?

    /// - Parameters:
    ///   - config: The file that the user names.
    ///   - environment: The values of variables; XDG_CONFIG_HOME and HOME count.
    public init(config: String?, environment: (String) -> String?) {
        let home = environment("HOME").flatMap { $0.isEmpty ? nil : "\($0)/.config" }
        let own = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        directory = own.map { "\($0)/xphase/hooks.d" }
        configurations =
            config.map { [$0] } ?? [own, "/etc/xdg"].compactMap { $0.map { "\($0)/xphase/config.toml" } }
        required = config
    }

    /// The same without hooks.d.
    public var withoutDirectory: Locations {
        var locations = self
        locations.directory = nil
        return locations
    }

    /// What a change of may change the hooks.
    public var watched: [String] { configurations + (directory.map { [$0] } ?? []) }
}
