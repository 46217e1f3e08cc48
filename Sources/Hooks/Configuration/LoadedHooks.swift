/// All hooks, from the configuration and from hooks.d. Equal ones would react alike.
package struct LoadedHooks: Hashable, Sendable {
    package let configuration: Configuration
    /// What the configuration was read from; nil where there is none.
    package let file: String?
    /// Those of the configuration, then those of hooks.d, each in their order.
    package let hooks: [Hook]
    /// What does not run, and what to do.
    package let warnings: [String]

    /// A hook that is written nowhere.
    package init(_ hook: Hook) {
        configuration = Configuration()
        file = nil
        hooks = [hook]
        warnings = []
    }

    private init(configuration: Configuration, file: String?, hooks: [Hook], warnings: [String]) {
        self.configuration = configuration
        self.file = file
        self.hooks = hooks
        self.warnings = warnings
    }

    /// Reads them all.
    ///
    /// - Throws: All faults of the configuration.
    package static func load(_ locations: Locations) throws(ConfigurationError) -> LoadedHooks {
        let found = try firstConfiguration(locations)
        let directory = locations.directory.map { HooksDirectory($0) }
        let configuration = found?.configuration ?? Configuration()
        return LoadedHooks(
            configuration: configuration, file: found?.file,
            hooks: configuration.hooks + (directory?.hooks ?? []), warnings: directory?.warnings ?? [])
    }

    private static func firstConfiguration(
        _ locations: Locations
    ) throws(ConfigurationError) -> (file: String, configuration: Configuration)? {
        for file in locations.configurations {
            if let configuration = try Configuration(file: file) { return (file, configuration) }
        }
        guard let file = locations.required else { return nil }
        throw ConfigurationError(file, "there is no such file")
    }
}
