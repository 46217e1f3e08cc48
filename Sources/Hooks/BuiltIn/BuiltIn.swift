import PhaseWatch

/// What xphase does by itself while a pair holds, and undoes when it ends.
public enum BuiltIn: String, CaseIterable, Codable, Hashable, Sendable {
    /// Its processes get no processor at all.
    case freeze
}

extension BuiltIn: ConfigurationWord {
    static var names: (one: String, many: String) { ("reaction", "reactions") }
}

extension Hook {
    /// Why the reactions would do harm; nil if they would not. A program that is stopped with a menu open holds the input
    /// of the whole session.
    ///
    /// - Parameters:
    ///   - phases: While it is in which of them.
    ///   - level: For what the hook is entered.
    public static func fault(
        in builtIns: Set<BuiltIn>, while phases: Set<ScenePhase>, level: Change.Level
    ) -> String? {
        if builtIns.contains(.freeze) && !phases.isEmpty && phases != [.background] {
            return "only what is in the background can be frozen: write while = \"background\" alone"
        }
        if !builtIns.isEmpty && level != .application {
            return "a process may have several windows: leave level out, for whole applications"
        }
        return nil
    }

    /// Whether it names an application, and does not merely match it.
    func names(_ application: String) -> Bool {
        condition.criteria.application.contains { $0.text.lowercased() == application.lowercased() }
    }
}
