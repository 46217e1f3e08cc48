/// Where hooks are looked for.
public struct Locations: Hashable, Sendable {
    /// Where a configuration may be; the first that is there counts.
    public let configurations: [SystemString]
    /// The one that the user names, and that must be there.
    public let required: SystemString?
    /// hooks.d; nil where there is no home to look in.
    public private(set) var directory: SystemString?

    /// - Parameters:
    ///   - config: The file that the user names.
    ///   - environment: XDG_CONFIG_HOME and HOME count.
    public init(config: SystemString?, environment: Environment) {
        let own = environment.absolutePath("XDG_CONFIG_HOME") ?? environment["HOME"].map { $0 + "/.config" }
        directory = own.map { $0 + "/xphase/hooks.d" }
        configurations =
            config.map { [$0] } ?? [own, "/etc/xdg"].compactMap { $0.map { $0 + "/xphase/config.toml" } }
        required = config
    }

    /// The same without hooks.d.
    public var withoutDirectory: Locations {
        var locations = self
        locations.directory = nil
        return locations
    }

    /// Paths whose modification triggers a reload.
    public var watched: [SystemString] { configurations + (directory.map { [$0] } ?? []) }
}
