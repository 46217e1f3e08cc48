import PhaseWatch
import System

/// The hooks of the configuration and of hooks.d.
public struct LoadedHooks: Hashable, Sendable {
    public let configuration: Configuration
    /// The configuration file; nil if none exists.
    public let file: SystemString?
    /// The hooks of the configuration in file order, then those of hooks.d by name.
    public let hooks: [Hook]
    /// Messages about entries of hooks.d that do not run, with the reason and the remedy.
    public let warnings: [String]

    /// Reads the configuration and hooks.d.
    ///
    /// - Throws: All faults of the configuration.
    public static func load(_ locations: HookLocations) throws(ConfigurationError) -> LoadedHooks {
        let found = try firstConfiguration(locations)
        if let file = locations.required, found == nil {
            throw ConfigurationError(file.description, "there is no such file")
        }
        let directory = locations.directory.map { HooksDirectory($0) }
        let configuration = found?.configuration ?? Configuration()
        return LoadedHooks(
            configuration: configuration, file: found?.file,
            hooks: configuration.hooks + (directory?.hooks ?? []), warnings: directory?.warnings ?? [])
    }

    /// Returns the first configuration that exists.
    static func firstConfiguration(
        _ locations: HookLocations
    ) throws(ConfigurationError) -> (file: SystemString, configuration: Configuration)? {
        for file in locations.configurations {
            if let configuration = try Configuration(file: file) { return (file, configuration) }
        }
        return nil
    }
}

/// The paths that hooks are read from.
public struct HookLocations: Hashable, Sendable {
    /// Possible configuration files; the first that exists is read.
    public let configurations: [SystemString]
    /// The file that the user may change; nil if neither XDG_CONFIG_HOME nor HOME is set.
    let writable: SystemString?
    /// The file that the user named, which must exist.
    public let required: SystemString?
    /// hooks.d; nil if neither XDG_CONFIG_HOME nor HOME is set.
    public private(set) var directory: SystemString?

    /// - Parameters:
    ///   - config: The file that the user named.
    ///   - environment: XDG_CONFIG_HOME and HOME are used.
    public init(config: SystemString?, environment: Environment) {
        let own = environment.configurationHome
        directory = own.map { $0 + "/xphase/hooks.d" }
        configurations =
            config.map { [$0] } ?? [own, "/etc/xdg"].compactMap { $0.map { $0 + "/xphase/config.toml" } }
        required = config
        writable = config ?? own.map { $0 + "/xphase/config.toml" }
    }

    /// The file that the user writes, for messages.
    public var own: String { configurations.first?.description ?? "~/.config/xphase/config.toml" }

    /// The same paths without hooks.d.
    public var withoutDirectory: HookLocations {
        var locations = self
        locations.directory = nil
        return locations
    }

    /// Paths whose modification triggers a reload.
    public var watched: [SystemString] { configurations + (directory.map { [$0] } ?? []) }
}

extension [Hook] {
    /// The details of scenes that the hooks need.
    public var details: PhaseWatcher.Details {
        reduce(.owners) {
            $0.union($1.condition.criteria.details)
                .union($1.condition.level == .scene ? [.titles, .places] : [])
                .union($1.followsTitles ? .titleChanges : []).union($1.builtIns.isEmpty ? [] : .signs)
        }
    }
}

extension LoadedHooks {
    /// Creates an instance with a single hook that is in no file.
    public init(_ hook: Hook) {
        self.init(configuration: Configuration(), file: nil, hooks: [hook], warnings: [])
    }

    /// Returns a copy with some of the hooks.
    public func with(hooks: [Hook]) -> LoadedHooks {
        LoadedHooks(configuration: configuration, file: file, hooks: hooks, warnings: warnings)
    }

    /// `3 hooks from /home/me/.config/xphase/config.toml, 1 from hooks.d`.
    public var summary: String {
        let configured = configuration.hooks.count
        let parts = [
            file.map { "\(configured) \(configured == 1 ? "hook" : "hooks") from \($0)" },
            hooks.count > configured ? "\(hooks.count - configured) from hooks.d" : nil,
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? "no hooks" : text
    }
}
