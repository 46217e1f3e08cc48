/// All hooks, from the configuration and from hooks.d. Equal ones would react alike.
public struct LoadedHooks: Hashable, Sendable {
    public let configuration: Configuration
    /// What the configuration was read from; nil where there is none.
    public let file: SystemString?
    /// Those of the configuration, then those of hooks.d, each in their order.
    public let hooks: [Hook]
    /// What does not run, and what to do.
    public let warnings: [String]

    /// A hook that is written nowhere.
    public init(_ hook: Hook) {
        configuration = Configuration()
        file = nil
        hooks = [hook]
        warnings = []
    }

    private init(configuration: Configuration, file: SystemString?, hooks: [Hook], warnings: [String]) {
        self.configuration = configuration
        self.file = file
        self.hooks = hooks
        self.warnings = warnings
    }

    /// Reads them all.
    ///
    /// - Throws: All faults of the configuration.
    public static func load(_ locations: Locations) throws(ConfigurationError) -> LoadedHooks {
        let found = try firstConfiguration(locations)
        let directory = locations.directory.map { HooksDirectory($0) }
        let configuration = found?.configuration ?? Configuration()
        return LoadedHooks(
            configuration: configuration, file: found?.file,
            hooks: configuration.hooks + (directory?.hooks ?? []), warnings: directory?.warnings ?? [])
    }

    private static func firstConfiguration(
        _ locations: Locations
    ) throws(ConfigurationError) -> (file: SystemString, configuration: Configuration)? {
        for file in locations.configurations {
            if let configuration = try Configuration(file: file) { return (file, configuration) }
        }
        guard let file = locations.required else { return nil }
        throw ConfigurationError(file.description, "there is no such file")
    }
}
